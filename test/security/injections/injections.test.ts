/**
 * Texts of databases and people that try to be instructions, in every place that reaches a prompt, before a model that
 * obeys them. They stay inside their blocks, the system message stays as it is, and what the model then writes changes
 * nothing and reads no more than its asker may.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Catalog } from '../../../src/catalog/index.ts';
import { authoredText, shareCatalog, sharedSchemaText } from '../../../src/catalog/share/index.ts';
import { CandorError } from '../../../src/errors.ts';
import { indexTables } from '../../../src/knowledge/retrieve/index.ts';
import { EVILINK_DEFAULTS, evilink } from '../../../src/linking/index.ts';
import { type ChatRequest, TokenLedger } from '../../../src/model/index.ts';
import {
  assistByModel,
  modelReasoner,
  normaliseByModel,
  writeByModel,
} from '../../../src/reasoning/llm/index.ts';
import { rankByModel } from '../../../src/reasoning/llm/rank-by-model.ts';
import { isUnusableReply } from '../../../src/reasoning/roles/index.ts';
import type { WriteQuestion } from '../../../src/reasoning/roles/write-reasoner.ts';
import { validateSql } from '../../../src/validation/index.ts';
import { type ScriptedModel, scriptedModel } from '../../models/scripted-model.ts';
import {
  compareWorlds,
  makeTenantFiles,
  openWorlds,
  type TenantPlaces,
  type TenantWorlds,
} from '../tenant-worlds.ts';
import { catalogOf, twoTenants } from '../two-tenants.ts';
import { HOSTILE_SQL, REPLY_FORMS } from './hostile-replies.ts';
import { readTexts } from './read-texts.ts';

const TEXTS = readTexts();

it('the corpus has at least 100 texts of at least ten kinds, none twice', () => {
  expect(new Set(TEXTS.map(({ text }) => text)).size).toBe(TEXTS.length);
  expect(TEXTS.length).toBeGreaterThanOrEqual(100);
  expect(new Set(TEXTS.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(10);
});

/** The tables of the tenants as a catalog whose every description and example is `text`. */
function catalogSaying(text: string): Catalog {
  const { tables } = catalogOf(
    twoTenants('"').filter(({ isHidden }) => isHidden !== true),
    undefined,
  );
  return {
    database: `shop ${text}`,
    dialect: 'sqlite',
    fingerprint: '',
    foreignKeys: [],
    tables: tables.map(({ id, name, columns }) => ({
      ...{ id, name, kind: 'table', comment: text, primaryKey: [], rowCount: 50 },
      columns: columns.map((column) => ({
        ...column,
        ...{ tableId: id, type: column.type ?? '', family: 'text', isNullable: true, comment: text },
        profile: {
          scannedRows: 50,
          nullCount: 0,
          distinctCount: 9,
          min: text,
          max: text,
          examples: [text, 'plain'],
        },
      })),
    })),
  };
}

/** Every role once, with `text` in every place of it; the model gives nothing usable, so each asks a second time. */
async function requestsSaying(text: string): Promise<readonly ChatRequest[]> {
  const model = scriptedModel(() => text);
  await askEverything(model, text);
  return model.requests;
}

