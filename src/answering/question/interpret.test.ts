import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedSession } from '../../../test/changed-session.ts';
import { codeOf } from '../../../test/fixtures/code-of.ts';
import { openSmallSession, type SmallSession } from '../../../test/fixtures/grounded/open-small-session.ts';
import { scriptedModel } from '../../../test/models/scripted-model.ts';
import type { Answered } from '../../answer.ts';
import type { Session } from '../../session/project/session.ts';
import { readRecord } from '../../session/records/record.ts';
import { ask } from '../ask.ts';
import { replay } from '../replay.ts';

let small: SmallSession;
/** Figures are of the current year, and of concerts that sold something. */
let session: Session;
beforeAll(async () => {
  small = await openSmallSession();
  const { knowledge } = small.session;
  const semantics = {
    ...knowledge.semantics,
    timeRules: {
      ...knowledge.semantics.timeRules,
      defaultWindow: 'current-year' as const,
      isWritten: true as const,
    },
    datasets: knowledge.semantics.datasets.map((dataset) =>
      dataset.name === 'concerts'
        ? { ...dataset, defaultFilter: { sql: 'concerts.sales > 0', text: 'those that sold' } }
        : dataset,
    ),
  };
  session = changedSession(small.session, { semantics, knowledge: { ...knowledge, semantics } });
});
afterAll(() => small.close());

type Assume = Readonly<Record<string, string>>;

async function answered(question: string, assume: Assume = {}): Promise<Answered> {
  // What other choices would change is another test.
  const answer = await ask(question, session, { assume, measure: false });
  if (answer.kind !== 'answered') throw new Error(`${question}: ${JSON.stringify(answer)}`);
  return answer;
}

describe('the ledger of assumptions', () => {
  const cases: readonly (readonly [id: string, question: string, taken: string, other: string])[] = [
    ['time', 'ticket income by city', 'current-year', 'all'],
    ['filter.concerts', 'ticket income by city', 'on', 'none'],
    ['year', 'ticket income by city in March', '2024', '2023'],
    ['tie', 'Who is the youngest singer?', 'one', 'all'],
  ];
  it.each(cases)('%s of “%s” is %s, and can be %s', async (id, question, taken, other) => {
    const before = await answered(question);
    const said = before.assumptions.find((assumption) => assumption.id === id);
    expect(said).toMatchObject({ taken });
    expect(said?.alternatives?.map(({ choice }) => choice)).toContain(other);

    const after = await answered(question, { [id]: other });
    expect(after.sql).not.toBe(before.sql);
    const now = after.assumptions.find((assumption) => assumption.id === id);
    // What the question itself says now is no assumption any more.
    if (id === 'year') expect([now, after.readAs]).toEqual([undefined, `${question} 2023`]);
    else expect(now).toMatchObject({ taken: other });
  });

  it('taking what is taken changes nothing', async () => {
    const question = 'ticket income by city';
    const { sql } = await answered(question);
    expect((await answered(question, { time: 'current-year', 'filter.concerts': 'on' })).sql).toBe(sql);
  });

  it('changes several at once', async () => {
    const { sql } = await answered('ticket income by city', { time: 'all', 'filter.concerts': 'none' });
    expect(sql).not.toMatch(/sales > 0|2024/);
  });

  it('gives every entry an id of its own', async () => {
    const { assumptions } = await answered('ticket income by city in March');
    const ids = assumptions.map(({ id }) => id);
    expect(ids).not.toContain(undefined);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([[{ time: 'never' }], [{ tie: 'all' }], [{ nothing: 'such' }]])(
    'refuses %j where it is not taken',
    async (assume) => {
      expect(await codeOf(ask('ticket income by city', session, { assume }))).toBe('question.assumption');
    },
  );

  it('is not for what a model takes for granted', async () => {
    const models = async () => ({ answers: scriptedModel(() => undefined) });
    const asked = ask('ticket income by city', changedSession(session, { models }), {
      assume: { time: 'all' },
    });
    expect(await codeOf(asked)).toBe('question.assumption');
  });

  it('is recorded and replayed', async () => {
    const { recordId } = await answered('ticket income by city', { time: 'all' });
    const record = await readRecord(session.config.derivedDirectory, recordId);
    expect(record.assume).toEqual({ time: 'all' });
    expect(await replay(recordId, session)).toMatchObject({ same: true });
  });
});
