import { type FileHandle, open } from 'node:fs/promises';
import type { Answer } from '../../../answer.ts';
import { ask } from '../../../answering/index.ts';
import type { Database, QueryLimits } from '../../../database/index.ts';
import type { Session } from '../../../session/index.ts';
import { type QuerySetting, runQuery, toFailed } from '../../evaluation/comparators/run-query.ts';
import { newRunFile } from '../../evaluation/runs/run-file.ts';
import { reopenRecordLines } from '../../evaluation/runs/run-record.ts';
import { editSession } from '../../synthesis/context/edit-session.ts';
import { lookupWords } from '../../synthesis/inventory/inventory.ts';
import type { BenchItem, Due } from '../../synthesis/items/bench-item.ts';
import { goldTest } from '../../synthesis/items/bench-item.ts';
import {
  BOUNDARY_RECORD,
  type BoundaryMetrics,
  type BoundaryRecord,
  computeBoundaryMetrics,
} from './compute-boundary-metrics.ts';

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
  const file = resume ?? (await newRunFile(options.out, options.name, options.clock));
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

const LIMITS: QueryLimits = { rows: 10_000, bytes: 20_000_000, timeoutMs: 30_000 };

/** Words that stand in every refusal. */
const EMPTY = /^(?:the|a|an|of|in|on|for|with|by|to|at|and|or|is|are|we|how|what|no|not)$/;

/**
 * Judges an answer: an SQL category by the rows of any gold, another by its outcome and by what it names as missing
 * (BAR-SQL §9, without a judge model). Throws when the gold itself fails: then the item is broken, not the answer.
 */
async function judgeItem(
  item: BenchItem,
  answer: Answer,
  { database, signal }: { readonly database: Database; readonly signal: AbortSignal },
): Promise<BoundaryRecord> {
  const { id, category, kind, question, due, gold } = item;
  const said = answer.kind === 'answered' ? answer.sql : sentenceOf(answer);
  const base = { id, category, kind, question, due: due.kind, outcome: answer.kind, said, gold };
  const risk = answer.kind === 'answered' ? answer.risk?.queryRisk : undefined;
  const timed = { ...base, thinkMs: answer.thinkMs, ...(risk !== undefined && { risk }) };
  if (answer.kind !== due.kind) return { ...timed, isRight: false };
  if (answer.kind === 'answered')
    return { ...timed, isRight: await hasGoldRows(item, answer.sql, { database, limits: LIMITS, signal }) };
  const isRightReason = namesMissing(answer, due);
  return { ...timed, isRight: isRightReason, isRightReason };
}

async function hasGoldRows(item: BenchItem, sql: string, setting: QuerySetting): Promise<boolean> {
  const ran = await runQuery(sql, setting);
  return goldTest(item, setting)(ran.ok ? ran.result : undefined);
}

/** Whether the same thing is said to be missing. */
function namesMissing(answer: Answer, due: Due): boolean {
  if (answer.kind === 'follow_up' && due.kind === 'follow_up') return answer.dimension === due.dimension;
  if (answer.kind === 'reject' && due.kind === 'reject') return sharesWord(answer.missing, due.missing);
  if (answer.kind !== 'clarify' || due.kind !== 'clarify') return false;
  // A question for the period or for any figure at all has but one such gap.
  const isOnlyOne = due.gap === 'time' || due.gap === 'intent';
  return (isOnlyOne && answer.gap === due.gap) || sharesWord(answer.phrase, due.phrase);
}

function sharesWord(left: string, right: string): boolean {
  const words = new Set(lookupWords(left).filter((word) => !EMPTY.test(word)));
  return lookupWords(right).some((word) => words.has(word));
}

function sentenceOf(answer: Exclude<Answer, { readonly kind: 'answered' }>): string {
  switch (answer.kind) {
    case 'reject':
      return answer.message;
    case 'abstain':
      return answer.reason;
    case 'clarify':
    case 'follow_up':
      return answer.ask;
  }
}
