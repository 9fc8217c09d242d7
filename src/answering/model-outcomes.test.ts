/** The five outcomes of a model, and what each goes through before it stands. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedSession } from '../../test/changed-session.ts';
import { openSmallSession, type SmallSession } from '../../test/fixtures/grounded/open-small-session.ts';
import { scriptedModel, textOf } from '../../test/models/scripted-model.ts';
import type { AskOptions } from './answer/answer-context.ts';
import { samePair } from './answer-with-pair.ts';
import { ask } from './ask.ts';

let small: SmallSession;
beforeAll(async () => {
  small = await openSmallSession();
});
afterAll(async () => small.close());

const PAIR = {
  question: 'How many singers come from France?',
  sql: "SELECT COUNT(*) FROM singers WHERE country = 'France'",
  verifiedBy: 'ana',
  verifiedAt: '2026-03-01',
  file: 'singers-from-france.sql',
};

/** Replies in order, the last one again and again. */
async function askModel(
  question: string,
  replies: readonly object[],
  isWithPair = false,
  options: Pick<AskOptions, 'previous' | 'goesOn'> = {},
) {
  const model = scriptedModel((_, index) => JSON.stringify(replies[Math.min(index, replies.length - 1)]));
  const session = changedSession(small.session, {
    models: async () => ({ answers: model }),
    ...(isWithPair && { examples: [PAIR] }),
  });
  return { answer: await ask(question, session, options), prompts: model.requests.map(textOf) };
}

const COUNT = 'SELECT COUNT(*) FROM singers';
const ANSWER = { thinking: 'all of them', outcome: 'answered', title: 'Singers', sql: COUNT };

