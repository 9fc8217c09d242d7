/** Asks each question, alters those that are answered right, asks again, and judges what came. */

import { open } from 'node:fs/promises';
import type { Answer } from '../../../answer.ts';
import type { QueryLimits, QueryResult } from '../../../database/index.ts';
import { breakWords } from '../../../language/index.ts';
import type { Session } from '../../../session/index.ts';
import { writeName } from '../../../sql/dialects/index.ts';
import type { EvaluationCase } from '../../corpus/index.ts';
import { type ExpectedAnswer, type Gold, runGold } from '../../evaluation/comparators/gold.ts';
import {
  GOLD_LIMITS,
  type QuerySetting,
  runQuery,
  toFailed,
} from '../../evaluation/comparators/run-query.ts';
import {
  openSuiteSession,
  type SuiteSession,
  type SuiteSessionOptions,
} from '../../evaluation/open-suite-session.ts';
import { type CaseSelection, newRunFile, selectCases } from '../../evaluation/runs/run-file.ts';
import { reopenRecordLines } from '../../evaluation/runs/run-record.ts';
import { makeDice } from '../../synthesis/items/seeded-random.ts';
import type { Alteration } from './edits/alteration.ts';
import { type AlteredSite, type RightAnswer, readRightAnswer } from './edits/alteration.ts';
import { readKnownWords, tableText } from './edits/known-words.ts';
import { fingerprintWords, type WordList } from './edits/word-list.ts';
import {
  ALTERED_RECORD,
  type AlteredRecord,
  type JudgedAlteration,
  type JudgeSetting,
  judgeAltered,
  wordOf,
} from './judge-altered.ts';
import { makeAlterations } from './make-alterations.ts';
import type { AlteredSuite } from './read-ferrum.ts';

export interface RunAlteredOptions extends CaseSelection, SuiteSessionOptions {
  readonly seed: number;
  readonly words: WordList;
  /** Folder for the run's file, `altered-<stamp>.jsonl`. */
  readonly out: string;
  /** File of an earlier run with the same seed and words to go on with. */
  readonly resume?: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: AlteredProgress) => void;
  readonly now?: () => Date;
}

interface AlteredProgress {
  readonly suite: string;
  readonly done: number;
  readonly total: number;
  readonly secondsLeft: number;
}

export interface AlteredReport {
  readonly seed: number;
  readonly records: readonly AlteredRecord[];
  readonly seconds: number;
  /** The JSON lines file. */
  readonly file: string;
  /** False after a cancel; the file can be resumed. */
  readonly isComplete: boolean;
}

