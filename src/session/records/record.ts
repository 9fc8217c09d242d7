import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import {
  type Answer,
  type AnswerRisk,
  type Clarify,
  type Disagreement,
  type FollowUp,
  isRun,
  type ModelUse,
} from '../../answer.ts';
import { CandorError } from '../../errors.ts';
import type { AnswerMode } from '../../generation/index.ts';
import { readIfThere, writeWhole } from '../../store/index.ts';
import type { StageEvent } from '../../tracing/index.ts';
import { VERSION } from '../../version.ts';

/** One call of a model, as a record keeps it. */
export const SENT = z.object({
  role: z.string(),
  promptVersion: z.number().optional(),
  model: z.string(),
  host: z.string().nullable(),
  promptTokens: z.number(),
  completionTokens: z.number(),
  cachedTokens: z.number().optional(),
  blocks: z.array(z.object({ name: z.string(), characters: z.number(), mayHoldValues: z.boolean() })),
  tables: z.array(z.string()),
  outcome: z.enum(['replied', 'replayed', 'failed']),
});

/** A search that failed, as a record keeps it. */
export const SEARCHED = z.object({
  what: z.enum(['metrics', 'dimensions', 'tables', 'columns', 'values']),
  count: z.number().optional(),
  hits: z.array(z.object({ name: z.string(), score: z.number() })),
});

/** As it is kept. */
export const RECORD = z.object({
  id: z.string(),
  version: z.string(),
  at: z.string(),
  /** Whom it was answered to, where several people share the project. */
  reader: z.string().optional(),
  /** The present the question was asked in, ISO. */
  now: z.string(),
  question: z.string(),
  /** Outside knowledge given with it. */
  hint: z.string().optional(),
  /** Earlier questions that were given with it. */
  after: z.array(z.string()).optional(),
  /** As it was read, where that is not how it was asked. */
  readAs: z.string().optional(),
  /** A question back: what it is about and what it offers. */
  back: z
    .object({
      kind: z.enum(['clarify', 'follow_up']),
      question: z.string(),
      phrase: z.string(),
      options: z.array(z.object({ label: z.string(), question: z.string() })),
      /** How many questions back were answered before this one. */
      rounds: z.number(),
    })
    .optional(),
  /** Defaults that were to be taken otherwise. */
  assume: z.record(z.string(), z.string()).optional(),
  /** Ids of the only tables that could be used. */
  tables: z.array(z.string()).optional(),
  database: z.string(),
  catalogFingerprint: z.string(),
  semanticsFingerprint: z.string(),
  kind: z.enum(['answered', 'clarify', 'follow_up', 'reject', 'abstain']),
  sql: z.string().optional(),
  /** Hash of the columns and rows; absent when nothing was run. */
  resultHash: z.string().optional(),
  rowCount: z.number().optional(),
  /** Codes of what was said about the rows. */
  notices: z.array(z.string()).optional(),
  reason: z.string().optional(),
  /** Where a model's refusal was not confirmed: both sides, for labelling. */
  disagreement: z
    .object({ missing: z.string(), because: z.string(), searched: z.array(SEARCHED) })
    .optional(),
  /** What answers were held to; absent: nothing was withheld for its risk. */
  targetRisk: z.number().optional(),
  /** Of the SQL, where it was assessed. */
  risk: z
    .object({
      queryRisk: z.number(),
      action: z.enum(['answer', 'warn']),
      /** What a label of the answer is kept with. */
      shipped: z.object({ risk: z.number(), writer: z.string(), model: z.string() }).optional(),
    })
    .optional(),
  /** How much a language model might spend, where that was asked for. */
  mode: z.enum(['fast', 'careful', 'no-execution']).optional(),
  /** What a language model did; absent where none was asked. */
  model: z
    .object({
      id: z.string(),
      host: z.string().nullable(),
      mode: z.enum(['fast', 'careful', 'no-execution']),
      calls: z.number(),
      promptTokens: z.number(),
      completionTokens: z.number(),
      cachedTokens: z.number().optional(),
      cost: z.number().optional(),
      story: z.array(z.string()),
      /** What left the machine: a block of it says what kind of data it was, and whether cells could stand in it. */
      sent: z.array(SENT).optional(),
    })
    .optional(),
  links: z.array(z.string()),
  checks: z.array(z.object({ name: z.string(), passed: z.boolean(), detail: z.string().optional() })),
  stages: z.array(z.object({ stage: z.string(), ms: z.number() })),
});

