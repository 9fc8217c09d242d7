import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, RejectReason } from '../../answer.ts';
import { CandorError } from '../../errors.ts';
import type { EvaluationCase, Expected, Suite } from '../corpus/index.ts';
import { readRecords } from './case-record.ts';
import { compareRuns, renderComparison } from './compare-runs.ts';
import type { AskCase, CaseQuestion } from './evaluate-case.ts';
import { renderSuite, summariseSuite } from './render-suite.ts';
import { type RunSuiteOptions, runSuite, type SuiteProgress } from './run-suite.ts';

let folder = '';
let databaseUrl = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-run-'));
  const path = join(folder, 'pets.db');
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT, age INTEGER)');
  database.exec("INSERT INTO pet VALUES (1, 'Rex', 3), (2, 'Tom', 9), (3, 'Ada', 9)");
  database.close();
  databaseUrl = `sqlite:${path}`;
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

const COUNT: Extract<Expected, { kind: 'answered' }> = {
  kind: 'answered',
  sql: 'SELECT count(*) FROM pet',
  orderMatters: false,
};

describe('the verdict of a case', () => {
  const reject: Expected = { kind: 'reject', reason: 'metric' };
  it.each<{ what: string; expect: Expected; ask: () => Promise<Answer>; verdict: string }>([
    { what: 'the gold result by other SQL', expect: COUNT, ask: answering('SELECT 3'), verdict: 'right' },
    { what: 'another result', expect: COUNT, ask: answering('SELECT 4'), verdict: 'wrong' },
    { what: 'SQL that fails', expect: COUNT, ask: answering('SELECT paw FROM pet'), verdict: 'error' },
    { what: 'SQL that writes', expect: COUNT, ask: answering('DELETE FROM pet'), verdict: 'error' },
    { what: 'SQL that never ends', expect: COUNT, ask: answering(ENDLESS), verdict: 'timeout' },
    { what: 'a refusal of an answerable one', expect: COUNT, ask: rejecting('metric'), verdict: 'declined' },
    { what: 'a throw', expect: COUNT, ask: throwing, verdict: 'error' },
    { what: 'no reply at all', expect: COUNT, ask: () => new Promise(() => undefined), verdict: 'timeout' },
    { what: 'the due refusal', expect: reject, ask: rejecting('metric'), verdict: 'right' },
    { what: 'an answer where none is due', expect: reject, ask: answering('SELECT 1'), verdict: 'forced' },
    {
      what: 'a refusal where a question is due',
      expect: { kind: 'clarify' },
      ask: rejecting('scope'),
      verdict: 'misjudged',
    },
    {
      what: 'gold that does not run',
      expect: { kind: 'answered', sql: 'SELECT 1 FROM gone', orderMatters: false },
      ask: answering('SELECT 1'),
      verdict: 'gold-failed',
    },
  ])('$what is $verdict', async ({ expect: due, ask, verdict }) => {
    // Only what never ends is given little time: a busy machine may take a while over the others.
    const timeoutMs = verdict === 'timeout' ? 2_000 : 30_000;
    const limits = { rows: 1000, bytes: 1e6, timeoutMs };
    const report = await run(makeSuite([due]), { ask, limits, caseTimeoutMs: timeoutMs + 100 });
    expect(report.records[0]).toMatchObject({ verdict, correct: verdict === 'right' });
  });

  it('lets the gold query decide whether order counts', async () => {
    const gold = 'SELECT name FROM pet ORDER BY name';
    const ask = answering('SELECT name FROM pet ORDER BY name DESC');
    const verdictOf = async (orderMatters: boolean): Promise<string | undefined> =>
      (await run(makeSuite([{ kind: 'answered', sql: gold, orderMatters }]), { ask })).records[0]?.verdict;
    expect(await verdictOf(false)).toBe('right');
    expect(await verdictOf(true)).toBe('wrong');
  });

  it('never shows the asked side what is expected', async () => {
    let seen: CaseQuestion | undefined;
    await run(makeSuite([COUNT]), {
      ask: async (question) => {
        seen = question;
        return answer('SELECT 3');
      },
    });
    expect(JSON.stringify(seen)).toContain('question 0');
    expect(JSON.stringify(seen)).not.toContain('count(*)');
  });
});

