import { rm } from 'node:fs/promises';
import type { Catalog, ForeignKey, Table } from '../../catalog/index.ts';
import { openStateFile, orUnusable, type StateFile } from '../../store/index.ts';
import { indexTerms } from '../search/search-terms.ts';
import { Recent } from '../usage/statements/recent.ts';
import type { TableLookup } from '../usage/statements/table-reader.ts';
import { type Candidates, findCandidates } from './find-candidates.ts';
import { LAKE_FILE_MIGRATIONS } from './lake-file-schema.ts';
import { type LakePart, type LakeScope, putPart, readScope } from './lake-scope.ts';
import type { LakeSource } from './lake-source.ts';
import { compactLake } from './postings/compact-lake.ts';
import { LakeMemory } from './postings/lake-memory.ts';
import { keysOf, tablesOf } from './postings/pack-table.ts';
import { rarityOf, TextRanker } from './postings/rank-texts.ts';
import { type LakeCounts, type RefreshOptions, refreshLakeFile } from './refresh-lake.ts';

export interface LakeStats {
  readonly tables: number;
  /** Different texts among them. */
  readonly texts: number;
  readonly segments: number;
  readonly bytes: number;
}

export interface LakeQuery {
  /** Of the question. */
  readonly terms: readonly string[];
  /** Absent: the whole lake. */
  readonly scope?: LakeScope | undefined;
  /** Ids of tables that are to be among the candidates whatever the scope. */
  readonly named: readonly string[];
  /** Texts that each of the two rankings gives. */
  readonly pool: number;
}

/** Indexes of a million tables are written all over: with the usual 2 MB most pages would be read again. */
const CACHE_KB = 64_000;

/**
 * A lake of tables in one SQLite file, made when it is absent: declarations, and the words they are found by. Memory
 * holds some 20 bytes a table once something was searched. `origin` tells what the tables come from and how they are
 * kept: a file of another origin is begun anew. `close` it. Throws `store.unusable`, and its methods do.
 */
export async function openLake(path: string, origin: string): Promise<Lake> {
  const open = (): Promise<StateFile> => openStateFile(path, { migrations: LAKE_FILE_MIGRATIONS });
  let reader = await open();
  if (originOf(reader) !== origin) {
    reader.close();
    await clearOf(path, origin, open);
    reader = await open();
  }
  return new Lake(path, reader, await open());
}

function originOf(file: StateFile): string {
  return String(file.statement('SELECT source FROM totals').get()?.source);
}

async function clearOf(path: string, origin: string, open: () => Promise<StateFile>): Promise<void> {
  const old = await open();
  const isNew = originOf(old) === '';
  old.close();
  if (!isNew) for (const end of ['-wal', '-shm', '']) await rm(`${path}${end}`, { force: true });
  const file = await open();
  file.statement('UPDATE totals SET source = ?').run(origin);
  file.close();
}

export class Lake {
  readonly #path: string;
  /** Only reads: a search never sees half of a change. */
  readonly #file: StateFile;
  readonly #writer: StateFile;
  readonly #memory = new LakeMemory();
  readonly #ranker = new TextRanker();
  #accepted = new Uint8Array(0);

  constructor(path: string, file: StateFile, writer: StateFile) {
    this.#path = path;
    this.#file = file;
    this.#writer = writer;
  }

  /** Makes the tables those of the source, at the cost of a list and of what differs; see `refreshLakeFile`. */
  refresh(source: LakeSource, options: RefreshOptions): Promise<LakeCounts> {
    return orUnusable(this.#path, async () => {
      this.#writer.exec(`PRAGMA cache_size = -${CACHE_KB}`);
      try {
        const counts = await refreshLakeFile(this.#writer, source, options);
        await compactLake(this.#writer, options.signal);
        return counts;
      } finally {
        this.#writer.exec('PRAGMA cache_size = -2000; PRAGMA shrink_memory');
      }
    });
  }

  /** Whole tables by their ids; those that are not there are left out. */
  tables(ids: Iterable<string>): Promise<readonly Table[]> {
    return this.#read(() => tablesOf(this.#file, this.#keysOf(ids)));
  }

  /** The declared keys that lead from tables, also to those that are not asked about. */
  foreignKeys(ids: Iterable<string>): Promise<readonly ForeignKey[]> {
    return this.#read(() => keysOf(this.#file, this.#keysOf(ids)));
  }

  /** Ids of some tables, the first in order. */
  firstIds(count: number): Promise<readonly string[]> {
    return this.#read(() =>
      this.#file
        .statement('SELECT id FROM marks ORDER BY id LIMIT ?')
        .all(count)
        .map(({ id }) => String(id)),
    );
  }