/** A decision that can be run again: the question, what it stood on, what came out. Holds no rows. */
export type DecisionRecord = z.infer<typeof RECORD>;
export type QuestionBack = NonNullable<DecisionRecord['back']>;

export interface RecordContext {
  readonly now: Date;
  /** The clock's time, which `now` need not be. */
  readonly at: Date;
  readonly database: string;
  readonly catalogFingerprint: string;
  readonly semanticsFingerprint: string;
  readonly links: readonly string[];
  readonly targetRisk?: number;
  readonly hint?: string;
  readonly after?: readonly string[];
  readonly mode?: AnswerMode;
  readonly assume?: Readonly<Record<string, string>>;
  readonly tables?: readonly string[];
  readonly rounds?: number;
  readonly stages: readonly StageEvent[];
  readonly reader?: string;
}

/** The record of an answer. */
export function toRecord(answer: Answer, context: RecordContext): DecisionRecord {
  const { now, at, links, stages, after, tables, rounds, ...stood } = context;
  const isAnswered = answer.kind === 'answered';
  const hasRows = isAnswered && isRun(answer);
  return {
    ...stood,
    id: answer.recordId,
    version: VERSION,
    at: at.toISOString(),
    now: now.toISOString(),
    question: answer.question,
    ...(after !== undefined && { after: [...after] }),
    ...(tables !== undefined && { tables: [...tables] }),
    kind: answer.kind,
    ...(answer.model !== undefined && { model: modelUse(answer.model) }),
    links: [...links],
    stages: [...stages],
    checks: isAnswered ? [...answer.checks] : [],
    ...(isAnswered ? { sql: answer.sql } : {}),
    ...(isAnswered && answer.risk !== undefined ? { risk: riskTold(answer.risk) } : {}),
    ...(hasRows ? { resultHash: hashResult(answer.columns, answer.rows), rowCount: answer.rows.length } : {}),
    ...(isAnswered && answer.notices ? { notices: answer.notices.map(({ code }) => code) } : {}),
    ...(answer.readAs === undefined ? {} : { readAs: answer.readAs }),
    ...(answer.kind === 'clarify' || answer.kind === 'follow_up'
      ? { back: backOf(answer, rounds ?? 0) }
      : {}),
    ...(answer.kind === 'reject' ? { reason: answer.reason } : {}),
    ...(answer.kind === 'abstain' && answer.disagreement !== undefined
      ? { disagreement: disagreementOf(answer.disagreement) }
      : {}),
  };
}

function backOf(answer: Clarify | FollowUp, rounds: number): QuestionBack {
  return {
    kind: answer.kind,
    question: answer.readAs ?? answer.question,
    phrase: answer.kind === 'clarify' ? answer.phrase : answer.dimension,
    options: answer.options.map(({ label, question }) => ({ label, question })),
    rounds,
  };
}

function riskTold({ queryRisk, action, shipped }: AnswerRisk): NonNullable<DecisionRecord['risk']> {
  return { queryRisk, action, ...(shipped && { shipped }) };
}

function disagreementOf({ searched, ...said }: Disagreement): DecisionRecord['disagreement'] {
  return { ...said, searched: searched.map(({ hits, ...what }) => ({ ...what, hits: [...hits] })) };
}

function modelUse({ story, sent, ...use }: ModelUse): NonNullable<DecisionRecord['model']> {
  const calls = sent?.map(({ blocks, tables, ...call }) => ({
    ...call,
    blocks: [...blocks],
    tables: [...tables],
  }));
  return { ...use, story: [...story], ...(calls && { sent: calls }) };
}

/** Id of a record: when and what was asked, to the millisecond. */
export function recordId(question: string, at: Date, nonce: string): string {
  const stamp = at.toISOString().replace(/[-:]/g, '').replace('T', '-').replace('.', '').slice(0, 18);
  return `${stamp}-${createHash('sha256').update(`${question}\n${nonce}`).digest('hex').slice(0, 8)}`;
}

/** Hash of a result, the same for the same columns and rows in the same order. */
export function hashResult(columns: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const hash = createHash('sha256').update(JSON.stringify(columns));
  const plain = (_key: string, value: unknown): unknown => {
    if (typeof value === 'bigint') return `${value}n`;
    return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
  };
  for (const row of rows) hash.update(JSON.stringify(row, plain));
  return hash.digest('hex').slice(0, 32);
}

