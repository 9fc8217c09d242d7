import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedSession } from '../../../test/changed-session.ts';
import { codeOf } from '../../../test/fixtures/code-of.ts';
import { openSmallSession, type SmallSession } from '../../../test/fixtures/grounded/open-small-session.ts';
import { tinyModel } from '../../../test/fixtures/uncertainty/tiny-model.ts';
import type { Candidate } from '../../generation/index.ts';
import { lazyScoring } from '../../session/project/open-scoring.ts';
import type { Session } from '../../session/project/session.ts';
import { listRecords } from '../../session/records/record.ts';
import {
  type AnswerLabel,
  BROKEN_RISK,
  BUILT_IN_WRITER,
  fitProjectRisk,
  writeProjectRisk,
} from '../../uncertainty/index.ts';
import { ask } from '../ask.ts';
import { replay } from '../replay.ts';
import { assessAnswer } from './assess-risk.ts';

let small: SmallSession;
let session: Session;
/** With a model whose file is damaged. */
let broken: Session;
beforeAll(async () => {
  small = await openSmallSession();
  const { config, catalog } = small.session;
  await writeFile(join(config.derivedDirectory, 'uncertainty.model'), await tinyModel(catalog));
  session = changedSession(small.session, { scoring: lazyScoring(small.session, config) });
  await writeFile(join(small.folder, 'uncertainty.model'), 'half of a mod');
  broken = changedSession(small.session, {
    scoring: lazyScoring(small.session, { derivedDirectory: small.folder }),
  });
}, 60_000);
afterAll(() => small.close());

const QUESTION = 'How many singers are there?';

function candidate(sql: string): Candidate {
  const evidence = [
    { sqlSpan: { start: 7, end: 11 }, part: 'nmae', certainty: 'stated', why: 'its name' },
    {
      sqlSpan: { start: sql.indexOf('age'), end: sql.indexOf('age') + 3 },
      part: 'age',
      certainty: 'stated',
      why: '',
    },
  ] as const;
  return { sql, explanation: '', probability: 0.9, evidence, assumptions: [] };
}

describe('assessAnswer', () => {
  it('gives a risk and the parts that stand out, five at most', async () => {
    const sql = 'SELECT phone_number, salary, age, country FROM singers ORDER BY singer_id LIMIT 3';
    const request = { question: QUESTION, targetRisk: undefined };
    const scored = await assessAnswer(candidate(sql), session, request);
    if (scored.kind !== 'scored') throw new Error(scored.kind);
    expect(scored.candidate.sql).toBe(sql);
    expect(scored.risk.units.length).toBeGreaterThan(0);
    expect(scored.risk.units.length).toBeLessThanOrEqual(5);
    for (const { sqlSpan, text } of scored.risk.units)
      expect(sql.slice(sqlSpan.start, sqlSpan.end)).toBe(text);
  });

  it('is surer of nothing that breaks a definition, whatever the scorer says', async () => {
    const { semantics } = session;
    const valueMappings = [{ column: 'singers.country', value: 'France', surface: ['French'] }];
    const defined = changedSession(session, { semantics: { ...semantics, valueMappings } });
    const request = { question: 'How many French singers are there?', targetRisk: undefined };
    const sql = "SELECT count(*) FROM singers WHERE country = 'Spain'";
    const right = sql.replace('Spain', 'France');
    const [before, after, meant, plain, verified] = await Promise.all([
      assessAnswer(candidate(sql), session, request),
      assessAnswer(candidate(sql), defined, request),
      assessAnswer(candidate(right), defined, request),
      assessAnswer(candidate(right), session, request),
      assessAnswer(candidate(sql), defined, { ...request, isVerified: true }),
    ]);
    if (before.kind !== 'scored' || after.kind !== 'scored') throw new Error(after.kind);
    expect(after.risk.queryRisk).toBeCloseTo(1 - (1 - before.risk.queryRisk) * (1 - BROKEN_RISK), 9);
    expect(after.risk.action).toBe('warn');
    expect(meant).toEqual(plain);
    expect(verified).toEqual(before);
    // With a target it is an answer without a warning for none.
    const targeted = await assessAnswer(candidate(sql), defined, { ...request, targetRisk: 1 });
    expect(targeted).toMatchObject({ kind: 'scored', risk: { action: 'warn' } });
  });

  it('withholds what is too risky for the target, and names the weakest part', async () => {
    const scored = await assessAnswer(candidate('SELECT name FROM stadiums'), session, {
      question: QUESTION,
      targetRisk: 0.001,
    });
    expect(scored).toMatchObject({ kind: 'withheld', reason: expect.stringContaining('Too likely wrong') });
  });

  it('tries a repair first, and moves the evidence behind it along', async () => {
    const scored = await assessAnswer(candidate('SELECT nmae FROM singers WHERE age = 7'), session, {
      question: 'How many singers have age 7?',
      targetRisk: 0.99,
    });
    if (scored.kind !== 'scored') throw new Error(JSON.stringify(scored));
    expect(scored.candidate.sql).toBe('SELECT name FROM singers WHERE age = 7');
    expect(scored.candidate.evidence.map(({ part }) => part)).toEqual(['age']);
  });

  it('costs no answer where the model cannot be opened, unless a target was set', async () => {
    const given = candidate('SELECT name FROM singers');
    const scored = await assessAnswer(given, broken, { question: QUESTION, targetRisk: undefined });
    expect(scored).toMatchObject({
      kind: 'unassessed',
      because: expect.stringContaining('uncertainty.model-invalid'),
    });
    const held = assessAnswer(given, broken, { question: QUESTION, targetRisk: 0.1 });
    expect(await codeOf(held)).toBe('uncertainty.model-invalid');
  });
});