describe('an answer', () => {
  const open = (ofTen: number): object => ({
    ...ANSWER,
    assumptions: [
      {
        ...{ text: 'all ages', phrase: 'singers', of_ten: ofTen },
        choices: [{ label: 'the old', sql: `${COUNT} WHERE age >= 40` }],
      },
    ],
  });

  it('that turns on what the words leave open becomes a question back, with what each reading comes to', async () => {
    const { answer } = await askModel('How many singers are there?', [open(5)]);
    expect(answer).toMatchObject({
      ...{ kind: 'clarify', phrase: 'singers' },
      options: [
        { label: 'all ages', question: 'How many singers are there? (all ages)', sql: COUNT },
        { label: expect.stringMatching(/^the old: \d instead of 6, −\d+ %$/) },
      ],
    });
  });

  it('that goes on from one whose assumptions were seen is given, and says them again', async () => {
    const { answer } = await askModel('How many singers are there?', [open(5)], false, { goesOn: true });
    expect(answer).toMatchObject({ kind: 'answered', assumptions: [{ text: 'all ages', likely: 0.5 }] });
  });

  it('that most people mean so says what it assumes', async () => {
    const { answer } = await askModel('How many singers are there?', [open(7)]);
    expect(answer).toMatchObject({
      kind: 'answered',
      assumptions: [{ text: 'all ages', phrase: 'singers', likely: 0.7 }],
    });
  });

  it('has a title, assumptions with their choices, and the words that were left', async () => {
    const { answer } = await askModel('How many lovely singers are above average?', [
      {
        ...ANSWER,
        assumptions: [{ text: 'all ages', choices: [{ label: 'the old', sql: `${COUNT} WHERE age >= 40` }] }],
        unused: [{ text: 'lovely', why: 'nothing tells who is' }],
      },
    ]);
    expect(answer).toMatchObject({
      kind: 'answered',
      explanation: 'Singers',
      assumptions: [
        {
          kind: 'model',
          text: 'all ages',
          alternatives: [
            { label: 'the old', sql: expect.any(String), effect: { kind: 'figure', answered: 6 } },
          ],
        },
      ],
      // What the model says, and what the ledger finds beside it.
      unused: [
        { text: 'lovely', why: 'nothing tells who is' },
        { text: 'above', why: 'nothing is compared so' },
        { text: 'average', why: 'no average is computed' },
      ],
    });
  });

  it('mends a query that somebody has: the model sees it, and what the engine said', async () => {
    const previous = { sql: 'SELECT COUNT(*) FROM singer WHERE 1 = 1', error: 'no such table: singer' };
    const { answer, prompts } = await askModel('This does not run, put it right', [ANSWER], false, {
      previous,
    });
    expect(prompts[0]).toContain(previous.sql);
    expect(prompts[0]).toContain(previous.error);
    expect(answer).toMatchObject({ kind: 'answered', sql: COUNT });
  });

  it('is that of a verified pair which the model names', async () => {
    const reply = { thinking: 'the same', outcome: 'answered', pair: 1 };
    const { answer, prompts } = await askModel('Count the French singers, will you', [reply], true);
    expect(prompts[0]).toContain(`1. ${PAIR.question}`);
    expect(answer).toMatchObject({
      kind: 'answered',
      sql: PAIR.sql,
      verified: { question: PAIR.question, by: 'ana', at: '2026-03-01', place: PAIR.file },
    });
  });

  it('is that of the pair for this very question, and no model is asked', async () => {
    const { answer, prompts } = await askModel('how many singers come from  france', [ANSWER], true);
    expect(prompts).toEqual([]);
    expect(answer).toMatchObject({ kind: 'answered', sql: PAIR.sql, verified: { by: 'ana' } });
  });

  it.each([
    ['Which singers have an age ≥ 30?', 'Which singers have an age ≤ 30?'],
    ['Which singers have age != 30?', 'Which singers have age = 30?'],
    ['Which concerts begin at 10:30?', 'Which concerts begin at 10, 30?'],
    ['Who sings in C#?', 'Who sings in C?'],
    ['Which balance is under −5?', 'Which balance is under 5?'],
    ['What costs more than ¥100?', 'What costs more than ₹100?'],
  ])('is not that of a pair whose signs ask for something else: %s', (asked, verified) => {
    const pairs = [{ ...PAIR, question: verified }];
    expect(samePair(asked, pairs, {})).toBeUndefined();
    expect(samePair(` ${verified.toUpperCase().replace('?', ' !')}`, pairs, {})).toBe(pairs[0]);
  });

  it('is that of no pair which says another number, however often the model names it', async () => {
    const reply = { thinking: 'the same', outcome: 'answered', pair: 1 };
    const { answer, prompts } = await askModel('Count the French singers of 2024, will you', [reply], true);
    expect(prompts[1]).toContain('it does not say 2024');
    expect(answer).toMatchObject({
      kind: 'answered',
      assumptions: [{ text: expect.stringContaining('it does not say 2024') }],
    });
    expect(answer).not.toHaveProperty('verified');
  });

  it('offers no choice whose query does not pass the checks', async () => {
    const choices = [
      { label: 'none', sql: 'DELETE FROM singers' },
      { label: 'elsewhere', sql: 'SELECT * FROM payroll' },
      { label: 'the old', sql: `${COUNT} WHERE age >= 40` },
    ];
    const { answer } = await askModel('How many lovely singers are above average?', [
      { ...ANSWER, assumptions: [{ text: 'all ages', choices }] },
    ]);
    expect(answer).toMatchObject({
      assumptions: [{ text: 'all ages', alternatives: [{ label: 'the old' }] }],
    });
  });

  it('is asked for again where the pair is not there', async () => {
    const { answer, prompts } = await askModel('How many singers are lucky?', [
      { outcome: 'answered', pair: 7 },
      ANSWER,
    ]);
    expect(prompts[1]).toContain('there is no verified pair 7');
    expect(answer).toMatchObject({ kind: 'answered', sql: COUNT });
  });
});

