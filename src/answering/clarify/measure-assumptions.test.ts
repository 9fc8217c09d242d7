import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedSession } from '../../../test/changed-session.ts';
import { openSmallSession, type SmallSession } from '../../../test/fixtures/grounded/open-small-session.ts';
import type { Answer, Answered, Assumption } from '../../answer.ts';
import { CandorError } from '../../errors.ts';
import { ask } from '../ask.ts';
import { type Measuring, measureAssumptions } from './measure-assumptions.ts';

let small: SmallSession;
beforeAll(async () => {
  small = await openSmallSession();
});
afterAll(() => small.close());

const RUN = { columns: ['n'], rows: [[10]], truncatedBy: null } as const;

function assumption(id: string, ...choices: readonly string[]): Assumption {
  return {
    kind: 'filter',
    id,
    text: id,
    alternatives: choices.map((choice) => ({ choice, label: choice })),
  };
}

function answer(rows: readonly (readonly number[])[]): Answer {
  const checks = [{ name: 'execute', passed: true }];
  return { kind: 'answered', columns: ['n'], rows, truncatedBy: null, checks } as unknown as Answer;
}

/** Answers with the number that the choice is called by. */
function measuring(changed: Partial<Measuring> = {}): Measuring {
  const askAssuming: Measuring['askAssuming'] = async (_, choice) => answer([[Number(choice)]]);
  return { session: small.session, askAssuming, signal: undefined, ...changed };
}

function effects(assumptions: readonly Assumption[]): unknown {
  return assumptions.map(({ id, alternatives = [] }) => [
    id,
    ...alternatives.map(({ effect }) => (effect?.kind === 'figure' ? effect.value : effect?.kind)),
  ]);
}

describe('the ledger of assumptions, measured', () => {
  it('puts the largest change first, and leaves out what changes nothing', async () => {
    const given = [
      assumption('a', '11', '10'),
      assumption('b', '10'),
      assumption('c', '30'),
      assumption('d'),
    ];
    expect(effects(await measureAssumptions(given, RUN, measuring()))).toEqual([['c', 30], ['a', 11], ['d']]);
  });

  it('runs the query that a model wrote for its choice', async () => {
    const written: Assumption = {
      kind: 'model',
      text: 'the living',
      alternatives: [{ choice: 'all', label: 'all', sql: 'SELECT COUNT(*) FROM singers' }],
    };
    const [measured] = await measureAssumptions([written], RUN, measuring());
    expect(measured?.alternatives?.[0]?.effect).toMatchObject({ kind: 'figure', value: 6, answered: 10 });
  });

  it.each<[string, Measuring['askAssuming'], string]>([
    [
      'is not answered then',
      async () => ({ kind: 'abstain' }) as Answer,
      'the question is not answered then',
    ],
    [
      'fails',
      async () => {
        throw new CandorError('database.too-expensive', 'It reads too much.');
      },
      'It reads too much.',
    ],
  ])('says of a choice that %s why it was not measured', async (_, askAssuming, because) => {
    const [measured] = await measureAssumptions([assumption('a', '1')], RUN, measuring({ askAssuming }));
    expect(measured?.alternatives?.[0]?.effect).toEqual({ kind: 'unmeasured', because });
  });

  it('says an assumption without the choice that its answer cannot take', async () => {
    const askAssuming: Measuring['askAssuming'] = async () => {
      throw new CandorError('question.assumption', 'This question does not take “a=1”.');
    };
    const [measured] = await measureAssumptions([assumption('a', '1')], RUN, measuring({ askAssuming }));
    expect(measured).toEqual({ kind: 'filter', id: 'a', text: 'a' });
  });

  it('runs a few choices at most', async () => {
    const many = assumption('a', ...Array.from({ length: 9 }, (_, at) => String(20 + at)));
    const [measured] = await measureAssumptions([many], RUN, measuring());
    const unmeasured = measured?.alternatives?.filter(({ effect }) => effect?.kind === 'unmeasured');
    expect([measured?.alternatives?.length, unmeasured?.length]).toEqual([9, 3]);
  });

  it('ends with what the person cancelled', async () => {
    const cancel = new AbortController();
    const askAssuming: Measuring['askAssuming'] = async () => {
      cancel.abort(new Error('stopped'));
      return answer([[1]]);
    };
    const measured = measureAssumptions(
      [assumption('a', '1')],
      RUN,
      measuring({ askAssuming, signal: cancel.signal }),
    );
    await expect(measured).rejects.toThrow('stopped');
  });
});

describe('an answer', () => {
  const QUESTION = 'How many singers are there?';

  async function answered(options: object = {}): Promise<Answered> {
    const { semantics } = small.session;
    const defaultFilter = { sql: 'singers.age > 30', text: 'without the young' };
    const singers = { name: 'singers', table: 'singers', synonyms: [], primaryKey: [], defaultFilter };
    const defined = changedSession(small.session, {
      semantics: { ...semantics, datasets: [singers] },
      knowledge: { ...small.session.knowledge, semantics: { ...semantics, datasets: [singers] } },
    });
    const found = await ask(QUESTION, defined, { record: false, ...options });
    if (found.kind !== 'answered') throw new Error(JSON.stringify(found));
    return found;
  }

  it('says what its default condition leaves out', async () => {
    const { rows, assumptions } = await answered();
    const [filter] = assumptions;
    const [lifted] = filter?.alternatives ?? [];
    expect(lifted).toMatchObject({ choice: 'none', effect: { kind: 'figure', value: 6 } });
    expect(lifted?.effect).toMatchObject({ answered: rows[0]?.[0] });
  });

  it.each([{ measure: false }, { execute: false }])('measures nothing with %j', async (options) => {
    const { assumptions } = await answered(options);
    expect(assumptions.flatMap(({ alternatives = [] }) => alternatives)).toHaveLength(1);
    expect(assumptions[0]?.alternatives?.[0]).not.toHaveProperty('effect');
  });
});