describe('the readings of a case', () => {
  it.each<{
    what: string;
    ask: () => Promise<Answer>;
    readings: readonly string[];
    place: number | undefined;
  }>([
    { what: 'an answer that is right', ask: answering('SELECT 3'), readings: [], place: 1 },
    {
      what: 'the alternative of a wrong answer',
      ask: answering('SELECT 4', ['SELECT 3']),
      readings: [],
      place: 2,
    },
    { what: 'a refusal', ask: rejecting('scope'), readings: ['SELECT 4', 'SELECT 3'], place: 2 },
    {
      what: 'readings with one result, and some with none',
      ask: rejecting('scope'),
      readings: ['SELECT 4', 'SELECT 2 + 2', 'SELECT paw FROM pet', 'SELECT 5', 'SELECT 3'],
      place: 3,
    },
    {
      what: 'a right reading behind four others',
      ask: rejecting('scope'),
      readings: ['SELECT 4', 'SELECT 5', 'SELECT 6', 'SELECT 7', 'SELECT 3'],
      place: undefined,
    },
    { what: 'asking that failed', ask: throwing, readings: ['SELECT 3'], place: undefined },
  ])('of $what', async ({ ask, readings, place }) => {
    const { records, metrics } = await run(makeSuite([COUNT]), { ask, read: async () => readings });
    expect(records[0]?.rightReading).toBe(place);
    expect(metrics.distinct4).toBe(place === undefined ? 0 : 100);
  });

  it('may equal the result of any gold query', async () => {
    const due: Expected = { ...COUNT, alternatives: ['SELECT 4', 'SELECT 1 FROM gone'] };
    const { records } = await run(makeSuite([due]), { ask: answering('SELECT 4') });
    expect(records[0]).toMatchObject({ verdict: 'right' });
  });
});