describe('labelled answers of a project', () => {
  const SQLS = ['SELECT COUNT(*) FROM singers', 'SELECT name FROM singers', 'SELECT country FROM stadiums'];
  const target = { question: QUESTION, targetRisk: 1 };

  /** The session after so many answers of the engine, each wrong or right, were labelled. */
  async function labelled(count: number, isWrong: boolean): Promise<Session> {
    const { config } = small.session;
    const { modelId } = await session.scoring();
    const labels = Array.from({ length: count }, (_, at): AnswerLabel => {
      const told = { risk: 0.2 + at / 1000, isWrong, from: 'test', writer: BUILT_IN_WRITER } as const;
      return { ...told, question: `question ${at}`, model: modelId, at: '2026-11-28T12:00:00.000Z' };
    });
    const fitted = fitProjectRisk(labels, modelId);
    await writeProjectRisk(config.derivedDirectory, fitted, { model: modelId, at: new Date(0) });
    return changedSession(session, { scoring: lazyScoring(small.session, config) });
  }

  const risksOf = (asked: Session, writtenBy?: string) =>
    Promise.all(
      SQLS.map(async (sql) => {
        const scored = await assessAnswer(candidate(sql), asked, {
          ...target,
          ...(writtenBy && { writtenBy }),
        });
        if (scored.kind !== 'scored') throw new Error(scored.kind);
        return scored.risk;
      }),
    );

  it('move the risk of their writer, keep its order, and are counted in what it rests on', async () => {
    const before = await risksOf(session, BUILT_IN_WRITER);
    for (const [isWrong, sign] of [
      [true, 1],
      [false, -1],
    ] as const) {
      const project = await labelled(40, isWrong);
      const after = await risksOf(project, BUILT_IN_WRITER);
      for (const [at, risk] of after.entries()) {
        const shipped = before[at]?.queryRisk ?? 0;
        expect(Math.sign(risk.queryRisk - shipped)).toBe(sign);
        expect(risk.shipped?.risk).toBe(shipped);
        for (const { probability } of risk.units) expect(probability).toBeLessThanOrEqual(risk.queryRisk);
      }
      const order = (risks: typeof before) =>
        SQLS.toSorted((one, other) => {
          const of = (sql: string) => risks[SQLS.indexOf(sql)]?.queryRisk ?? 0;
          return of(one) - of(other);
        });
      expect(order(after)).toEqual(order(before));
      expect(after[0]?.basis).toMatchObject({ own: 40, measured: (before[0]?.basis?.measured ?? 0) + 40 });
      // Who has written what a person brings is not known.
      expect(await risksOf(project)).toEqual(await risksOf(session));
    }
  });

  it('change nothing while they are too few', async () => {
    expect(await risksOf(await labelled(29, true), BUILT_IN_WRITER)).toEqual(
      await risksOf(session, BUILT_IN_WRITER),
    );
  });

  it('promise a target, or are said to be too few', async () => {
    const project = await labelled(100, false);
    const held = { question: QUESTION, targetRisk: 0.2, writtenBy: BUILT_IN_WRITER };
    const [sql = ''] = SQLS;
    const own = await assessAnswer(candidate(sql), project, held);
    expect(own).toMatchObject({ kind: 'scored', risk: { promise: { target: 0.2, isOwn: true } } });
    const careful = await assessAnswer(candidate(sql), project, { ...held, targetRisk: 0.001 });
    expect(careful).toMatchObject({
      kind: 'withheld',
      reason: expect.stringMatching(
        /to promise that of this project, [\d,]+ more labelled answers are needed/,
      ),
    });
  });
});

describe('ask', () => {
  it('says the risk of its answer and keeps it in the record', async () => {
    const answer = await ask(QUESTION, session);
    if (answer.kind !== 'answered') throw new Error(answer.kind);
    expect(answer.risk?.queryRisk).toBeGreaterThan(0);
    const record = (await listRecords(session.config.derivedDirectory)).find(
      ({ id }) => id === answer.recordId,
    );
    expect(record?.risk).toEqual({
      queryRisk: answer.risk?.queryRisk,
      action: answer.risk?.action,
      shipped: answer.risk?.shipped,
    });
    expect(answer.risk?.shipped).toMatchObject({ risk: answer.risk?.queryRisk, writer: BUILT_IN_WRITER });
    expect(record).not.toHaveProperty('targetRisk');
  });

  it('abstains from what is too risky, and a replay holds it to the same target', async () => {
    const answer = await ask(QUESTION, session, { targetRisk: 0.001 });
    if (answer.kind !== 'abstain') throw new Error(answer.kind);
    expect(answer.candidates[0]?.sql).toBe('SELECT COUNT(*) FROM singers');
    expect(await replay(answer.recordId, session)).toMatchObject({ same: true });
  });

  it('takes the target of the project, and null for none', async () => {
    const careful = changedSession(session, { config: { ...session.config, targetRisk: 0.001 } });
    expect((await ask(QUESTION, careful)).kind).toBe('abstain');
    const answer = await ask(QUESTION, careful, { targetRisk: null });
    expect(answer.kind).toBe('answered');
    expect(await replay(answer.recordId, careful)).toMatchObject({ same: true });
  });

  it('answers unassessed where the model cannot be opened', async () => {
    const answer = await ask(QUESTION, broken);
    expect(answer).toMatchObject({
      kind: 'answered',
      unassessed: expect.stringContaining('uncertainty.model-invalid'),
    });
    expect(answer).not.toHaveProperty('risk');
  });
});
