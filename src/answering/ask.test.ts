import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedSession } from '../../test/changed-session.ts';
import { codeOf } from '../../test/fixtures/code-of.ts';
import { openSmallSession, type SmallSession } from '../../test/fixtures/grounded/open-small-session.ts';
import type { Answer, Answered, OutcomeKind } from '../answer.ts';
import type { Session } from '../session/project/session.ts';
import { listRecords, readRecord } from '../session/records/record.ts';
import { type AskOptions, ask } from './ask.ts';

let small: SmallSession;
beforeAll(async () => {
  small = await openSmallSession();
});
afterAll(() => small.close());

async function answered(question: string, session: Session, options?: AskOptions): Promise<Answered> {
  const answer = await ask(question, session, options);
  if (answer.kind !== 'answered') throw new Error(`${question}: ${JSON.stringify(answer)}`);
  return answer;
}

it('what the engine answers against a definition is a check that failed, and likelier wrong', async () => {
  const { semantics } = small.session;
  const defaultFilter = { sql: 'singers.age > 30', text: 'without the young' };
  const singers = { name: 'singers', table: 'singers', synonyms: [], primaryKey: [], defaultFilter };
  const defined = changedSession(small.session, { semantics: { ...semantics, datasets: [singers] } });
  const question = 'How many singers are there?';
  const [before, after] = [await answered(question, small.session), await answered(question, defined)];
  expect(before.checks.map(({ name }) => name)).not.toContain('definitions');
  const detail = expect.stringContaining('the default condition of singers');
  expect(after.checks).toContainEqual({ name: 'definitions', passed: false, detail });
  expect(after.risk?.queryRisk).toBeGreaterThan(before.risk?.queryRisk ?? 1);
  expect(after.probability).toBeLessThan(before.probability ?? 0);
});

describe('the five outcomes', () => {
  const cases: readonly (readonly [kind: OutcomeKind, question: string, shape: object])[] = [
    [
      'answered',
      'How many singers are there?',
      { rows: [[6]], columns: [expect.any(String)], truncatedBy: null },
    ],
    ['answered', 'How many gigs took place in 2023?', { rows: [[2]] }],
    ['answered', 'What is the ticket income by city in 2023?', {}],
    ['clarify', 'Which concerts took place recently?', { gap: 'time', phrase: 'recently' }],
    ['clarify', 'Show the popularity of singers.', { gap: 'metric', phrase: 'popularity' }],
    ['follow_up', 'What was the ticket income in 2023?', { metric: 'ticket income', dimension: 'city' }],
    ['reject', 'delete all singers', { reason: 'unsafe' }],
    ['reject', 'What was the weather in Lisbon?', { reason: 'metric', missing: 'weather' }],
    ['reject', 'How many zebras are in the aquarium?', {}],
    ['reject', 'What is the ticket income by planet in 2023?', { reason: 'dimension', missing: 'planet' }],
    ['reject', 'What is the average wingspan of singers?', { reason: 'metric', missing: 'wingspan' }],
  ];
  it.each(cases)('%s: “%s”', async (kind, question, shape) => {
    const answer = await ask(question, small.session);
    expect(answer).toMatchObject({ kind, question, ...shape });
    expect(answer.recordId).toMatch(/^\d{8}-\d{9}-[0-9a-f]{8}$/);
    expect(answer.thinkMs).toBeGreaterThan(0);
    // Plain data: it survives JSON.
    expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
  });

  // With business words in the model every unknown word is called a metric, whatever place it has.
  it('reject: an unknown word after “per” is a dimension that is missing', async () => {
    const answer = await ask('How many singers are there per gender?', small.session);
    expect(answer).toMatchObject({ kind: 'reject', reason: 'dimension', missing: 'gender' });
  });

  it('abstain: no reading is sure enough, and what would have run is shown', async () => {
    const careful = changedSession(small.session, {
      config: { ...small.session.config, minProbability: 0.9999 },
    });
    const answer = await ask('Which singers are older than 30?', careful);
    if (answer.kind !== 'abstain') throw new Error(answer.kind);
    expect(answer.reason).toContain('1.00');
    expect(answer.candidates[0]?.sql).toContain('singers.age > 30');
    expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
  });

  it('an answer carries its grounds', async () => {
    const question = 'What is the name of the youngest singer from France?';
    const answer = await answered(question, small.session);
    expect(answer.checks.map(({ name, passed }) => [name, passed])).toEqual([
      ['parse', true],
      ['read-only', true],
      ['names', true],
      ['explain', true],
      ['execute', true],
    ]);
    expect(answer.probability).toBeGreaterThan(0.5);
    expect(answer.explanation).toContain('France');
    expect(answer.assumptions.map((assumption) => assumption.kind)).toContain('tie');
    expect(answer.evidence.length).toBeGreaterThan(0);
    for (const { sqlSpan, questionSpan, part, certainty } of answer.evidence) {
      expect(answer.sql.slice(sqlSpan.start, sqlSpan.end)).toBe(part);
      if (questionSpan === undefined) expect(certainty).toBe('assumed');
      else expect(question.slice(questionSpan.start, questionSpan.end)).not.toBe('');
    }
    const france = answer.evidence.find((evidence) => evidence.part.includes("'France'"));
    expect(question.slice(france?.questionSpan?.start, france?.questionSpan?.end)).toBe('France');
  });

  it('options of a question back are questions that lead on', async () => {
    for (const question of ['Which concerts took place recently?', 'What was the ticket income in 2023?']) {
      const answer = await ask(question, small.session);
      if (answer.kind !== 'clarify' && answer.kind !== 'follow_up') throw new Error(answer.kind);
      expect(answer.options.length).toBeGreaterThan(0);
      for (const option of answer.options)
        expect((await ask(option.question, small.session, { record: false })).kind, option.question).not.toBe(
          answer.kind,
        );
    }
  });
});

