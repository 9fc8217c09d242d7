import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedSession } from '../../test/changed-session.ts';
import { openSmallSession, type SmallSession } from '../../test/fixtures/grounded/open-small-session.ts';
import { smallStatements } from '../../test/fixtures/grounded/small-tables.ts';
import { type Script, type ScriptedReply, scriptedModel, textOf } from '../../test/models/scripted-model.ts';
import type { Answer } from '../answer.ts';
import { CandorError } from '../errors.ts';
import type { ChatRequest } from '../model/index.ts';
import { readRecord } from '../session/records/record.ts';
import { type AskOptions, ask } from './ask.ts';

let small: SmallSession;
/** The same tables without a semantic model. */
let bare: SmallSession;
beforeAll(async () => {
  small = await openSmallSession();
  bare = await openSmallSession({ statements: smallStatements() });
});
afterAll(async () => {
  await small.close();
  await bare.close();
});

/** Replies by role; each list is used from its start, its last entry again and again. */
type Roles = Readonly<Record<string, readonly ScriptedReply[]>>;

function byRole(roles: Roles): Script {
  const used = new Map<string, number>();
  return ({ role = '' }) => {
    const replies = roles[role];
    const at = used.get(role) ?? 0;
    used.set(role, at + 1);
    return replies?.[Math.min(at, replies.length - 1)];
  };
}

const sqlReply = (query: string | null, more: object = {}): string =>
  JSON.stringify({ query, explanation: 'as asked', assumptions: [], tables: [], columns: [], ...more });

/** Of a model whose window holds little, so that not all that is known fits. */
const NARROW = 1_000;

async function asked(
  question: string,
  roles: Roles,
  options: AskOptions = {},
  { session: over } = small,
  contextWindow?: number,
) {
  const model = scriptedModel(byRole(roles));
  const answers = contextWindow === undefined ? model : { ...model, contextWindow };
  const session = changedSession(over, { models: async () => ({ answers }) });
  const answer = await ask(question, session, options);
  return { answer, model, roles: model.requests.map(({ role }) => role) };
}

const rowsOf = (answer: Answer) => (answer.kind === 'answered' ? answer.rows : answer);