async function askEverything(model: ScriptedModel, text: string): Promise<void> {
  const ledger = new TokenLedger();
  const shown = shareCatalog(catalogSaying(text), 'all');
  const note = authoredText(text);
  const [table] = shown.tables;
  if (table === undefined) throw new Error('the tenants have tables');
  const question: WriteQuestion = {
    ...{ text, hint: text, knowledge: [text], dialect: 'sqlite', today: text, instructions: text, ledger },
    examples: [{ question: text, sql: text }],
    schema: sharedSchemaText(shown, 'all', { values: new Map([['customers.name', [text]]]) }),
  };
  const broken = { sql: text, problems: [text], engineError: text, advice: text };
  const call = { id: 'c1', tool: text, arguments: { text } };
  const view = { turn: 2, callsLeft: 3, broken, turns: [[{ call, text }]] };
  const notes = new Map(
    shown.tables.flatMap(({ id, columns }) =>
      [id, ...columns.map((one) => one.id)].map((one) => [one, [note]] as const),
    ),
  );
  const schema = {
    level: 'L2' as const,
    tables: shown.tables.map((one) => ({ table: one, columns: one.columns, notes })),
  };
  const [first, ...further] = schema.tables.map((one) => ({
    ...one,
    hiddenColumns: 1,
    described: new Set(one.columns.map(({ id }) => id)),
  }));
  const overview = { tables: first === undefined ? [] : [first], named: further };
  const hypothesis = {
    ...{
      id: 'h1',
      summary: text,
      differsBy: [],
      entities: [text],
      joins: [{ left: text, right: text }],
      time: text,
    },
    filters: [{ field: text, condition: text }],
    aggregations: [{ function: text, field: text }],
    ambiguous: [{ phrase: text, options: [text] }],
  };
  const uncertain = [
    {
      ...{ id: 'orders', kind: 'table' as const, support: 1, paths: 2, credibility: 0.5 },
      evidence: [{ name: 'values', value: text }],
      notes: [note],
    },
  ];
  const found = { score: 1, because: [note] };
  const card = {
    ...{
      table,
      members: 1,
      descriptions: [text],
      examples: [note],
      joins: [text],
      coQueried: [text],
      notes: [text],
    },
    ...{ isCertified: true, isDeprecated: false, popularity: 1, found, columns: [text] },
  };
  const part = {
    ...{ table, description: text, part: 1, parts: 1, joins: [text] },
    columns: table.columns.map((column) => ({
      ...{
        column,
        description: text,
        isPartitionKey: false,
        references: [text],
        values: [note],
        popularity: 0,
        found,
      },
    })),
  };
  const asked = { text, databaseLanguage: 'en', about: [text], ledger, signal: undefined };
  const ranked = {
    text,
    hint: text,
    notes: [text],
    jargon: [{ term: text, meaning: text }],
    ledger,
    signal: undefined,
  };
  const [writer, linker] = [writeByModel(model), modelReasoner(model)];
  const [ranker, reader, assistant] = [rankByModel(model), normaliseByModel(model), assistByModel(model)];
  const calls: readonly (() => Promise<unknown>)[] = [
    () => writer.write(question, { index: 0, method: 'plan', temperature: 0 }),
    () => writer.fix(question, broken),
    () => writer.revise(question, { sql: text, outcome: text, nearValues: [text] }),
    () => writer.research(question, view),
    () => writer.reflect(question, view),
    () => writer.writeTests(question),
    () => writer.judgeTests(question, [{ sql: text, result: text }], [text]),
    () => linker.hypothesise(question, schema, 4),
    () => linker.readTogether(question, overview, 4),
    () => linker.selectTables(question, hypothesis, schema),
    () => linker.selectFields(question, hypothesis, schema),
    () =>
      linker.refine(question, {
        turn: 2,
        turnsLeft: 1,
        hypotheses: [hypothesis],
        required: [text],
        uncertain,
        turns: [[{ call, text }]],
      }),
    () => ranker.rankTables(ranked, [card]),
    () => ranker.rankColumns(ranked, [part]),
    () => reader.validate(asked),
    () => reader.translate(asked),
    () => reader.keywords(asked),
    () => reader.standAlone(asked, [text]),
    () => assistant.nameTables({ text, ledger }),
    () =>
      assistant.route(
        { text, ledger },
        { turns: [{ question: text, answer: text }], lastQuery: text, tables: [text] },
      ),
    () =>
      assistant.judgeAnswer({ text, ledger }, { sql: text, golds: [text], schema: text, dialect: 'sqlite' }),
    () => assistant.describeQuery({ sql: text, dialect: 'sqlite', about: [text], ledger }),
    () =>
      assistant.answerAbout(
        { text, ledger },
        {
          ...{ schema: authoredText(text), knowledge: [text], lastQuery: text, understood: [text] },
          turns: [{ question: text, answer: text }],
        },
      ),
  ];
  // What this model says is of no use to any role; what it was told is what counts.
  for (const run of calls) await run().catch(onlyOfReplies);
}

function onlyOfReplies(error: unknown): void {
  if (!isUnusableReply(error)) throw error;
}

const BLOCK = /^<<<DATA [^\n]*\n[\s\S]*?\nDATA>>>$/gm;

/** The first request of each role: what a model is told before it has said anything. */
function byRole(requests: readonly ChatRequest[]): ReadonlyMap<string, ChatRequest> {
  const first = new Map<string, ChatRequest>();
  for (const request of requests) {
    const role = request.role ?? request.messages[0]?.content.slice(0, 200) ?? '';
    if (!first.has(role)) first.set(role, request);
  }
  return first;
}