describe('a question back', () => {
  const options = [
    { label: 'by age', question: 'Which singer is the oldest?', sql: 'SELECT MAX(age) FROM singers' },
    { label: 'by number', question: 'How many singers are there?', sql: COUNT },
  ];
  const asked = { outcome: 'clarify', phrase: 'greatest', gap: 'term', ask: 'Greatest in what?', options };

  it('stands where its options differ', async () => {
    const { answer } = await askModel('Who is the greatest?', [asked]);
    expect(answer).toMatchObject({ kind: 'clarify', phrase: 'greatest', ask: 'Greatest in what?', options });
  });

  it('is answered where they all give the same', async () => {
    const same = [options[1], { ...options[1], label: 'all', sql: `${COUNT} WHERE 1 = 1` }];
    const { answer } = await askModel('Who is the greatest?', [{ ...asked, options: same }]);
    expect(answer).toMatchObject({
      kind: 'answered',
      sql: COUNT,
      assumptions: [{ text: expect.stringContaining('the same rows') }],
    });
  });

  it('is asked for again where its options cannot be run', async () => {
    const broken = options.map((option) => ({ ...option, sql: 'SELECT nothing FROM nowhere' }));
    const { answer, prompts } = await askModel('Who is the greatest?', [
      { ...asked, options: broken },
      ANSWER,
    ]);
    expect(prompts[1]).toContain('against your last reply');
    expect(answer.kind).toBe('answered');
  });

  it('offers no query that does not pass the checks, though the model insists', async () => {
    const writing = [...options, { label: 'all', sql: 'DELETE FROM singers' }].map((option) => ({
      ...option,
      sql: option.label === 'by age' ? option.sql : 'DROP TABLE singers',
    }));
    const { answer, prompts } = await askModel('Who is the greatest?', [{ ...asked, options: writing }]);
    expect(prompts).toHaveLength(2);
    expect(answer).toMatchObject({ kind: 'clarify', options: [{ label: 'by age' }] });
    expect(JSON.stringify(answer)).not.toContain('DROP');
  });

  it.each([
    ['nothing', ['', ' ']],
    ['the same', ['by age', 'By age ']],
  ])('is asked for again where its options are called %s', async (_, labels) => {
    const alike = labels.map((label, at) => ({ ...options[at]!, label }));
    const { answer, prompts } = await askModel('Who is the greatest?', [
      { ...asked, options: alike },
      ANSWER,
    ]);
    expect(prompts[1]).toContain('labels of their own');
    expect(answer.kind).toBe('answered');
  });

  it('is none where the outcome is none that there is, though a query stands beside it', async () => {
    const { answer, prompts } = await askModel('Who is the greatest?', [
      { outcome: 'abstain', sql: 'SELECT 1' },
      ANSWER,
    ]);
    expect(prompts[1]).toContain('outcome: it is answered');
    expect(answer).toMatchObject({ kind: 'answered', sql: COUNT });
  });

  it('is a follow-up only where the metric demands the dimension', async () => {
    const lacking = {
      outcome: 'follow_up',
      metric: 'age',
      dimension: 'planet',
      ask: 'Which planet?',
      options,
    };
    const { answer } = await askModel('How old are they, by and large?', [lacking]);
    expect(answer).toMatchObject({ kind: 'clarify', ask: 'Which planet?' });
  });
});

describe('a refusal', () => {
  const refusal = {
    outcome: 'reject',
    reason: 'scope',
    missing: 'boats',
    message: 'nobody says who owns one',
  };

  it('stands where no search finds what is missing', async () => {
    const { answer, prompts } = await askModel('Which singers own a boat?', [refusal]);
    expect(answer).toMatchObject({ kind: 'reject', reason: 'scope', missing: 'boats' });
    expect(prompts).toHaveLength(1);
  });

  it('of the short contract stands where the engine does not know the word either', async () => {
    const model = {
      ...scriptedModel(() => '<answer>Nobody says who owns a yacht.</answer>'),
      contract: 'short' as const,
    };
    const session = changedSession(small.session, { models: async () => ({ answers: model }) });
    expect(await ask('How many singers own a yacht?', session)).toMatchObject({
      kind: 'reject',
      missing: expect.stringContaining('yacht'),
      message: 'Nobody says who owns a yacht.',
    });
    expect(model.requests).toHaveLength(1);
    const answerable = await ask('How many singers come from France?', session);
    expect(answerable.kind).not.toBe('reject');
  });

  it.each([
    ['a greeting', 'Hello, how are you?', { missing: '' }],
    [
      'with its reason in brackets',
      'Which boats are there?',
      { missing: 'boats (no table speaks of what singers own, nor of harbours)' },
    ],
  ])('stands at once: %s', async (_, question, said) => {
    const { answer, prompts } = await askModel(question, [{ ...refusal, ...said }]);
    expect(answer).toMatchObject({ kind: 'reject', reason: 'scope' });
    expect(prompts).toHaveLength(1);
  });

  it.each(['How many singers come from France?', 'How many concerts were there in 2023?'])(
    'does not stand against a sure reading, whatever its reason: %s',
    async (question) => {
      for (const reason of ['metric', 'dimension', 'scope', 'unsafe']) {
        const { answer, prompts } = await askModel(question, [{ ...refusal, reason }]);
        expect(answer.kind, reason).toBe('abstain');
        expect(answer.kind === 'abstain' && answer.candidates.length).toBeGreaterThan(0);
        expect(prompts[1]).toContain('The built-in engine knows every word');
      }
    },
  );

  it('is taken back where the model sees its mistake', async () => {
    const { answer, prompts } = await askModel('How many singers come from France?', [
      { ...refusal, missing: 'France' },
      { ...ANSWER, sql: PAIR.sql },
    ]);
    expect(prompts[1]).toContain('a search finds');
    expect(answer).toMatchObject({ kind: 'answered', sql: PAIR.sql });
  });
});