describe('a model answers', () => {
  it('in fast mode with one call', async () => {
    const { answer, roles } = await asked('Which singers are above the average age?', {
      write: [sqlReply('SELECT name FROM singers WHERE age > (SELECT avg(age) FROM singers) ORDER BY name')],
    });
    expect(roles).toEqual(['write']);
    expect(answer).toMatchObject({
      kind: 'answered',
      explanation: 'as asked',
      model: { id: 'scripted', host: null, mode: 'fast', calls: 1 },
      checks: [
        { name: 'parse' },
        { name: 'read-only' },
        { name: 'names' },
        { name: 'explain' },
        { name: 'execute' },
      ],
    });
    expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
  });

  it('and says in its story what its service turned out not to take', async () => {
    const model = scriptedModel(byRole({ write: [sqlReply('SELECT count(*) FROM singers')] }));
    const chat = async (request: ChatRequest) => ({
      ...(await model.chat(request)),
      leftOut: ['it does not take seed'],
    });
    const session = changedSession(small.session, { models: async () => ({ answers: { ...model, chat } }) });
    const answer = await ask('How many singers are there?', session);
    expect(answer.model?.story).toEqual(['The service of the model deviates: it does not take seed.']);
  });

  it.each([
    ['which it tells', { contextWindow: NARROW }],
    ['which it does not tell', {}],
  ])('after a prompt that was too long for its window, %s, from a shorter one', async (_, data) => {
    const full = new CandorError('model.context-full', 'it does not fit', { data });
    const write = [full, sqlReply('SELECT count(*) FROM singers')];
    const { answer, model } = await asked('How many singers are there?', { write }, {}, small, 4 * NARROW);
    expect(rowsOf(answer)).toEqual([[6]]);
    const [first, second] = model.requests.map((request) => textOf(request).length);
    expect(second).toBeLessThan(first ?? 0);
  });

  it('not where a shorter prompt is too long as well', async () => {
    const full = new CandorError('model.context-full', 'it does not fit', { data: { contextWindow: 1 } });
    await expect(asked('How many singers are there?', { write: [full] })).rejects.toBe(full);
  });

  it('and what it insists on against a definition is a check that failed, and likelier wrong', async () => {
    const { semantics } = small.session;
    const valueMappings = [{ column: 'singers.country', value: 'France', surface: ['French'] }];
    const session = changedSession(small.session, { semantics: { ...semantics, valueMappings } });
    const wrong = sqlReply("SELECT count(*) FROM singers WHERE country = 'Netherlands'");
    const { answer, roles } = await asked(
      'How many French singers are there?',
      { write: [wrong], fix: [wrong] },
      {},
      { ...small, session },
    );
    expect(roles).toEqual(['write', 'fix']);
    if (answer.kind !== 'answered') throw new Error(answer.kind);
    const detail = expect.stringContaining('“French” is stored as "France" in singers.country');
    expect(answer.checks).toContainEqual({ name: 'definitions', passed: false, detail });
    expect(answer.probability).toBeLessThan(0.5);
    expect(answer.risk?.action).toBe('warn');
  });

  it('what only words spoke against', async () => {
    const question = 'How many crooners do we have?';
    expect((await ask(question, bare.session)).kind).toBe('reject');
    const { answer } = await asked(question, { write: [sqlReply('SELECT count(*) FROM singers')] }, {}, bare);
    expect(rowsOf(answer)).toEqual([[6]]);
  });

  it('not what the semantic model rules out, nor what a metric demands where every word is understood', async () => {
    for (const [question, kind] of [
      ['delete all singers', 'reject'],
      ['What was the weather in Lisbon?', 'reject'],
      ['What was the ticket income in 2023?', 'follow_up'],
    ] as const) {
      const { answer, roles } = await asked(question, {});
      expect([answer.kind, roles], question).toEqual([kind, []]);
    }
  });

  it('or says what is missing', async () => {
    const write = [sqlReply(null, { missing: 'boats', explanation: 'no table tells who owns what' })];
    const { answer } = await asked('Which singers own a boat?', { write }, {}, bare);
    expect(answer).toMatchObject({ kind: 'reject', reason: 'scope', missing: 'boats' });
  });

  it('a refusal has the search that failed', async () => {
    const write = [sqlReply(null, { missing: 'boats', explanation: 'no table tells who owns what' })];
    const { answer } = await asked('Which singers own a boat?', { write }, {}, bare);
    if (answer.kind !== 'reject') throw new Error(answer.kind);
    expect(answer.searched?.map(({ what }) => what)).toEqual([
      ...['metrics', 'dimensions', 'tables', 'columns', 'values'],
    ]);
    for (const { hits } of answer.searched ?? [])
      for (const { score } of hits) expect(score).toBeLessThan(0.85);
  });

  it.each([
    ['a column', 'age', 'singers.age'],
    ['a table', 'the concerts', 'concerts'],
    ['a stored value', 'France', '= France'],
  ])('and is not believed where a search finds it: %s', async (_, missing, carrier) => {
    const write = [sqlReply(null, { missing, explanation: 'it is not there' })];
    const { answer } = await asked('Which singers own a boat?', { write }, {}, bare);
    expect(answer).toMatchObject({ kind: 'abstain', disagreement: { missing, because: 'it is not there' } });
    expect(answer.kind === 'abstain' && answer.reason).toContain(carrier);
    const record = await readRecord(bare.session.config.derivedDirectory, answer.recordId);
    expect(record.disagreement).toMatchObject({ missing });
  });

  it('as the product area of whoever asks wants queries written', async () => {
    const { session } = small;
    const area = { id: 'music', name: 'Music', members: [], includeTables: [], excludeTables: [] };
    const authored = { ...session.authored, areas: [{ ...area, instructions: 'All money in EUR.' }] };
    const of = {
      ...small,
      session: changedSession(session, { authored, config: { ...session.config, areas: ['music'] } }),
    };
    const write = [sqlReply('SELECT count(*) FROM singers')];
    const { model } = await asked('How many singers are there?', { write }, {}, of);
    expect(textOf(model.requests[0]!)).toContain('All money in EUR.');
  });

  it('with no probability where nothing can assess it', async () => {
    const { session } = small;
    const scoring = () => Promise.reject(new CandorError('uncertainty.model-missing', 'it is not there'));
    const write = [sqlReply('SELECT count(*) FROM singers')];
    const { answer } = await asked(
      'How many singers are there?',
      { write },
      {},
      { ...small, session: changedSession(session, { scoring }) },
    );
    expect(answer).toMatchObject({ kind: 'answered', unassessed: expect.stringContaining('not there') });
    expect(answer).not.toHaveProperty('probability');
  });

  it('and is recorded with what it cost', async () => {
    const { answer } = await asked('How many singers are there?', {
      write: [sqlReply('SELECT count(*) FROM singers')],
    });
    const record = await readRecord(small.session.config.derivedDirectory, answer.recordId);
    expect(record.model).toMatchObject({ id: 'scripted', calls: 1, mode: 'fast' });
    expect(record.model?.promptTokens).toBeGreaterThan(100);
  });
});