/** A cancel ends the run after the question before; the report says so. */
export async function runAltered(
  suites: readonly AlteredSuite[],
  options: RunAlteredOptions,
): Promise<AlteredReport> {
  const started = performance.now();
  const { seed, resume, signal } = options;
  const work = suites.map((suite) => ({ suite, cases: answerable(suite, options) }));
  const total = work.reduce((sum, { cases }) => sum + cases.length, 0);
  const words = fingerprintWords(options.words);
  const wanted = new Set(work.flatMap(({ suite, cases }) => cases.map(({ id }) => `${suite.name} ${id}`)));
  const done = resume === undefined ? [] : await reopenRun(resume, { seed, words });
  const records = done.filter((record) => wanted.has(keyOf(record)));
  const known = new Set(records.map(keyOf));
  const file = resume ?? (await newRunFile(options.out, 'altered', options.now));
  const lines = await open(file, 'a');
  const from = { at: performance.now(), done: records.length };
  try {
    for (const { suite, cases } of work) {
      const waiting = cases.filter(({ id }) => !known.has(`${suite.name} ${id}`));
      await runSuiteAltered(suite, waiting, options, async (record) => {
        await lines.appendFile(`${JSON.stringify({ suite: suite.name, seed, words, ...record })}\n`);
        records.push({ suite: suite.name, seed, words, ...record });
        const pace = (performance.now() - from.at) / 1000 / (records.length - from.done);
        const secondsLeft = pace * (total - records.length);
        options.onProgress?.({ suite: suite.name, done: records.length, total, secondsLeft });
      });
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  } finally {
    await lines.close();
  }
  const seconds = Number(((performance.now() - started) / 1000).toFixed(1));
  return { seed, records, seconds, file, isComplete: records.length === total };
}

/** Questions that need a query that failed before are about that one. */
function answerable(suite: AlteredSuite, options: CaseSelection): readonly EvaluationCase[] {
  return selectCases(suite.cases, options).filter(
    ({ expect, previous }) => expect.kind === 'answered' && previous === undefined,
  );
}

function keyOf({ suite, id }: Pick<AlteredRecord, 'suite' | 'id'>): string {
  return `${suite} ${id}`;
}

function reopenRun(
  path: string,
  { seed, words }: Pick<AlteredRecord, 'seed' | 'words'>,
): Promise<AlteredRecord[]> {
  return reopenRecordLines(path, ALTERED_RECORD, (record) => {
    if (record.seed !== seed) return `is a run with the seed ${record.seed}, not ${seed}`;
    return record.words === words ? undefined : 'is a run with another list of words';
  });
}

type CaseRecord = Omit<AlteredRecord, 'suite' | 'seed' | 'words'>;

async function runSuiteAltered(
  suite: AlteredSuite,
  cases: readonly EvaluationCase[],
  options: RunAlteredOptions,
  finish: (record: CaseRecord) => Promise<void>,
): Promise<void> {
  const session = openSuiteSession(suite, options);
  const signal = options.signal ?? new AbortController().signal;
  try {
    for (const asked of cases) {
      if (signal.aborted) return;
      // A signal of its own for each case: many that listen to one look like a leak.
      const record = await runCase(asked, suite, { session, options, signal: AbortSignal.any([signal]) });
      signal.throwIfAborted();
      await finish(record);
    }
  } finally {
    await session.close();
  }
}

interface CaseWork {
  readonly session: SuiteSession;
  readonly options: RunAlteredOptions;
  readonly signal: AbortSignal;
}

async function runCase(asked: EvaluationCase, { policy }: AlteredSuite, work: CaseWork): Promise<CaseRecord> {
  const { id, database, question, expect } = asked;
  const base = { id, database, question };
  const nothing: CaseRecord = { ...base, isRight: false, altered: [], notMade: [] };
  const session = await work.session.open(asked);
  const { signal } = work;
  const setting = { database: session.database, limits: GOLD_LIMITS, signal, policy };
  const gold = expect.kind === 'answered' ? await runGold(expect, setting) : undefined;
  if (expect.kind !== 'answered' || gold?.ok !== true) return nothing;
  const answer = await askOrFail(asked, question, work);
  if ('error' in answer || answer.kind !== 'answered') return nothing;
  const came = await runQuery(answer.sql, setting);
  if (!came.ok || gold.judge(came.result) !== 'equal') return nothing;
  const dialect = session.catalog.dialect;
  const { sql } = answer;
  const right = readRightAnswer(asked, answer, {
    gold: await goldOf(expect, came.result, { ...setting, gold }),
    dialect,
  });
  if (right === undefined) return { ...nothing, isRight: true, sql };
  const judging = { ...setting, dialect, gold, asked: asked.question, before: sql };
  const { altered, notMade } = await alterCase(asked, { right, judging, opened: session }, work);
  return { ...base, isRight: true, sql, altered: [...altered], notMade: [...notMade] };
}

/** Of several golds the one that has the rows of the answer: the query of the answer reads the question as it does. */
async function goldOf(
  { sql, alternatives = [] }: ExpectedAnswer,
  came: QueryResult,
  setting: QuerySetting & { readonly gold: Gold },
): Promise<string> {
  for (const text of alternatives.length > 0 ? [sql, ...alternatives] : []) {
    const ran = await runQuery(text, setting);
    if (ran.ok && setting.gold.compare(ran.result, came) === 'equal') return text;
  }
  return sql;
}

async function alterCase(
  asked: EvaluationCase,
  {
    right,
    judging,
    opened,
  }: { readonly right: RightAnswer; readonly judging: JudgeSetting; readonly opened: Session },
  work: CaseWork,
): Promise<Pick<CaseRecord, 'altered' | 'notMade'>> {
  const { options, signal } = work;
  const known: AlteredDatabase = await openAlteredDatabase(opened, signal);
  const { alterations, notMade } = await makeAlterations(
    {
      ...right,
      ...known,
      words: options.words,
      dice: (name) => makeDice(options.seed, `${asked.id} ${name}`),
    },
    (altered) => canTell(altered, judging),
  );
  const altered: JudgedAlteration[] = [];
  for (const alteration of alterations) {
    const answer = await askOrFail(asked, alteration.question, work);
    altered.push(
      'error' in answer ? failed(alteration, answer.error) : await judgeAltered(alteration, answer, judging),
    );
  }
  return { altered, notMade: [...notMade] };
}

async function canTell(altered: string, setting: JudgeSetting & { readonly gold: Gold }): Promise<boolean> {
  const ran = await runQuery(altered, setting);
  return ran.ok && setting.gold.judge(ran.result) !== 'equal';
}

/** A failure of one question is a result of the measurement. */
async function askOrFail(
  asked: EvaluationCase,
  question: string,
  { session, signal }: CaseWork,
): Promise<Answer | { readonly error: { readonly code: string; readonly message: string } }> {
  try {
    return await session.ask({ ...asked, question }, signal);
  } catch (error) {
    signal.throwIfAborted();
    return { error: toFailed(error).error };
  }
}

function failed(
  alteration: Alteration,
  error: { readonly code: string; readonly message: string },
): JudgedAlteration {
  const { kind, how, question, due } = alteration;
  const word = wordOf(alteration);
  const base = { kind, how, question, due: due.kind, ...(word !== undefined && { word }) };
  return { ...base, verdict: 'error', said: '', error };
}

/** What alterations need to know of a database, read once for all of its questions. */
type AlteredDatabase = Pick<AlteredSite, 'catalog' | 'tableNames' | 'known' | 'storedValues'>;

const LIMITS: QueryLimits = { rows: 300, bytes: 1_000_000, timeoutMs: 30_000 };

const OPENED = new WeakMap<Session, Promise<AlteredDatabase>>();

function openAlteredDatabase(session: Session, signal: AbortSignal): Promise<AlteredDatabase> {
  const held = OPENED.get(session) ?? read(session, signal);
  OPENED.set(session, held);
  return held;
}

async function read(session: Session, signal: AbortSignal): Promise<AlteredDatabase> {
  const { catalog, semantics, database } = session;
  const tableNames = new Map(
    catalog.tables.map(({ id, name }) => {
      const datasets = semantics.datasets.filter(({ table }) => table.toLowerCase() === name.toLowerCase());
      const own = breakWords(name).replaceAll('_', ' ');
      return [id, [own, ...datasets.flatMap((dataset) => [dataset.name, ...dataset.synonyms])]];
    }),
  );
  const stored = new Map<string, readonly string[]>();
  return {
    catalog,
    tableNames,
    known: await readKnownWords(session, signal),
    async storedValues(tableId, column) {
      const table = catalog.tables.find(({ id }) => id === tableId);
      if (table === undefined) return [];
      const key = `${tableId} ${column}`;
      const held = stored.get(key);
      if (held !== undefined) return held;
      const name = writeName(column, catalog.dialect);
      // Ordered, so that the same seed draws the same values.
      const sql = `SELECT DISTINCT ${name} FROM ${tableText(table, catalog.dialect)} WHERE ${name} IS NOT NULL ORDER BY ${name}`;
      const { rows } = await database.query(sql, LIMITS, signal);
      const values = rows.flatMap(([cell]) => (typeof cell === 'string' ? [cell] : []));
      stored.set(key, values);
      return values;
    },
  };
}
