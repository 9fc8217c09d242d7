/** No cell reaches a model in private mode: every role, the whole of careful `ask`, a database made of canaries. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../../../src/answering/index.ts';
import { linkingOf, linkQuestion } from '../../../src/answering/prompt/index.ts';
import { sharedSchemaText } from '../../../src/catalog/share/index.ts';
import { LINK_DEFAULTS, type LinkSettings, linkSchema } from '../../../src/linking/index.ts';
import { type ChatRequest, type LanguageModel, TokenLedger } from '../../../src/model/index.ts';
import { assistByModel, modelReasoner, writeByModel } from '../../../src/reasoning/llm/index.ts';
import { rankByModel } from '../../../src/reasoning/llm/rank-by-model.ts';
import type { WriteQuestion } from '../../../src/reasoning/roles/write-reasoner.ts';
import { openSession } from '../../../src/session/project/open-session.ts';
import type { Session } from '../../../src/session/project/session.ts';
import { readRecord } from '../../../src/session/records/record.ts';
import { changedSession } from '../../changed-session.ts';
import { CANARIES, type CanaryWorld, makeCanaryWorld, NEAR_WORD } from './canary-world.ts';
import { obligingModel } from './obliging-model.ts';

const QUESTION = `Which clients live in the city ${NEAR_WORD}?`;

interface Asked {
  /** Canaries by the role in whose prompt they stood. */
  readonly leaks: ReadonlyMap<string, ReadonlySet<string>>;
  readonly roles: ReadonlySet<string>;
}

/** Everything but what the model itself has said. */
function toldTo({ messages }: ChatRequest): string {
  return messages.flatMap(({ role, content }) => (role === 'assistant' ? [] : [content])).join('\n');
}

function leaksOf(requests: readonly ChatRequest[]): Asked {
  const leaks = new Map<string, Set<string>>();
  for (const request of requests) {
    const text = toldTo(request);
    for (const canary of CANARIES)
      if (text.includes(canary)) {
        const { role = 'unnamed' } = request;
        leaks.set(role, (leaks.get(role) ?? new Set()).add(canary));
      }
  }
  return { leaks, roles: new Set(requests.map(({ role = 'unnamed' }) => role)) };
}

