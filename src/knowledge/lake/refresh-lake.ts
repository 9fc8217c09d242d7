import { setImmediate as breathe } from 'node:timers/promises';
import { CandorError } from '../../errors.ts';
import type { StateFile } from '../../store/index.ts';
import { compareCodePoints } from './code-point-order.ts';
import { LakeBatch } from './lake-batch.ts';
import type { LakeSource, TableMark } from './lake-source.ts';

export interface RefreshOptions {
  /** Where a table stands whose own names do not say it: the database. */
  readonly database: string;
  readonly onProgress?: (counts: LakeCounts) => void;
  readonly signal?: AbortSignal | undefined;
  /** Tables of one transaction, and of one segment. */
  readonly tablesAtOnce?: number;
}

export interface LakeCounts {
  /** Tables that the source has shown so far. */
  readonly listed: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** As many as make a segment worth its lookups, few enough to be held and done again. */
const TABLES_AT_ONCE = 16_384;
const READ_AT_ONCE = 500;
const KNOWN_AT_ONCE = 5_000;

/**
 * Makes the tables of a lake file those of the source: lists what there is beside what is known, and reads only what
 * differs. What was read is kept by transactions of many tables: who reads meanwhile sees each table whole, old or new,
 * and the rest as it is; a run that was ended at any point goes on where it was. Throws what the source throws, and
 * `store.*`.
 */
export async function refreshLakeFile(
  file: StateFile,
  source: LakeSource,
  options: RefreshOptions,
): Promise<LakeCounts> {
  const counts = { listed: 0, added: 0, changed: 0, removed: 0 };
  const changes = new ChangeDesk(file, source, options);
  const known = knownMarks(file);
  let old = known.next().value;
  let last = '';
  for await (const marks of source.list(options.signal))
    for (const { id, stamp } of marks) {
      if (!isAfter(id, last)) throw unordered(id, last);
      last = id;
      counts.listed += 1;
      while (old !== undefined && old.id !== id && isAfter(id, old.id)) {
        counts.removed += 1;
        await changes.remove(old.id);
        old = known.next().value;
      }
      const isKnown = old?.id === id;
      if (!isKnown || old?.stamp !== stamp) {
        counts[isKnown ? 'changed' : 'added'] += 1;
        if (await changes.read(id)) options.onProgress?.({ ...counts });
      }
      if (isKnown) old = known.next().value;
    }
  for (; old !== undefined; old = known.next().value) {
    counts.removed += 1;
    await changes.remove(old.id);
  }
  await changes.finish();
  return counts;
}

function isAfter(id: string, before: string): boolean {
  return compareCodePoints(id, before) > 0;
}

/** Page by page: what is written behind the last id does not disturb what is read before it. */
function* knownMarks(file: StateFile): Generator<TableMark, undefined> {
  const read = file.prepare('SELECT id, stamp FROM marks WHERE id > ? ORDER BY id LIMIT ?');
  for (let last = ''; ; ) {
    const page = read.all(last, KNOWN_AT_ONCE);
    for (const { id, stamp } of page) yield { id: String(id), stamp: String(stamp) };
    if (page.length < KNOWN_AT_ONCE) return undefined;
    last = String(page.at(-1)?.id);
  }
}

class ChangeDesk {
  readonly #file: StateFile;
  readonly #source: LakeSource;
  readonly #options: RefreshOptions;
  #wanted: string[] = [];
  #gone: string[] = [];

  constructor(file: StateFile, source: LakeSource, options: RefreshOptions) {
    this.#file = file;
    this.#source = source;
    this.#options = options;
  }

  /** True: what was asked for so far has been kept. */
  async read(id: string): Promise<boolean> {
    this.#wanted.push(id);
    return this.#isFull() && (await this.finish());
  }

  async remove(id: string): Promise<boolean> {
    this.#gone.push(id);
    return this.#isFull() && (await this.finish());
  }

  async finish(): Promise<boolean> {
    if (this.#wanted.length + this.#gone.length === 0) return false;
    const { signal, database } = this.#options;
    await this.#file.longTransaction(async () => {
      const batch = new LakeBatch(this.#file, database);
      for (const id of this.#gone) batch.remove(id);
      for (let at = 0; at < this.#wanted.length; at += READ_AT_ONCE) {
        const ids = new Set(this.#wanted.slice(at, at + READ_AT_ONCE));
        for await (const read of this.#source.read([...ids], signal)) {
          batch.put(read);
          ids.delete(read.table.id);
        }
        // Dropped between the list and the reading.
        for (const id of ids) batch.remove(id);
        await breathe();
        signal?.throwIfAborted();
      }
      batch.write();
    }, signal);
    this.#wanted = [];
    this.#gone = [];
    return true;
  }

  #isFull(): boolean {
    return this.#wanted.length + this.#gone.length >= (this.#options.tablesAtOnce ?? TABLES_AT_ONCE);
  }
}

function unordered(id: string, last: string): CandorError {
  return new CandorError('internal.bug', `a source lists the table ${id} after ${last}`);
}
