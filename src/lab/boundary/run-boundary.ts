import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { ask } from '../../answering/index.ts';
import type { Database } from '../../database/index.ts';
import type { Session } from '../../session.ts';
import { reopenRecordLines } from '../evaluation/record-lines.ts';
import { toFailed } from '../evaluation/run-query.ts';
import type { BenchItem } from '../synthesis/bench-item.ts';
import { editSession } from '../synthesis/context/edit-session.ts';
import { BOUNDARY_RECORD, type BoundaryRecord } from './boundary-record.ts';
import { type BoundaryMetrics, computeBoundaryMetrics } from './compute-boundary-metrics.ts';
import { judgeItem } from './judge-item.ts';

export interface RunBoundaryOptions {
  /** Of the project that the items were made for. */
  readonly session: Session;
  /** The same database without the guard, which every edited context gets anew. */
  readonly engine: Database;
  /** Name of the run's file. */
  readonly name: string;
  readonly out: string;
  readonly resume?: string;
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
  readonly clock?: () => Date;
}

export interface BoundaryReport {
  readonly metrics: BoundaryMetrics;
  readonly records: readonly BoundaryRecord[];
  readonly file: string;
  /** False after a cancel; the file can be resumed. */
  readonly isComplete: boolean;
  readonly seconds: number;
}

/** Asks every item in its own context and judges what comes. */
export async function runBoundary(
  items: readonly BenchItem[],
  options: RunBoundaryOptions,
): Promise<BoundaryReport> {
  const started = performance.now();
  const { resume, onProgress, signal } = options;
  const ids = new Set(items.map(({ id }) => id));
  const done =
    resume === undefined
      ? []
      : await reopenRecordLines(resume, BOUNDARY_RECORD, ({ id }) =>
          ids.has(id) ? undefined : `holds ${id}, which this benchmark does not`,
        );
  const records = [...done];
  const known = new Set(records.map(({ id }) => id));
  const file = resume ?? (await newFile(options));
  const lines = await open(file, 'a');
  try {
    for (const [edits, group] of byContext(items.filter(({ id }) => !known.has(id)))) {
      const session = editSession(options.session, options.engine, edits);
      for (const item of group) {
        if (signal.aborted) break;
        records.push(await record(item, session, { lines, signal }));
        onProgress?.(records.length, items.length);
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await lines.close();
  }
  return {
    metrics: computeBoundaryMetrics(records),
    records,
    file,
    isComplete: records.length === items.length,
    seconds: Number(((performance.now() - started) / 1000).toFixed(1)),
  };
}

/** Items of one context share a session. */
function byContext(items: readonly BenchItem[]): readonly [BenchItem['edits'], readonly BenchItem[]][] {
  const groups = new Map<string, BenchItem[]>();
  for (const item of items) {
    const key = JSON.stringify(item.edits);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups.values()].map((group) => [group[0]?.edits ?? [], group]);
}

async function newFile({ out, name, clock = () => new Date() }: RunBoundaryOptions): Promise<string> {
  await mkdir(out, { recursive: true });
  return join(out, `${name}-${clock().toISOString().replaceAll(':', '-').replace('Z', '')}.jsonl`);
}

async function record(
  item: BenchItem,
  session: Session,
  { lines, signal }: { readonly lines: FileHandle; readonly signal: AbortSignal },
): Promise<BoundaryRecord> {
  const judged = await askItem(item, session, signal);
  signal.throwIfAborted();
  await lines.appendFile(`${JSON.stringify(judged)}\n`);
  return judged;
}

async function askItem(item: BenchItem, session: Session, signal: AbortSignal): Promise<BoundaryRecord> {
  const { id, category, kind, question, due, gold, errorSql, errorMessage } = item;
  const previous =
    errorSql === undefined || errorMessage === undefined
      ? {}
      : { previous: { sql: errorSql, error: errorMessage } };
  let answer: Awaited<ReturnType<typeof ask>>;
  try {
    answer = await ask(question, session, {
      now: new Date(`${item.now}T12:00:00Z`),
      signal,
      record: false,
      related: false,
      execute: false,
      ...previous,
    });
  } catch (error) {
    signal.throwIfAborted();
    const { error: failure } = toFailed(error);
    const base = { id, category, kind, question, due: due.kind, said: '', gold };
    return { ...base, isRight: false, error: failure };
  }
  return judgeItem(item, answer, { database: session.database, signal });
}