describe.each(['duckdb', 'sqlite'] as const)('private mode on %s', (engine) => {
  let world: CanaryWorld;
  let session: Session;
  beforeAll(async () => {
    world = await makeCanaryWorld(engine);
    session = await openSession(world.config);
  });
  afterAll(async () => {
    await session.close();
    await world.remove();
  });

  /** A session whose models are `model`, and nobody before it: the types alone keep cells out. */
  const over = (model: LanguageModel): Session =>
    changedSession(session, { models: async () => ({ answers: model }) });

  async function askedBy(isPrivate: boolean): Promise<Asked> {
    const model = obligingModel();
    await ask(QUESTION, over(isPrivate ? { ...model, isPrivate } : model), {
      mode: 'careful',
      record: false,
    });
    return leaksOf(model.requests);
  }

  async function linkedBy(isPrivate: boolean, more: Partial<LinkSettings>): Promise<Asked> {
    const model = obligingModel();
    const shown: LanguageModel = isPrivate ? { ...model, isPrivate } : model;
    const linking = await linkingOf(session);
    const ledger = new TokenLedger();
    const settings = { ...LINK_DEFAULTS, ...more };
    if (more.mode !== 'rankers') {
      await linkQuestion(QUESTION, linking, { settings, roles: { ledger, linker: modelReasoner(shown) } });
      return leaksOf(model.requests);
    }
    const retrieved = await linking.base.retrieve({ question: QUESTION, keywords: ['clients', NEAR_WORD] });
    await linkSchema(
      { text: QUESTION, knowledge: [], ledger },
      {
        ...linking.prepared,
        semantics: session.semantics,
        keywords: ['clients', NEAR_WORD],
        quoted: [],
        retrieved,
        graph: linking.base.graph,
        readings: () => [],
        ranker: rankByModel(shown),
      },
      settings,
    );
    return leaksOf(model.requests);
  }

  /** The roles that `ask` does not call yet, or calls with less than they may be given. */
  async function writtenBy(isPrivate: boolean): Promise<Asked> {
    const model = obligingModel();
    const shown: LanguageModel = isPrivate ? { ...model, isPrivate } : model;
    const writer = writeByModel(shown);
    const [cell = ''] = CANARIES.filter((canary) => canary.startsWith('Qarvolin Zy'));
    const question: WriteQuestion = {
      text: QUESTION,
      knowledge: [],
      examples: [
        { question: `Who lives in ${cell}?`, sql: `SELECT name FROM clients WHERE city = '${cell}'` },
      ],
      schema: sharedSchemaText(session.catalog, writer.sharing ?? 'all'),
      dialect: session.catalog.dialect,
      today: '2024-10-01',
      ledger: new TokenLedger(),
    };
    const sql = `SELECT name FROM clients WHERE city = '${cell}'`;
    const broken = {
      sql,
      problems: [`'${NEAR_WORD}' is stored in no row of clients.city; nearest: '${cell}'`],
      engineError: `Conversion Error: Could not convert string '${cell}' to INT32; the value is ${cell}`,
    };
    await writer.write({ ...question, failed: broken }, { index: 0, method: 'direct', temperature: 0 });
    await writer.fix(question, broken);
    await writer.revise(question, {
      sql,
      outcome: broken.engineError,
      nearValues: [`clients.city: ${cell}`],
    });
    await writer.reflect(question, { turn: 1, callsLeft: 3, broken, turns: [] });
    await writer.writeTests(question);
    await writer.judgeTests(question, [{ sql, result: `name\n${cell}` }], ['it names clients']);
    const assistant = assistByModel(shown);
    const ledger = new TokenLedger();
    const told = { text: QUESTION, ledger };
    const turns = [{ question: QUESTION, answer: cell }];
    const { dialect } = session.catalog;
    // The model of this test says nothing usable here: what it was told is all that counts.
    await assistant.route(told, { turns, lastQuery: sql, tables: ['clients'] }).catch(() => undefined);
    await assistant.judgeAnswer(told, { sql, golds: [sql], dialect }).catch(() => undefined);
    await assistant.describeQuery({ sql, dialect, about: [`city: ${cell}`], ledger }).catch(() => undefined);
    await assistant
      .answerAbout(told, { knowledge: [], turns, lastQuery: sql, understood: [cell] })
      .catch(() => undefined);
    return leaksOf(model.requests);
  }

  const TOGETHER = ['read together', 'refine'];
  const LINKING = ['hypothesise', 'refine', 'select fields', 'select tables'];
  const evilink = { mode: 'evilink' } as const;
  const oneByOne = { ...LINK_DEFAULTS.evilink, sharedTokens: 0 };
  const deepest = {
    ...oneByOne,
    fieldLevel: 'L3',
    tableLevel: 'L3',
    refineLevel: 'L3',
  } as const;
  const WAYS: readonly (readonly [string, (isPrivate: boolean) => Promise<Asked>, readonly string[]])[] = [
    ['ask in careful mode', askedBy, [...TOGETHER, 'fix', 'reflect', 'research', 'revise', 'write']],
    ['links by votes of readings told at once', (isPrivate) => linkedBy(isPrivate, evilink), TOGETHER],
    ['links by votes', (isPrivate) => linkedBy(isPrivate, { ...evilink, evilink: oneByOne }), LINKING],
    [
      'links by votes with statistics',
      (isPrivate) => linkedBy(isPrivate, { ...evilink, evilink: deepest }),
      LINKING,
    ],
    [
      'links by rankers',
      (isPrivate) => linkedBy(isPrivate, { mode: 'rankers' }),
      ['rank columns', 'rank tables'],
    ],
    [
      'writes, judges and assists',
      writtenBy,
      [
        'answer about',
        'describe query',
        'fix',
        'judge answer',
        'judge tests',
        'reflect',
        'revise',
        'route',
        'write tests',
      ],
    ],
  ];

  it.each(WAYS)('%s: canaries without it, none with it', async (_, run, tellsCells) => {
    const open = await run(false);
    // The test could fail: these roles are told cells as soon as nothing keeps them out.
    expect([...open.leaks.keys()].sort()).toEqual(expect.arrayContaining([...tellsCells]));
    const shut = await run(true);
    expect([...shut.leaks]).toEqual([]);
    expect([...shut.roles].sort()).toEqual([...open.roles].sort());
  });

  it('holds nothing back of a whole question, and the record says that no block could hold cells', async () => {
    const model = obligingModel();
    const own = await openSession(world.config, { model: { ...model, host: 'api.test' }, isPrivate: true });
    try {
      const answer = await ask(QUESTION, own, { mode: 'careful' });
      expect(leaksOf(model.requests).leaks.size).toBe(0);
      const { model: use } = await readRecord(world.config.derivedDirectory, answer.recordId);
      expect(use?.sent).toHaveLength(model.requests.length);
      expect(new Set(use?.sent?.map(({ host }) => host))).toEqual(new Set(['api.test']));
      const blocks = use?.sent?.flatMap((call) => call.blocks) ?? [];
      expect(blocks.map(({ name }) => name)).toEqual(expect.arrayContaining(['schema', 'question', 'query']));
      expect(blocks.filter(({ mayHoldValues }) => mayHoldValues)).toEqual([]);
    } finally {
      await own.close();
    }
  });

  it('holds a request back that has a cell all the same, and says where without saying it', async () => {
    const model = obligingModel();
    const own = await openSession(world.config, { model, isPrivate: true });
    try {
      const { answers } = (await own.models?.()) ?? {};
      const [cell = ''] = CANARIES.filter((canary) => canary.startsWith('Qarvolin Zy'));
      const content = (inside: string) => `<<<DATA schema\ncolumn city: ${inside}\nDATA>>>`;
      const chat = (inside: string) =>
        answers?.chat({ role: 'keywords', messages: [{ role: 'user', content: content(inside) }] });
      const error = await chat(`e.g. ${cell}`)?.catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'model.would-leak', data: { role: 'keywords' } });
      expect(String(error)).toContain('clients.city');
      expect(String(error)).not.toContain(cell);
      expect(model.requests).toHaveLength(0);
      await chat('form Aaaaaaaa');
      expect(model.requests).toHaveLength(1);
    } finally {
      await own.close();
    }
  });
});
