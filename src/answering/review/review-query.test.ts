import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedSession } from '../../../test/changed-session.ts';
import { codeOf } from '../../../test/fixtures/code-of.ts';
import { openSmallSession, type SmallSession } from '../../../test/fixtures/grounded/open-small-session.ts';
import { tinyModel } from '../../../test/fixtures/uncertainty/tiny-model.ts';
import { readEdits } from '../../knowledge/authored/index.ts';
import { lazyScoring } from '../../session/project/open-scoring.ts';
import type { Session } from '../../session/project/session.ts';
import { reviewQuery } from './review-query.ts';
import { saveCorrection } from './save-correction.ts';

let small: SmallSession;
let session: Session;
beforeAll(async () => {
  small = await openSmallSession();
  const { config, catalog } = small.session;
  await writeFile(join(config.derivedDirectory, 'uncertainty.model'), await tinyModel(catalog));
  // A review that ran its query would fail here.
  const database = { ...small.session.database, query: () => Promise.reject(new Error('it was run')) };
  session = changedSession(small.session, { database, scoring: lazyScoring(small.session, config) });
}, 60_000);
afterAll(() => small.close());

describe('reviewQuery', () => {
  it('says how likely every part of any query is wrong, and runs nothing', async () => {
    const { assessment, faults } = await reviewQuery(' SELECT name FROM singers WHERE age > 30;\n', session, {
      question: 'Which singers are older than 30?',
    });
    expect(faults).toEqual([]);
    expect(assessment.sql).toBe('SELECT name FROM singers WHERE age > 30;');
    expect(assessment.nodes.length).toBeGreaterThan(8);
    for (const { probability } of assessment.nodes) expect(probability >= 0 && probability <= 1).toBe(true);
    expect(assessment.queryRisk).toBeGreaterThan(0);
    expect(assessment.queryRisk).toBeLessThan(1);
  });

  it('works without a question', async () => {
    const { assessment } = await reviewQuery('SELECT COUNT(*) FROM stadiums', session);
    expect(assessment.unreadBecause).toBeUndefined();
  });

  it('has a result for what is no SQL, with the place where it stops', async () => {
    const { assessment, decision, stopsAt } = await reviewQuery('SELECT name\nFROM WHERE', session);
    expect(assessment).toMatchObject({ queryRisk: 1, unreadBecause: 'does not parse' });
    expect(stopsAt).toMatchObject({ line: 2, column: 6 });
    expect(decision.action).toBe('abstain');
  });

  it('is certain of what the engine would refuse, and offers what rules can mend', async () => {
    const { assessment, decision, repair } = await reviewQuery('SELECT nmae FROM singers', session, {
      repair: true,
    });
    expect(assessment.queryRisk).toBe(1);
    expect(assessment.units[0]).toMatchObject({ text: 'nmae', probability: 1 });
    expect(decision.action).toBe('repair');
    expect(repair).toMatchObject({
      sql: 'SELECT name FROM singers',
      changes: [{ from: 'nmae', to: 'name' }],
      verdict: { isAccepted: true },
    });
    expect(repair?.assessment.queryRisk).toBeLessThan(1);
  });

  it('does not repair what it was not asked to', async () => {
    const { decision, repair } = await reviewQuery('SELECT nmae FROM singers', session);
    expect(repair).toBeUndefined();
    expect(decision.action).toBe('abstain');
  });

  it('never lets through what does more than read', async () => {
    const { unsafe, decision } = await reviewQuery('DELETE FROM singers', session, { targetRisk: 0.99 });
    expect(unsafe).toContain('DELETE');
    expect(decision.action).toBe('abstain');
  });

  it.each([
    ['SELEC name FROM singers', 'SELECT is spelt like it'],
    ['how many singers', 'a statement that begins with how is not a query'],
  ])('says of %s that it is no query, not that it writes', async (sql, reason) => {
    const { decision, unsafe } = await reviewQuery(sql, session);
    expect(decision).toMatchObject({ action: 'abstain', reason: expect.stringContaining(reason) });
    expect(unsafe).not.toContain('more than read');
  });

  it('says which words of the question no part of the query answers to', async () => {
    const { unused } = await reviewQuery('SELECT COUNT(*) FROM singers', session, {
      question: 'How many singers from France are there?',
    });
    expect(unused.map(({ text }) => text)).toEqual(['France']);
    expect((await reviewQuery('SELECT COUNT(*) FROM singers', session)).unused).toEqual([]);
  });

  it('names a part of whatever it does not answer, and says what its risk rests on', async () => {
    const { decision, parts, basis } = await reviewQuery('SELECT name FROM singers', session, {
      targetRisk: 0.001,
    });
    expect(decision.action).not.toBe('answer');
    expect(parts.length).toBeGreaterThan(0);
    expect(basis?.of).toBeGreaterThanOrEqual(basis?.wrong ?? 0);
  });

  it('holds the query against what the project has defined', async () => {
    const sql = (figure: string): string =>
      `SELECT s.city, ${figure} FROM concerts c JOIN stadiums s ON s.stadium_id = c.stadium_id GROUP BY s.city`;
    const options = { question: 'What is the ticket income by city?', targetRisk: 0.99 };
    const kept = await reviewQuery(sql('SUM(c.sales)'), session, options);
    const broken = await reviewQuery(sql('AVG(c.sales)'), session, options);
    expect([kept.broken.length, broken.broken.length]).toEqual([0, 1]);
    expect(broken.decision.action).not.toBe('answer');
    expect(broken.assessment.queryRisk).toBeGreaterThan(kept.assessment.queryRisk);
    expect(broken.passesAt).toBeUndefined();
  });

  it('takes targets at the ends of their range', async () => {
    for (const targetRisk of [0.001, 0.5, 0.999])
      expect(
        (await reviewQuery('SELECT name FROM singers', session, { targetRisk })).decision.r1 ?? 0,
      ).toBeLessThanOrEqual(1);
  });

  it('fails with what to do where the model of the project is damaged', async () => {
    const damaged = { derivedDirectory: small.folder };
    await writeFile(join(small.folder, 'uncertainty.model'), 'half of a mod');
    const scoring = lazyScoring(small.session, damaged);
    expect(await codeOf(reviewQuery('SELECT 1', changedSession(session, { scoring })))).toBe(
      'uncertainty.model-invalid',
    );
  });
});