describe('a query with faults', () => {
  it('is mended by rules where they can, and no call is spent', async () => {
    const { answer, roles } = await asked('How many singers come from France?', {
      write: [sqlReply("SELECT count(*) FROM singers WHERE countri = 'France'")],
    });
    expect(roles).toEqual(['write']);
    expect(answer.model?.story).toEqual([expect.stringContaining('by a rule')]);
    expect(answer.kind).toBe('answered');
  });

  it('goes to the model with all that is wrong at once', async () => {
    const { answer, model, roles } = await asked('How many singers come from France?', {
      write: [sqlReply('SELECT birthplace, shoesize FROM singers')],
      fix: [sqlReply("SELECT count(*) FROM singers WHERE country = 'France'")],
    });
    expect(roles).toEqual(['write', 'fix']);
    const prompt = textOf(model.requests[1]!);
    expect(prompt).toContain('birthplace');
    expect(prompt).toContain('shoesize');
    expect(answer.kind).toBe('answered');
  });

  it('is given up after two rounds, with what was wrong', async () => {
    const { answer, roles } = await asked('How many singers come from France?', {
      write: [sqlReply('SELECT aaaa FROM singers')],
      fix: [sqlReply('SELECT bbbb FROM singers'), sqlReply('SELECT cccc FROM singers')],
    });
    expect(roles).toEqual(['write', 'fix', 'fix']);
    expect(answer).toMatchObject({ kind: 'abstain', reason: expect.stringContaining('cccc') });
  });

  it.each([
    ['DROP TABLE singers'],
    ['DELETE FROM singers; SELECT 1'],
    ["SELECT load_extension('x')"],
    ['SELECT * FROM sqlite_master'],
  ])('never runs: %s', async (sql) => {
    const { answer } = await asked('How many singers are there?', {
      write: [sqlReply(sql)],
      fix: [sqlReply(sql)],
    });
    expect(answer.kind).toBe('abstain');
    expect(rowsOf(await ask('How many singers are there?', small.session))).toEqual([[6]]);
  });
});