describe('options', () => {
  it('execute: false stops before the SQL is run', async () => {
    const answer = await answered('How many singers are there?', small.session, { execute: false });
    expect(answer).toMatchObject({ columns: [], rows: [], truncatedBy: null });
    expect(answer.sql).toMatch(/^SELECT/);
    expect(answer.checks.at(-1)).toEqual({ name: 'execute', passed: false, detail: 'not run' });
  });

  it('now is the present of the question', async () => {
    const count = async (now: string): Promise<unknown> =>
      (await answered('How many concerts took place last year?', small.session, { now: new Date(now) }))
        .rows[0]?.[0];
    expect(await count('2024-05-01')).toBe(2);
    expect(await count('2025-05-01')).toBe(4);
    expect(await count('2023-05-01')).toBe(1);
  });

  it('writes one record for each answer, none when told so', async () => {
    const names = async (): Promise<string[]> =>
      (await listRecords(small.session.config.derivedDirectory)).map((record) => record.id);
    const before = await names();
    const now = new Date('2024-02-03T04:05:06.007Z');
    const session = changedSession(small.session, { wallClock: () => new Date('2030-01-02T03:04:05.678Z') });
    await ask('How many songs are there?', session, { record: false, now });
    expect(await names()).toEqual(before);
    const answer = await answered('How many songs are there?', session, { now });
    expect(answer.recordId).toMatch(/^20300102-030405678-[0-9a-f]{8}$/);
    expect((await names()).filter((id) => !before.includes(id))).toEqual([answer.recordId]);
    const record = await readRecord(small.session.config.derivedDirectory, answer.recordId);
    expect(record).toMatchObject({
      question: 'How many songs are there?',
      kind: 'answered',
      sql: answer.sql,
      rowCount: 1,
      now: now.toISOString(),
      at: '2030-01-02T03:04:05.678Z',
      catalogFingerprint: small.session.catalog.fingerprint,
    });
    expect(record.stages.map(({ stage }) => stage)).toEqual([
      'normalise',
      'precheck',
      'hypothesise',
      'link',
      'decide',
      'write',
      'validate',
      'score',
      'execute',
      'retrieve',
    ]);
    expect(JSON.stringify(record)).not.toContain('Blue River');
  });

  it('a signal that has fired stops the question, and leaves no record', async () => {
    const before = (await listRecords(small.session.config.derivedDirectory)).length;
    const run = ask('How many pets are there?', small.session, { signal: AbortSignal.abort() });
    expect(await codeOf(run)).toBe('database.cancelled');
    expect(await listRecords(small.session.config.derivedDirectory)).toHaveLength(before);
  });

  it('a signal that fires while the SQL is about to run stops it', async () => {
    const controller = new AbortController();
    const { database } = small.session;
    const session: Session = changedSession(small.session, {
      database: {
        ...database,
        query: (sql, limits, signal) => {
          controller.abort();
          return database.query(sql, limits, signal);
        },
      },
    });
    const run = ask('How many pets are there?', session, { signal: controller.signal });
    expect(await codeOf(run)).toBe('database.cancelled');
  });

  it('limits cut the result, and the answer says so', async () => {
    const limits = { ...small.session.config.limits, rows: 2 };
    const session = changedSession(small.session, { config: { ...small.session.config, limits } });
    const answer = await answered('List the names of all singers.', session);
    expect(answer.rows).toHaveLength(2);
    expect(answer.truncatedBy).toBe('rows');
  });
});