  /** The first ids, in order, that contain a text of lower case, and how many there are. */
  containing(
    text: string,
    limit: number,
  ): Promise<{ readonly ids: readonly string[]; readonly count: number }> {
    return this.#read(() => {
      const found = this.#file
        .statement(
          'SELECT id, count(*) OVER () AS count FROM marks WHERE instr(id, ?) > 0 ORDER BY id LIMIT ?',
        )
        .all(text, limit);
      return { ids: found.map(({ id }) => String(id)), count: Number(found[0]?.count ?? 0) };
    });
  }

  /** Tables called so, bare or with what stands before; `limit` at most, in the order of their ids. */
  named(name: string, limit: number): Promise<readonly Table[]> {
    return this.#read(() => tablesNamed(this.#file, name, limit));
  }

  /** Its tables for the statements of logs. What it gives throws what SQLite throws: it is used within transactions. */
  lookup(about: Pick<Catalog, 'dialect' | 'database'>): TableLookup {
    return lakeLookup(about, (name, limit) => tablesNamed(this.#file, name, limit));
  }

  /** Ids of all tables, in no order. */
  ids(): Promise<ReadonlySet<string>> {
    return this.#read(() => {
      const found = new Set<string>();
      for (const { id } of this.#file.statement('SELECT id FROM marks').iterate()) found.add(String(id));
      return found;
    });
  }

  /** Keeps a set of tables that scopes may name; returns how many of them are in the lake. */
  putPart(part: LakePart, ids: Iterable<string>): Promise<number> {
    return orUnusable(this.#path, () => this.#writer.transaction(() => putPart(this.#writer, part, ids)));
  }

  /** Words that stand in a name or a comment of some table. */
  areKnownWords(words: readonly string[]): Promise<readonly string[]> {
    return this.#read(() => {
      const find = this.#file.statement('SELECT 1 AS one FROM terms WHERE term = ?');
      return words.filter((word) => indexTerms(word).every((term) => find.get(term) !== undefined));
    });
  }

  /** The tables that may be what a question is about, to be ranked. */
  search({ terms, scope, named, pool }: LakeQuery): Promise<Candidates> {
    return this.#read(() => {
      this.#memory.load(this.#file);
      const keys = scope && readScope(this.#file, scope);
      const accepted = this.#accept(keys);
      const ranking = this.#ranker.rank(this.#file, terms, { memory: this.#memory, accepted, limit: pool });
      if (keys !== undefined) this.#forget(keys);
      return findCandidates(this.#file, { ranking, keys, named, rarity: this.#rarities() });
    });
  }

  stats(): Promise<LakeStats> {
    return this.#read(() => {
      const row = this.#file
        .statement(
          `SELECT (SELECT count(*) FROM marks) AS tables, (SELECT texts FROM totals) AS texts,
             (SELECT count(*) FROM segments) AS segments,
             (SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size) AS bytes`,
        )
        .get();
      return {
        ...{ tables: Number(row?.tables), texts: Number(row?.texts) },
        ...{ segments: Number(row?.segments), bytes: Number(row?.bytes) },
      };
    });
  }

  close(): void {
    this.#writer.close();
    this.#file.close();
  }

  #keysOf(ids: Iterable<string>): readonly number[] {
    const find = this.#file.statement('SELECT key FROM marks WHERE id = ?');
    return [...new Set(ids)].flatMap((id) => {
      const row = find.get(id);
      return row === undefined ? [] : [Number(row.key)];
    });
  }

  #accept(keys: ReadonlySet<number> | undefined): Uint8Array {
    const { facts, places } = this.#memory;
    if (this.#accepted.length < facts.length) this.#accepted = new Uint8Array(facts.length);
    if (keys === undefined) {
      const all = new Uint8Array(facts.length);
      for (let text = 0; text < facts.length; text++) if (facts[text] !== 0) all[text] = 1;
      return all;
    }
    for (const key of keys) {
      const text = places[key] ?? 0;
      if (text !== 0) this.#accepted[text] = 1;
    }
    return this.#accepted;
  }

  #forget(keys: ReadonlySet<number>): void {
    for (const key of keys) this.#accepted[this.#memory.places[key] ?? 0] = 0;
  }

  /** Each term is looked up once. */
  #rarities(): (term: string) => number {
    const known = new Map<string, number>();
    const { texts } = this.#memory;
    return (term) => {
      const before = known.get(term);
      if (before !== undefined) return before;
      const row = this.#file.statement('SELECT titles FROM terms WHERE term = ?').get(term);
      const rarity = rarityOf(texts, Number(row?.titles ?? 0));
      known.set(term, rarity);
      return rarity;
    };
  }

  #read<Result>(read: () => Result): Promise<Result> {
    return orUnusable(this.#path, () => this.#file.snapshot(read));
  }
}

