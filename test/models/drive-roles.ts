/** Every role of Candor asked once of one model: what came back, at what cost. The answers may be nonsense. */
import { CandorError } from '../../src/errors.ts';
import { type LanguageModel, TokenLedger } from '../../src/model/index.ts';
import {
  assistByModel,
  benchByModel,
  modelReasoner,
  normaliseByModel,
  writeByModel,
} from '../../src/reasoning/llm/index.ts';
import { rankByModel } from '../../src/reasoning/llm/rank-by-model.ts';
import type { RefineView } from '../../src/reasoning/roles/link-reasoner.ts';
import type { NormaliseQuestion } from '../../src/reasoning/roles/normalise-reasoner.ts';
import type { RankQuestion, TableCard, TablePart } from '../../src/reasoning/roles/rank-reasoner.ts';
import {
  shopHypothesis,
  shopOverview,
  shopQuestion,
  shopTables,
  shopView,
} from '../fixtures/linking/prompt-shop.ts';
import { broken, writeQuestion } from '../fixtures/prompts/writing.ts';

export interface DrivenRole {
  readonly role: string;
  /** `came back`, `repaired` where it was asked twice, or the code of a typed error. */
  readonly outcome: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly ms: number;
}

export interface DriveOptions {
  readonly signal?: AbortSignal;
  readonly onRole?: (driven: DrivenRole) => void;
  /** Most tokens of a reply; absent: as each role has it. */
  readonly maxTokens?: number;
}

/** An error that is none of ours is thrown on: a bug. */
export async function driveRoles(
  service: LanguageModel,
  { signal, onRole, maxTokens }: DriveOptions = {},
): Promise<readonly DrivenRole[]> {
  const model: LanguageModel =
    maxTokens === undefined
      ? service
      : { ...service, chat: (request) => service.chat({ ...request, maxTokens }) };
  const driven: DrivenRole[] = [];
  for (const [role, ask] of rolesOf(model, signal)) {
    const ledger = new TokenLedger();
    const from = performance.now();
    const outcome = await ask(ledger).then(
      () => (ledger.entries.length > 1 ? 'repaired' : 'came back'),
      (error: unknown) => {
        if (error instanceof CandorError && error.code.startsWith('model.')) return error.code;
        throw error;
      },
    );
    const sum = (read: (entry: (typeof ledger.entries)[number]) => number): number =>
      ledger.entries.reduce((total, entry) => total + read(entry), 0);
    const one = {
      ...{ role, outcome, ms: Math.round(performance.now() - from) },
      promptTokens: sum(({ promptTokens }) => promptTokens),
      completionTokens: sum(({ completionTokens }) => completionTokens),
    };
    driven.push(one);
    onRole?.(one);
  }
  return driven;
}

type Ask = (ledger: TokenLedger) => Promise<unknown>;

function rolesOf(model: LanguageModel, signal: AbortSignal | undefined): readonly (readonly [string, Ask])[] {
  const stop = signal === undefined ? {} : { signal };
  return [...readingRoles(model, signal), ...linkingRoles(model, stop), ...writingRoles(model, stop)];
}

function readingRoles(
  model: LanguageModel,
  signal: AbortSignal | undefined,
): readonly (readonly [string, Ask])[] {
  const normaliser = normaliseByModel(model);
  const asked = (ledger: TokenLedger, text = 'How many orders said yes?'): NormaliseQuestion => ({
    ...{ text, databaseLanguage: 'en', about: ['orders of a shop'], ledger, signal },
  });
  const assistant = assistByModel(model);
  const dialect = 'sqlite';
  const stop = signal === undefined ? {} : { signal };
  return [
    ['validate', (ledger) => normaliser.validate(asked(ledger))],
    ['translate', (ledger) => normaliser.translate(asked(ledger, 'Wie viele Bestellungen gab es?'))],
    ['keywords', (ledger) => normaliser.keywords(asked(ledger))],
    ['stand alone', (ledger) => normaliser.standAlone(asked(ledger, 'and in May?'), ['Orders in April?'])],
    ['name tables', (ledger) => assistant.nameTables({ text: 'rows of orders', ledger, ...stop })],
    [
      'route',
      (ledger) => assistant.route({ text: 'add a filter', ledger, ...stop }, { turns: [], tables: [] }),
    ],
    [
      'judge answer',
      (ledger) =>
        assistant.judgeAnswer(
          { text: 'How many orders?', ledger, ...stop },
          { sql: 'SELECT 1', golds: ['SELECT count(*) FROM orders'], dialect },
        ),
    ],
    [
      'describe query',
      (ledger) =>
        assistant.describeQuery({ sql: 'SELECT count(*) FROM orders', dialect, about: [], ledger, ...stop }),
    ],
    [
      'answer about',
      (ledger) =>
        assistant.answerAbout(
          { text: 'What does churn mean?', ledger, ...stop },
          { knowledge: ['churn: customers who left'], turns: [] },
        ),
    ],
  ];
}