/** Writes a record atomically under `directory/records`. */
export async function writeRecord(directory: string, record: DecisionRecord): Promise<void> {
  const file = join(directory, 'records', `${record.id}.json`);
  try {
    await writeWhole(file, `${JSON.stringify(record, null, 2)}\n`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CandorError('record.not-writable', `cannot write ${file}: ${reason}`, { cause: error });
  }
}

/** Reads the text of a record. Throws `record.invalid`. */
export function parseRecord(text: string, name: string): DecisionRecord {
  const parsed = RECORD.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new CandorError(
    'record.invalid',
    `The record ${name} cannot be read: ${parsed.error.issues[0]?.message ?? 'not JSON'}.`,
  );
}

/** Reads one record; a unique beginning of its id is enough. Throws `record.not-found`, `record.invalid`. */
export async function readRecord(directory: string, id: string): Promise<DecisionRecord> {
  const names = await recordNames(directory);
  const matches = /^[\w-]+$/.test(id)
    ? names.filter((name) => name.startsWith(id) || name.endsWith(`-${id}.json`))
    : [];
  const [name, second] = matches;
  if (name === undefined) throw new CandorError('record.not-found', `There is no record “${id}”.`);
  if (second !== undefined)
    throw new CandorError('record.not-found', `“${id}” fits ${matches.length} records; give more of the id.`);
  return parseRecord(await readFile(join(directory, 'records', name), 'utf8'), name);
}

/** The question back that a record is of. Throws `record.no-question-back`. */
export function questionBackOf({
  id,
  kind,
  back,
}: Pick<DecisionRecord, 'id' | 'kind' | 'back'>): QuestionBack {
  if (back !== undefined) return back;
  throw new CandorError(
    'record.no-question-back',
    `The record ${id} is of no question back: its outcome is ${kind}.`,
  );
}

/** All records, newest first; files that are no records are left out. */
export async function listRecords(directory: string): Promise<DecisionRecord[]> {
  const records: DecisionRecord[] = [];
  for (const name of (await recordNames(directory)).sort().reverse()) {
    const parsed = RECORD.safeParse(parseJson(await readFile(join(directory, 'records', name), 'utf8')));
    if (parsed.success) records.push(parsed.data);
  }
  return records;
}

/** Files that one page may cost to read, however few of them are wanted. */
const MOST_READ = 2_000;

export interface RecordPage {
  /** Newest first. */
  readonly records: readonly DecisionRecord[];
  /** There may be more: `before` of the next page. A page without records may have one. */
  readonly next?: string;
}

/** Records that are older than the one named `before`; files that are no records are left out. */
export async function pageRecords(
  directory: string,
  options: {
    readonly most: number;
    readonly before?: string;
    readonly isWanted: (record: DecisionRecord) => boolean;
  },
): Promise<RecordPage> {
  const { most, before, isWanted } = options;
  const names = (await recordNames(directory)).sort().reverse();
  const older = before === undefined ? names : names.filter((name) => name < `${before}.json`);
  const records: DecisionRecord[] = [];
  for (const [at, name] of older.entries()) {
    if (at === MOST_READ || records.length === most)
      return { records, next: (older[at - 1] ?? '').slice(0, -'.json'.length) };
    const text = await readIfThere(join(directory, 'records', name));
    const parsed = RECORD.safeParse(parseJson(text ?? ''));
    if (parsed.success && isWanted(parsed.data)) records.push(parsed.data);
  }
  return { records };
}

async function recordNames(directory: string): Promise<string[]> {
  try {
    return (await readdir(join(directory, 'records'))).filter((name) => name.endsWith('.json'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Where a session keeps records of its answers: files of the project, or the state that several servers share. */
export interface RecordStore {
  /** Throws `record.not-writable`, and as the state does. */
  write(record: DecisionRecord): Promise<void>;
  /** A unique beginning or the last part of its id is enough. Throws `record.not-found`, `record.invalid`. */
  read(id: string): Promise<DecisionRecord>;
  /** Older than the one named `before`, the newest first. */
  page(wanted: WantedRecords): Promise<RecordPage>;
}

export interface WantedRecords {
  readonly most: number;
  readonly before?: string;
  /** Whom they were answered to; absent: anybody. */
  readonly reader?: string;
  readonly kind?: DecisionRecord['kind'];
}

/** Records as files under `directory/records`. */
export function recordFiles(directory: string): RecordStore {
  return {
    write: (record) => writeRecord(directory, record),
    read: (id) => readRecord(directory, id),
    page: ({ most, before, reader, kind }) =>
      pageRecords(directory, {
        most,
        ...(before !== undefined && { before }),
        isWanted: (record) =>
          (reader === undefined || record.reader === reader) && (kind === undefined || record.kind === kind),
      }),
  };
}