/** Tables of this name: `orders`, `sales.orders`, `warehouse.sales.orders`, in any case; in the order of their ids. */
function tablesNamed(file: StateFile, name: string, limit: number): readonly Table[] {
  const lower = name.toLowerCase();
  const own = lower.slice(lower.lastIndexOf('.') + 1);
  const keys = new Set<number>();
  const byId = file.statement('SELECT key FROM marks WHERE id = ?').get(lower);
  if (byId !== undefined) keys.add(Number(byId.key));
  if (own === lower) {
    for (const { key } of file
      .statement('SELECT key FROM tables WHERE name = ? ORDER BY id LIMIT ?')
      .iterate(own, limit))
      keys.add(Number(key));
    return tablesOf(file, keys).slice(0, limit);
  }
  // What stands before it may be left out of the id, where the database looks there by itself.
  const found = file.statement(
    `SELECT key FROM tables WHERE name = ?1 AND (id = ?1 OR substr(id, -length(?2) - 1) = '.' || ?2) ORDER BY id LIMIT ?3`,
  );
  for (const { key } of found.iterate(own, lower, limit)) keys.add(Number(key));
  return tablesOf(file, keys)
    .filter((table) => spellingsOf(table).includes(lower))
    .slice(0, limit);
}

function spellingsOf({ id, name, schema, catalog }: Table): readonly string[] {
  const parts = [catalog, schema, name].filter((part) => part !== undefined);
  return [id, ...parts.map((_, at) => parts.slice(at).join('.').toLowerCase())];
}

/** Tables of one name: a log that means one of more than these writes its schema, and finds it by that. */
const MOST_OF_A_NAME = 200;
const MOST_NAMES = 20_000;
const MOST_CHARACTERS = 5_000_000;

/**
 * The tables of a lake for logs: each statement gets a catalog of those that its names may mean. `named` gives the tables
 * of one name, at most so many.
 */
export function lakeLookup(
  { dialect, database }: Pick<Catalog, 'dialect' | 'database'>,
  named: (name: string, limit: number) => readonly Table[],
): TableLookup {
  const known = new Recent<readonly Table[]>(MOST_NAMES, MOST_CHARACTERS);
  const find = (name: string): readonly Table[] => {
    const found = known.get(name) ?? byEnd(name, named);
    known.set(name, found);
    return found;
  };
  return {
    ...{ dialect, database },
    catalogFor: (names) => {
      const tables = new Map([...names].flatMap(find).map((table) => [table.id, table]));
      return { ...{ database, dialect, foreignKeys: [], fingerprint: '' }, tables: [...tables.values()] };
    },
  };
}

/** Logs write the database before names that the lake knows without it: what stands before is left out until one fits. */
function byEnd(name: string, named: (name: string, limit: number) => readonly Table[]): readonly Table[] {
  const found = named(name, MOST_OF_A_NAME);
  const dot = name.indexOf('.');
  return found.length > 0 || dot < 0 ? found : byEnd(name.slice(dot + 1), named);
}