describe('saveCorrection', () => {
  const QUESTION = 'How many stadiums?';
  const AT = new Date('2026-01-31T12:00:00Z');
  const store = async (sql: string, corrected: string) =>
    saveCorrection({ question: QUESTION, sql, corrected, at: AT }, session, (await session.scoring()).schema);

  it('keeps a corrected query with its question', async () => {
    const edit = { sql: 'SELECT COUNT(*) FROM singers', corrected: 'SELECT COUNT(*) FROM stadiums' };
    expect(await store(`${edit.sql} ;`, ` ${edit.corrected};; -- stadiums`)).toEqual({
      file: 'knowledge/edits.jsonl',
      isNew: true,
    });
    expect(await store(edit.sql, edit.corrected)).toMatchObject({ isNew: false });
    expect(await readEdits(session.config.knowledgeDirectory)).toMatchObject([
      { question: QUESTION, ...edit, at: '2026-01-31T12:00:00.000Z' },
    ]);
  });

  it.each([
    ['a query that is no SQL', 'SELECT FROM', 'SELECT 1', 'the query does not parse'],
    ['a correction that is no SQL', 'SELECT 1', 'SELECT FROM', 'the corrected query does not parse'],
    ['a correction that changes data', 'SELECT 1', 'DROP TABLE singers', 'the corrected query'],
    ['a correction that would not run', 'SELECT 1', 'SELECT nmae FROM singers', 'nmae'],
    ['the same in other words', 'SELECT name FROM singers', 'select s.name from singers s', 'the same'],
  ])('refuses %s', async (_, sql, corrected, message) => {
    await expect(store(sql, corrected)).rejects.toMatchObject({
      code: 'review.refused',
      message: expect.stringContaining(message),
    });
  });
});