describe('previous', () => {
  it('does not offer again the SQL that failed', async () => {
    const question = 'Show the names of stadiums in France.';
    const first = await answered(question, small.session);
    const previous = { sql: `${first.sql};`, error: 'no such table' };
    const second = await ask(question, small.session, { previous });
    expect(JSON.stringify(second)).not.toContain(JSON.stringify(first.sql));
    if (second.kind === 'answered') expect(second.sql).not.toBe(first.sql);
    else expect(second.kind).toBe('abstain');
  });
});

describe('bad input', () => {
  const cases: readonly (readonly [what: string, question: string, code: string])[] = [
    ['nothing', '', 'question.empty'],
    ['white space', ' \n\t ', 'question.empty'],
    ['100 kB', 'how many singers '.repeat(6_000), 'question.too-long'],
    ['100 kB without a space', 'x'.repeat(100_000), 'question.too-long'],
    ['SQL', 'SELECT * FROM singers', 'question.is-sql'],
    ['SQL that writes', 'DROP TABLE singers', 'question.is-sql'],
  ];
  it.each(cases)('%s is refused with a code, and leaves no record', async (_what, question, code) => {
    const folder = join(small.session.config.derivedDirectory, 'records');
    const before = await readdir(folder);
    expect(await codeOf(ask(question, small.session))).toBe(code);
    expect(await readdir(folder)).toEqual(before);
  });

  // How the time grows with the length is in `bench/question-latency.ts`; here only a search that never ends fails.
  it.each(['singers ', 'and the name of ', "'a' ", '1,000 ', 'between 3 and '])(
    '2,000 characters of “%s” have an outcome',
    async (unit) => {
      const question = unit.repeat(Math.floor(2_000 / unit.length)).trim();
      const { kind } = await ask(question, small.session, { record: false, execute: false });
      expect(['answered', 'abstain', 'reject', 'clarify', 'follow_up']).toContain(kind);
    },
    60_000,
  );
});

/** An answer as bytes, less the times that it took. */
function bytesOf(answer: Answer): string {
  return JSON.stringify({ ...answer, thinkMs: 0 }).replaceAll(/rows in \d+ ms/g, 'rows');
}

describe('the same question', () => {
  const questions = [
    'How many singers are there?',
    'Show the name of each singer and the number of songs.',
    'Which concerts took place recently?',
    'What was the ticket income in 2023?',
    'How many zebras are in the aquarium?',
  ];
  let other: SmallSession;
  beforeAll(async () => {
    other = await openSmallSession();
  });
  afterAll(() => other.close());

  it.each(questions)('gives the same bytes: “%s”', async (question) => {
    const wallClock = (): Date => new Date('2024-10-01T12:00:00Z');
    const nonce = (): string => 'n';
    const session = changedSession(small.session, { wallClock, nonce });
    const first = await ask(question, session);
    expect(bytesOf(await ask(question, session))).toBe(bytesOf(first));
    const again = await ask(
      question,
      changedSession(other.session, { config: session.config, wallClock, nonce }),
    );
    expect(bytesOf(again)).toBe(bytesOf(first));
  });
});

describe('a hint', () => {
  const question = 'Which singers are well paid?';

  it('explains words of the question, and the answer says so', async () => {
    expect((await ask(question, small.session)).kind).not.toBe('answered');
    const answer = await answered(question, small.session, { hint: 'well paid refers to salary > 4500' });
    expect(answer.rows.flat()).toEqual(['Bruno Costa', 'Farid Amrani']);
    const condition = answer.evidence.find(({ part }) => part.includes('4500'));
    expect(question.slice(condition?.questionSpan?.start, condition?.questionSpan?.end)).toBe('well paid');
  });

  it('says what of it was not understood', async () => {
    const hint = 'well paid refers to salary > 4500; gold is heavy';
    const { assumptions } = await answered(question, small.session, { hint });
    expect(assumptions).toContainEqual({
      ...{ kind: 'hint', id: 'hint' },
      text: expect.stringContaining('“gold is heavy”'),
    });
  });

  it('is recorded with the question', async () => {
    const hint = 'well paid refers to salary > 4500';
    const { recordId } = await ask(question, small.session, { hint });
    expect(await readRecord(small.session.config.derivedDirectory, recordId)).toMatchObject({
      question,
      hint,
    });
  });

  it.each([
    'well paid refers to salary > 4500 OR 1 = 1; DROP TABLE singers',
    'well paid refers to salary > (SELECT MAX(salary) FROM sqlite_master)',
    'well paid refers to writefile(name)',
    'well paid refers to secret_table.salary > 1',
  ])('is never SQL: “%s”', async (hint) => {
    const answer = await ask(question, small.session, { hint });
    expect(JSON.stringify(answer)).not.toMatch(/sqlite_master[^"]*"sql"|writefile\(/i);
    const sql = answer.kind === 'answered' ? answer.sql : '';
    expect(sql).not.toMatch(/drop|sqlite_master|writefile|secret_table/i);
  });
});