function linkingRoles(
  model: LanguageModel,
  stop: { readonly signal?: AbortSignal },
): readonly (readonly [string, Ask])[] {
  const linker = modelReasoner(model);
  const ranker = rankByModel(model);
  const linked = (ledger: TokenLedger) => shopQuestion({ ledger, ...stop });
  const ranked = (ledger: TokenLedger): RankQuestion => ({
    ...{ text: 'How many orders?', hint: '', notes: [], jargon: [], ledger, signal: stop.signal },
  });
  const view: RefineView = {
    ...{ turn: 1, turnsLeft: 1, hypotheses: [shopHypothesis], required: ['sales.orders'], turns: [] },
    uncertain: [],
  };
  return [
    ['hypothesise', (ledger) => linker.hypothesise(linked(ledger), shopView('L0'), 2)],
    ['read together', (ledger) => linker.readTogether(linked(ledger), shopOverview(), 2)],
    ['select tables', (ledger) => linker.selectTables(linked(ledger), shopHypothesis, shopView('L0'))],
    ['select fields', (ledger) => linker.selectFields(linked(ledger), shopHypothesis, shopView('L1'))],
    ['refine', (ledger) => linker.refine(linked(ledger), view)],
    ['rank tables', (ledger) => ranker.rankTables(ranked(ledger), [CARD])],
    ['rank columns', (ledger) => ranker.rankColumns(ranked(ledger), [PART])],
  ];
}

function writingRoles(
  model: LanguageModel,
  stop: { readonly signal?: AbortSignal },
): readonly (readonly [string, Ask])[] {
  const writer = writeByModel(model);
  const bench = benchByModel(model);
  const asked = (ledger: TokenLedger) => writeQuestion({ ledger, ...stop });
  const research = { turn: 1, callsLeft: 8, broken, turns: [] };
  const odd = { sql: 'SELECT id FROM orders', outcome: 'the query returns no rows', nearValues: [] };
  const candidates = [{ sql: 'SELECT count(*) FROM orders' }, { sql: 'SELECT 1' }];
  const methods = (['direct', 'plan', 'steps', 'divide'] as const).map(
    (method, index) =>
      [
        `write (${method})`,
        (ledger: TokenLedger) => writer.write(asked(ledger), { index, method, temperature: index / 4 }),
      ] as const,
  );
  return [
    ...methods,
    ['fix', (ledger) => writer.fix(asked(ledger), broken)],
    ['revise', (ledger) => writer.revise(asked(ledger), odd)],
    ['research', (ledger) => writer.research(asked(ledger), research)],
    ['reflect', (ledger) => writer.reflect(asked(ledger), research)],
    ['write tests', (ledger) => writer.writeTests(asked(ledger))],
    ['accept', (ledger) => bench.accept(asked(ledger), 'SELECT 1', 0)],
    [
      'reword',
      (ledger) => {
        const words = { text: 'orders by city', kept: ['city'], avoided: [], fault: () => undefined };
        return bench.reword({ ...words, ledger, ...stop });
      },
    ],
    ['judge tests', (ledger) => writer.judgeTests(asked(ledger), candidates, ['one row', 'a number'])],
  ];
}

const CARD: TableCard = {
  ...{ table: shopTables.orders, members: 1, descriptions: ['orders'], examples: [], joins: [], notes: [] },
  ...{ coQueried: [], isCertified: true, isDeprecated: false, popularity: 1, columns: [] },
  found: { score: 0.9, because: [] },
};

const PART: TablePart = {
  ...{ table: shopTables.orders, description: 'orders', part: 1, parts: 1, joins: [] },
  columns: shopTables.orders.columns.map((column) => ({
    ...{ column, description: '', isPartitionKey: false, references: [], values: [], popularity: 0 },
    found: { score: 0, because: [] },
  })),
};
