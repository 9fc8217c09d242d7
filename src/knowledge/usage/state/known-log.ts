/** How far a log was read, whatever it is called now. */
import { createHash } from 'node:crypto';
import { CandorError } from '../../../errors.ts';
import type { StateFile } from '../../../store/index.ts';
import type { LogPlace } from '../logs/log-entry.ts';
import { type DetectedLog, isLogFormat, type LogContainer } from '../logs/log-formats.ts';
import type { LogCounts } from './log-counts.ts';

export interface KnownLog extends DetectedLog, LogPlace {
  readonly id: number;
  readonly readerState: unknown;
  readonly counts: LogCounts;
}

/** The log that begins with these bytes: its own beginning is the longest of those known. */
export function findKnownLog(file: StateFile, head: Buffer): KnownLog | undefined {
  const lengths = file
    .prepare('SELECT DISTINCT head_bytes AS n FROM logs WHERE head_bytes <= ? ORDER BY 1 DESC')
    .all(head.length);
  const find = file.prepare('SELECT * FROM logs WHERE head_hash = ? AND head_bytes = ?');
  for (const { n } of lengths) {
    const row = find.get(hashOf(head.subarray(0, Number(n))), Number(n));
    const format = String(row?.format);
    if (row === undefined || !isLogFormat(format)) continue;
    return {
      id: Number(row.id),
      format,
      container: containerOf(row.container),
      offset: Number(row.offset),
      line: Number(row.line),
      readerState: JSON.parse(String(row.reader_state)),
      counts: JSON.parse(String(row.counts)),
    };
  }
  return undefined;
}

/** Takes up a log that was never read. */
export function addLog(
  file: StateFile,
  name: string,
  head: Buffer,
  { format, container }: DetectedLog,
): KnownLog {
  const added = file
    .prepare(
      `INSERT INTO logs (head_bytes, head_hash, name, format, container, offset, line, reader_state, counts)
       VALUES (?, ?, ?, ?, ?, 0, 1, 'null', '{}')`,
    )
    .run(head.length, hashOf(head), name, format, container);
  const id = Number(added.lastInsertRowid);
  return { id, format, container, offset: 0, line: 1, readerState: null, counts: {} };
}

/** A short log that has grown is known by more of its beginning from now on. */
export function renewHead(file: StateFile, id: number, head: Buffer): void {
  const update = file.prepare(
    'UPDATE logs SET head_bytes = ?, head_hash = ? WHERE id = ? AND head_bytes < ?',
  );
  update.run(head.length, hashOf(head), id, head.length);
}

/** Reads a log once more from its start, in another format: nothing of it was counted in the first. */
export function restartLog(file: StateFile, { id }: KnownLog, { format, container }: DetectedLog): KnownLog {
  file
    .prepare(
      "UPDATE logs SET format = ?, container = ?, offset = 0, line = 1, reader_state = 'null', counts = '{}' WHERE id = ?",
    )
    .run(format, container, id);
  return { id, format, container, offset: 0, line: 1, readerState: null, counts: {} };
}

export interface Progressed extends LogPlace {
  readonly readerState: unknown;
  readonly counts: LogCounts;
}

/** Notes how far a log is read. Throws `usage.busy` when somebody else has read on in the meantime. */
export function saveProgress(
  file: StateFile,
  { id, offset }: Pick<KnownLog, 'id' | 'offset'>,
  to: Progressed,
): void {
  const changed = file
    .prepare('UPDATE logs SET offset = ?, line = ?, reader_state = ?, counts = ? WHERE id = ? AND offset = ?')
    .run(to.offset, to.line, JSON.stringify(to.readerState), JSON.stringify(to.counts), id, offset);
  if (Number(changed.changes) === 0)
    throw new CandorError('usage.busy', 'the same log is being ingested by another process');
}

function containerOf(value: unknown): LogContainer {
  return value === 'json' || value === 'json-array' || value === 'csv' ? value : 'text';
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
