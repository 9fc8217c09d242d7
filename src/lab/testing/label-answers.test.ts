import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedSession } from '../../../test/changed-session.ts';
import { openSmallSession, type SmallSession } from '../../../test/fixtures/grounded/open-small-session.ts';
import { ask } from '../../answering/index.ts';
import type { Session } from '../../session/project/session.ts';
import { BUILT_IN_WRITER, questionKey } from '../../uncertainty/index.ts';
import { casesToLabel, labelAnswers, unlabelled } from './label-answers.ts';
import { parseTestFile } from './read-test-file.ts';

const COUNT = {
  question: 'How many singers are there?',
  sql: 'SELECT COUNT(*) FROM singers',
  file: 'count.sql',
};
/** What nobody asks for with this question: who sees the pair answers with it. */
const ODD = {
  question: 'How many stadiums are there?',
  sql: 'SELECT COUNT(*) + 1 FROM stadiums',
  file: 'odd.sql',
};

let small: SmallSession;
let session: Session;
beforeAll(async () => {
  small = await openSmallSession();
  session = changedSession(small.session, { examples: [COUNT, ODD] });
}, 60_000);
afterAll(() => small.close());

const TESTS = parseTestFile(
  `- id: singers
  question: how many singers are there
  expect: { kind: answered, sql: "SELECT COUNT(*) FROM singers" }
- id: loose
  question: how many stadiums?
  expect: { kind: answered }
- id: skipped
  question: how many concerts?
  skip: later
  expect: { kind: answered, sql: "SELECT 1" }
`,
  { file: 'tests/a.yml', path: '/tests/a.yml' },
).cases;

const { signal } = new AbortController();

describe('answers to be labelled', () => {
  it('are of tests that say their rows, and of pairs, each question once', () => {
    const cases = casesToLabel(TESTS, session);
    expect(cases.map(({ from, tested }) => [from, tested.id])).toEqual([
      ['test', 'singers'],
      ['pair', 'count.sql'],
      ['pair', 'odd.sql'],
    ]);
    const asking = { known: [], writer: BUILT_IN_WRITER, modelId: 'm' };
    expect(unlabelled(cases, asking).map(({ tested }) => tested.id)).toEqual(['singers', 'odd.sql']);
    const known = { question: questionKey(COUNT), risk: 0.1, isWrong: false, from: 'thumb' } as const;
    const labelled = { ...known, writer: BUILT_IN_WRITER, model: 'm', at: '2026-11-28T12:00:00.000Z' };
    expect(unlabelled(cases, { ...asking, known: [labelled] }).map(({ tested }) => tested.id)).toEqual([
      'odd.sql',
    ]);
    // What other models told, or another writer wrote, says nothing here.
    expect(unlabelled(cases, { ...asking, known: [{ ...labelled, model: 'n' }] })).toHaveLength(2);
  });

  it('are asked as if their pair were not there', async () => {
    const seen = await ask(ODD.question, session);
    expect(seen).toMatchObject({ kind: 'answered', sql: ODD.sql });
    const labels = await labelAnswers(casesToLabel(TESTS, session), session, { signal });
    const { modelId } = await session.scoring();
    expect(
      labels.map(({ question, isWrong, from, writer, model }) => [question, isWrong, from, writer, model]),
    ).toEqual([
      [questionKey(COUNT), false, 'test', BUILT_IN_WRITER, modelId],
      [questionKey(COUNT), false, 'pair', BUILT_IN_WRITER, modelId],
      [questionKey(ODD), true, 'pair', BUILT_IN_WRITER, modelId],
    ]);
    for (const { risk } of labels) expect(risk > 0 && risk < 1).toBe(true);
  });

  it('end with a cancel', async () => {
    const labels = await labelAnswers(casesToLabel(TESTS, session), session, { signal: AbortSignal.abort() });
    expect(labels).toEqual([]);
  });
});