describe('runSuite', () => {
  // Ten cases: 6 answerable (3 right, 1 wrong, 1 declined, 1 failed), 4 to reject (2 right, 1 of them
  // for the due reason, 1 forced, 1 asked back).
  const dues: readonly Expected[] = [
    ...Array<Expected>(6).fill(COUNT),
    ...Array<Expected>(4).fill({ kind: 'reject', reason: 'metric' }),
  ];
  const replies = [
    answering('SELECT 3'),
    answering('SELECT 3'),
    answering('SELECT count(*) FROM pet'),
    answering('SELECT 4'),
    rejecting('scope'),
    throwing,
    rejecting('metric'),
    rejecting('scope'),
    answering('SELECT 3'),
    clarifying,
  ];
  const ask: AskCase = ({ id }) => replies[Number(id.slice(1))]!();

  it('computes the figures as defined', async () => {
    const report = await run(makeSuite(dues), { ask });
    expect(report.metrics).toMatchObject({
      outcomeAccuracy: 50, // (3 + 2) of 10
      executionAccuracy: 50, // 3 of 6
      coverage: 66.667, // 4 of 6
      accuracyAnswered: 75, // 3 of 4
      forcedAnswerRate: 25, // 1 of 4
      falseRefusalRate: 33.333, // 2 of 6
      rightReasonRate: 50, // 1 of 2
      p50Ms: 12,
      executionAccuracyLow: 18.762, // Wilson, 3 of 6
      executionAccuracyHigh: 81.238,
    });
    expect(report.metrics).not.toHaveProperty('executionAccuracyClosedHalf');
    const summary = JSON.parse(JSON.stringify(summariseSuite(report)));
    expect(Object.keys(summary)).toEqual(['suite', 'cases', 'metrics', 'seconds']);
    expect(Object.values(summary.metrics).every((value) => typeof value === 'number')).toBe(true);
  });

  it('tells the halves of Spider apart', async () => {
    const { metrics } = await run({ ...makeSuite(dues), name: 'spider' }, { ask });
    expect(metrics.executionAccuracyOpenHalf).toBe(66.667); // 0 and 2 right, 4 declined
    expect(metrics.executionAccuracyClosedHalf).toBe(33.333); // 1 right, 3 wrong, 5 failed
  });

  it('writes one line per case and reports progress', async () => {
    const seen: SuiteProgress[] = [];
    const report = await run(makeSuite(dues), { ask, onProgress: (progress) => seen.push(progress) });
    expect(await readRecords(report.file)).toEqual(report.records);
    expect(seen.map(({ done }) => done)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(seen.at(-1)).toMatchObject({ total: 10, right: 5, answered: 5, secondsLeft: 0 });
  });

  it('stops on a cancel and goes on where it stopped, even behind a torn line', async () => {
    const controller = new AbortController();
    const first = await run(makeSuite(dues), {
      ask,
      signal: controller.signal,
      onProgress: ({ done }) => done === 4 && controller.abort(),
    });
    expect(first).toMatchObject({ isComplete: false, cases: 4 });
    await appendFile(first.file, '{"suite":"chinook","id":"q4"');
    const asked: string[] = [];
    const second = await run(makeSuite(dues), {
      resume: first.file,
      ask: (question, signal) => {
        asked.push(question.id);
        return ask(question, signal);
      },
    });
    expect(asked).toEqual(['q4', 'q5', 'q6', 'q7', 'q8', 'q9']);
    expect(second).toMatchObject({ isComplete: true, cases: 10, file: first.file });
    expect((await readFile(first.file, 'utf8')).trimEnd().split('\n')).toHaveLength(10);
  });

  it('asks several at once, and every one of them once', async () => {
    const asked: string[] = [];
    // The first four wait for each other: with fewer at once the test would not end.
    let letGo = (): void => undefined;
    const four = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const report = await run(makeSuite(dues), {
      concurrency: 4,
      ask: async (question, signal) => {
        asked.push(question.id);
        if (asked.length === 4) letGo();
        await four;
        return ask(question, signal);
      },
    });
    expect(asked.toSorted()).toEqual(report.records.map(({ id }) => id).toSorted());
    expect(await readRecords(report.file)).toEqual(report.records);
  });

  const costing = (cost?: number): Partial<Answer> => ({
    model: {
      ...{ id: 'm', host: null, mode: 'fast', calls: 1, promptTokens: 100, completionTokens: 10, story: [] },
      ...(cost !== undefined && { cost }),
    },
  });

  it('stops where the money is spent, and goes on from there', async () => {
    const paid: AskCase = async (question, signal) => {
      const came = await ask(question, signal);
      return { ...came, ...costing(0.5) } as Answer;
    };
    const first = await run(makeSuite(dues.slice(0, 4)), { ask: paid, maxCost: 1 });
    expect(first).toMatchObject({ isComplete: false, cases: 2 });
    expect(first.metrics).toMatchObject({ calls: 1, promptTokens: 100, completionTokens: 10, cost: 1 });
    const second = await run(makeSuite(dues.slice(0, 4)), { ask: paid, resume: first.file });
    expect(second).toMatchObject({ isComplete: true, cases: 4 });
    expect(second.metrics.cost).toBe(2);
  });

  it('holds no bound of a cost that nobody knows', async () => {
    const unpriced: AskCase = async (question, signal) =>
      ({ ...(await ask(question, signal)), ...costing() }) as Answer;
    await expect(run(makeSuite(dues), { ask: unpriced, maxCost: 1 })).rejects.toMatchObject({
      code: 'test.cost-unknown',
    });
  });

  it('asks again on a resume where the model could not be asked', async () => {
    const gone: AskCase = async () => {
      throw new CandorError('model.unreachable', 'nobody listens');
    };
    const suite = makeSuite(dues.slice(3, 5));
    const first = await run(suite, { ask: gone, model: 'openai:m' });
    expect(first.records.map(({ verdict }) => verdict)).toEqual(['error', 'error']);
    const second = await run(suite, { ask, model: 'openai:m', resume: first.file });
    expect(second.records.map(({ verdict }) => verdict)).toEqual(['right', 'right']);
    expect(await readRecords(first.file)).toEqual(second.records);
  });

  it.each([
    ['of another model', { model: 'openai:n' }],
    ['of the model alone', { model: 'openai:m', arm: 'plain' as const }],
    ['of the engine', {}],
    ['in another mode', { model: 'openai:m', mode: 'careful' }],
  ])('is not resumed as a run %s', async (_, other) => {
    const { file } = await run(makeSuite(dues), { ask, model: 'openai:m', limit: 1 });
    await expect(run(makeSuite(dues), { ask, ...other, resume: file })).rejects.toMatchObject({
      code: 'eval.run-invalid',
    });
  });

  it('counts wrong answers that nothing warns of', async () => {
    const warned = { ...answer('SELECT 4'), unused: [{ text: 'blue', why: 'no colours' }] } as Answer;
    const answers: readonly Answer[] = [answer('SELECT 4'), warned, answer('SELECT 3')];
    const { metrics } = await run(makeSuite(dues.slice(0, 3)), {
      ask: async ({ id }) => answers[Number(id.slice(1))]!,
    });
    expect(metrics.wrongUnmarked).toBe(33.333);
  });

  it('leaves out of every figure what a recording does not hold, and names it', async () => {
    const replayed: AskCase = async (question, signal) => {
      if (question.id === 'q3') throw new CandorError('model.not-recorded', 'there is none');
      return ask(question, signal);
    };
    const report = await run(makeSuite(dues), { ask: replayed });
    expect(report.metrics.executionAccuracy).toBe(60); // 3 of 5
    expect(renderSuite(report)).toContain('1 have a prompt that was not recorded: q3');
  });

  it('stops while a question is being asked', async () => {
    const controller = new AbortController();
    const report = await run(makeSuite(dues), {
      signal: controller.signal,
      ask: () => {
        setTimeout(() => controller.abort(), 20);
        return new Promise(() => undefined);
      },
    });
    expect(report).toMatchObject({ isComplete: false, cases: 0 });
  });

  it('refuses to resume the run of another suite or a file that is no run', async () => {
    const { file } = await run(makeSuite(dues), { ask, limit: 1 });
    const sakila: Suite = { ...makeSuite(dues), name: 'sakila' };
    await expect(run(sakila, { ask, resume: file })).rejects.toMatchObject({ code: 'eval.run-invalid' });
    await appendFile(file, '{"id": 1}\n');
    await expect(run(makeSuite(dues), { ask, resume: file })).rejects.toMatchObject({
      code: 'eval.run-invalid',
      message: expect.stringContaining(':2 '),
    });
  });

  it('renders a readable report', async () => {
    const text = renderSuite(await run(makeSuite(dues), { ask }));
    expect(text).toMatch(/^execution accuracy +50\.0 % +18\.8–81\.2 +3 of 6$/m);
    expect(text).toMatch(/^forced answers +25\.0 % .* 1 of 4$/m);
    expect(text).toMatch(/^even +5 .*\n?odd +5 /m);
    expect(text).toContain('1 × question.empty: nothing was asked');
    expect(text).toContain('5 right, 1 wrong, 1 declined, 1 forced, 1 misjudged, 1 error');
  });
});

describe('compareRuns', () => {
  it('names what became right and what stopped being right', async () => {
    const suite = makeSuite([COUNT, COUNT, COUNT, COUNT]);
    const asking =
      (replies: readonly (() => Promise<Answer>)[]): AskCase =>
      ({ id }) =>
        replies[Number(id.slice(1))]!();
    const right = answering('SELECT 3');
    const wrong = answering('SELECT 4');
    const before = await run(suite, { ask: asking([right, wrong, wrong, wrong]) });
    const after = await run(suite, { ask: asking([wrong, right, rejecting('scope'), wrong]) });
    const comparison = await compareRuns(before.file, after.file);
    expect(comparison).toMatchObject({
      cases: 4,
      rightBefore: 1,
      rightAfter: 1,
      onlyBefore: 0,
      onlyAfter: 0,
    });
    expect(comparison.newlyRight.map(({ id }) => id)).toEqual(['q1']);
    expect(comparison.newlyWrong.map(({ id }) => id)).toEqual(['q0']);
    expect(comparison.otherwiseChanged.map(({ id }) => id)).toEqual(['q2']);
    expect(renderComparison(comparison)).toContain('q0 [pets] right → wrong: question 0');
  });

  it('refuses runs of different suites', async () => {
    const ask = answering('SELECT 3');
    const one = await run(makeSuite([COUNT]), { ask });
    const other = await run({ ...makeSuite([COUNT]), name: 'sakila' }, { ask });
    await expect(compareRuns(one.file, other.file)).rejects.toMatchObject({ code: 'eval.run-invalid' });
  });
});

const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
let runs = 0;

/** Every run gets a folder of its own, so that two runs of one moment do not share a file. */
function run(suite: Suite, options: Omit<RunSuiteOptions, 'out'>): ReturnType<typeof runSuite> {
  runs += 1;
  return runSuite(suite, { out: join(folder, `run-${runs}`), ...options });
}

function makeSuite(dues: readonly Expected[]): Suite {
  const cases = dues.map(
    (due, index): EvaluationCase => ({
      id: `q${index}`,
      index,
      database: 'pets',
      databaseUrl,
      question: `question ${index}`,
      category: index % 2 === 0 ? 'even' : 'odd',
      tags: [],
      now: '2024-12-31',
      expect: due,
    }),
  );
  return { name: 'chinook', cases, policy: 'spider', excluded: { cases: 0, why: '' } };
}

function answer(sql: string, others: readonly string[] = []): Answer {
  return {
    kind: 'answered',
    question: '',
    recordId: '',
    related: [],
    thinkMs: 12,
    sql,
    columns: [],
    rows: [],
    truncatedBy: null,
    explanation: '',
    probability: 0.9,
    evidence: [],
    assumptions: [],
    checks: [],
    alternatives: others.map((other) => ({ label: '', question: '', sql: other })),
  };
}

function answering(sql: string, others: readonly string[] = []): () => Promise<Answer> {
  return async () => answer(sql, others);
}

function rejecting(reason: RejectReason): () => Promise<Answer> {
  const rest = {
    question: '',
    recordId: '',
    related: [],
    thinkMs: 12,
    missing: '',
    message: 'no',
    nearest: [],
  };
  return async () => ({ kind: 'reject', reason, cause: 'not-found', ...rest });
}

async function clarifying(): Promise<Answer> {
  const rest = {
    question: '',
    recordId: '',
    related: [],
    thinkMs: 12,
    phrase: '',
    ask: 'when?',
    options: [],
  };
  return { kind: 'clarify', gap: 'time', ...rest };
}

async function throwing(): Promise<Answer> {
  throw new CandorError('question.empty', 'nothing was asked');
}