describe('careful mode', () => {
  const right = "SELECT count(*) FROM singers WHERE country = 'France'";
  const reading = {
    validate: ['{"validity": "ok", "language": "en"}'],
    keywords: ['{"keywords": ["singers", "France"]}'],
  };

  it('takes what two say, and draws no more', async () => {
    const { answer, roles } = await asked(
      'How many singers come from France?',
      {
        ...reading,
        write: [sqlReply('SELECT count(*) FROM singers'), sqlReply(right), sqlReply(`${right} AND 1 = 1`)],
      },
      { mode: 'careful' },
    );
    // The built-in engine reads it as the second does.
    expect(roles.filter((role) => role === 'write')).toHaveLength(2);
    const { rows } = answer as { rows: unknown };
    expect(rows).toEqual(rowsOf(await ask('How many singers come from France?', small.session)));
    expect(answer).toMatchObject({ kind: 'answered', model: { mode: 'careful' } });
  });

  it('shows whoever links no more of the schema than a small window has room for', async () => {
    const shownBy = async (contextWindow: number) => {
      const readings = [{ plan: 'count them', tables: [{ name: 'singers', columns: ['country'] }] }];
      const { model } = await asked(
        'How many singers come from France?',
        { ...reading, 'read together': [JSON.stringify({ readings })], write: [sqlReply(right)] },
        { mode: 'careful' },
        bare,
        contextWindow,
      );
      const linking = model.requests.find(({ role }) => role === 'read together');
      return linking === undefined ? 0 : (textOf(linking).split('<<<DATA schema')[1]?.length ?? 0);
    };
    expect(await shownBy(100)).toBeGreaterThan(0);
    expect(await shownBy(100)).toBeLessThan(300);
    expect(await shownBy(800)).toBeGreaterThan(300);
  });

  const all = 'SELECT count(*) FROM singers';
  const none = "SELECT name FROM singers WHERE country = 'Nowhere'";
  it.each([
    ['one where the built-in engine says the same', [right], 1],
    ['two where they say the same', [all, all], 2],
    [
      'three where no two say the same',
      [all, 'SELECT min(age) FROM singers', 'SELECT max(age) FROM singers'],
      3,
    ],
    ['three where two find nothing: that is easily agreed on', [none, none, none], 3],
    ['on past one that is lost', [new CandorError('model.invalid-reply', 'no JSON'), all, all], 3],
  ])('draws %s', async (_, writes, draws) => {
    const replies = writes.map((one) => (typeof one === 'string' ? sqlReply(one) : one));
    const revise = Array.from({ length: 9 }, () => sqlReply(none));
    const { roles } = await asked(
      'How many singers come from France?',
      { ...reading, write: replies, revise },
      { mode: 'careful' },
    );
    expect(roles.filter((role) => role === 'write')).toHaveLength(draws);
  });

  it('tells what the stored data make of a decision; a fast answer does not wait for it', async () => {
    const oldest = 'SELECT name, country FROM singers ORDER BY country LIMIT 1';
    const noticed = async (mode: 'careful' | 'fast') => {
      const { answer } = await asked(
        'How many singers come from France?',
        { ...reading, write: [oldest, oldest].map((sql) => sqlReply(sql)) },
        { mode },
      );
      return answer.kind === 'answered' ? answer.notices : answer;
    };
    expect(await noticed('careful')).toEqual([
      {
        code: 'data-matters',
        text: 'Done otherwise, one row after the 1 that LIMIT takes: it ties with the last one that is shown.',
      },
    ]);
    expect(await noticed('fast')).toBeUndefined();
  });

  const nothing = ['{"validity": "meaningless", "because": "small talk", "language": "en"}'];

  it('does not believe that nothing is asked for where words name things here', async () => {
    const { answer } = await asked(
      'How many singers come from France?',
      { ...reading, validate: nothing },
      { mode: 'careful' },
      small,
      NARROW,
    );
    expect(answer).toMatchObject({ kind: 'abstain', disagreement: { because: 'small talk' } });
    expect(answer.kind === 'abstain' && answer.reason).toContain('singers');
  });

  it('refuses with the failed search where nothing does', async () => {
    const { answer } = await asked(
      'Which crooners own a boat?',
      { ...reading, validate: nothing },
      { mode: 'careful' },
      bare,
      NARROW,
    );
    expect(answer).toMatchObject({ kind: 'reject', reason: 'scope', message: 'small talk' });
    expect(answer.kind === 'reject' && answer.searched).toHaveLength(5);
  });

  it('goes on where one of the draws fails', async () => {
    const { answer } = await asked(
      'How many singers come from France?',
      { ...reading, write: [new CandorError('model.invalid-reply', 'no JSON'), sqlReply(right)] },
      { mode: 'careful' },
    );
    expect(answer.kind).toBe('answered');
  });

  it('runs nothing in no-execution mode', async () => {
    const { answer } = await asked(
      'How many singers come from France?',
      { ...reading, write: [sqlReply(right)] },
      { mode: 'no-execution' },
    );
    expect(answer).toMatchObject({
      kind: 'answered',
      rows: [],
      checks: expect.arrayContaining([{ name: 'execute', passed: false, detail: 'not run' }]),
    });
  });
});

describe('a model that fails', () => {
  it('fails the question: the built-in engine does not answer in its place unasked', async () => {
    await expect(
      asked('How many singers are there?', {
        write: [new CandorError('model.unreachable', 'nobody there')],
      }),
    ).rejects.toMatchObject({ code: 'model.unreachable' });
  });
});