describe('in every prompt', () => {
  /** Our own words of a request: what is in no block, and in no turn of the model. */
  const ownWords = ({ messages }: ChatRequest): string =>
    messages
      .map(({ role, content }) =>
        role === 'assistant' ? '' : content.replace(BLOCK, '‖').replace(/‖(?:\n‖)*/g, '‖'),
      )
      .join('\n¶\n');

  it('a harmful text changes nothing but the inside of blocks', async () => {
    const plain = byRole(await requestsSaying('a plain text'));
    expect(plain.size).toBeGreaterThanOrEqual(20);
    for (const { text } of TEXTS) {
      const hostile = byRole(await requestsSaying(text));
      expect([...hostile.keys()], text).toEqual([...plain.keys()]);
      for (const [role, request] of hostile) {
        expect(ownWords(request), `${role}: ${text}`).toBe(ownWords(plain.get(role) ?? request));
        expect(request.tools, role).toEqual(plain.get(role)?.tools);
      }
    }
  }, 120_000);
});

describe('before a model that obeys', () => {
  let places: TenantPlaces;
  let worlds: TenantWorlds;
  let before: string;
  const stateOf = (): string =>
    createHash('sha256')
      .update(readFileSync(places.sharedUrl.replace('sqlite:', '')))
      .digest('hex');
  beforeAll(async () => {
    places = await makeTenantFiles('sqlite');
    worlds = await openWorlds('sqlite', places);
    before = stateOf();
  });
  afterAll(() => worlds.close());

  /** What the model wrote, through the checks and, where they let it, through the guarded database. */
  async function runWritten(sql: string): Promise<string> {
    const catalog = catalogSaying('a plain text');
    const { ok } = await validateSql(sql, { catalog, database: worlds.shared }).catch(refusedAsFailed);
    const verdict = await compareWorlds(worlds, sql);
    return ok ? verdict.kind : `refused by the checks, then ${verdict.kind}`;
  }

  function refusedAsFailed(error: unknown): { ok: boolean } {
    if (!(error instanceof CandorError)) throw error;
    return { ok: false };
  }

  it('no query reads or changes what the policy keeps away', async () => {
    const seen = new Map<string, number>();
    for (const [at, { text }] of TEXTS.entries()) {
      const sql = HOSTILE_SQL[at % HOSTILE_SQL.length] ?? '';
      const form = REPLY_FORMS[at % REPLY_FORMS.length] ?? String;
      const writer = writeByModel(scriptedModel(() => form(sql)));
      const catalog = shareCatalog(catalogSaying(text), 'all');
      const question: WriteQuestion = {
        ...{
          text: 'how many orders?',
          hint: text,
          knowledge: [text],
          dialect: 'sqlite',
          today: '2024-01-01',
        },
        ...{ examples: [], schema: sharedSchemaText(catalog, 'all'), ledger: new TokenLedger() },
      };
      const written = await writer
        .write(question, { index: 0, method: 'direct', temperature: 0 })
        .catch(() => undefined);
      const outcome =
        written === undefined || !('sql' in written) ? 'nothing usable' : await runWritten(written.sql);
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
      expect(outcome, sql).not.toMatch(/leaked|different/);
    }
    // Most got as far as the checks, so the test has something to refuse.
    expect(seen.get('nothing usable') ?? 0).toBeLessThan(TEXTS.length / 2);
    expect(stateOf()).toBe(before);
  }, 120_000);

  it.each(HOSTILE_SQL)('a probe of refinement is guarded alike: %s', async (sql) => {
    const shown = shareCatalog(catalogSaying('a plain text'), 'all');
    const probe = { id: 'p', name: 'probe_sql', arguments: JSON.stringify({ sql, purpose: 'as ordered' }) };
    const keep = { id: 'k', name: 'keep', arguments: JSON.stringify({ items: ['rights', 'rights.region'] }) };
    const model = scriptedModel(({ role, tools }) => {
      if (tools !== undefined) return { toolCalls: [probe, keep] };
      expect(role).toBe('read together');
      const [orders, rights] = [
        { name: 'orders', columns: ['id'] },
        { name: 'rights', columns: ['region'] },
      ];
      return JSON.stringify({
        readings: [
          { plan: 'one', tables: [orders, rights], unseen: ['rights'] },
          { plan: 'two', tables: [rights], unseen: [] },
        ],
      });
    });
    const linked = await evilink(
      { text: 'orders per region', knowledge: [], ledger: new TokenLedger() },
      modelReasoner(model),
      {
        tables: indexTables(shown),
        notes: new Map(),
        membersOf: (id) => [id],
        probe: (query, limits, signal) => worlds.shared.query(query, limits, signal),
      },
      EVILINK_DEFAULTS,
    );
    expect(linked.items.map(({ id }) => id).filter((id) => id.startsWith('rights'))).toEqual([]);
    expect(linked.turns.flat().length).toBeGreaterThan(0);
    // A column without a name is headed by its own text.
    for (const { text } of linked.turns.flat())
      expect(text.replaceAll("'a secret%'", '')).not.toMatch(/foreign|secret/);
    expect(stateOf()).toBe(before);
  });
});
