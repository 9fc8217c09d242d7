/**
 * What a BIRD question costs in prompt tokens before anything is written, stage by stage, beside the whole schema. Counted
 * with the tokenizer of GPT-4o (o200k); no model is asked. Databases with rows show stored values, the others have none.
 * `npx tsx bench/prompt-tokens.ts [--smoke] [--output json]`
 */
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer';
import { authoredText, type Catalog, renderSchema } from '../src/catalog/index.ts';
import { projectConfig, readTerminalEnvironment } from '../src/config/index.ts';
import { CandorError } from '../src/errors.ts';
import { emptySemanticModel, fallbackKeywords } from '../src/knowledge/index.ts';
import { resolvePlaces } from '../src/lab/corpus/suite-places.ts';
import type { LinkCase, LinkDatabase } from '../src/lab/linking/link-set.ts';
import { openRetrieval } from '../src/lab/linking/linkers/open-retrieval.ts';
import { readLinkSet } from '../src/lab/linking/read-link-set.ts';
import { LINK_DEFAULTS, linkSchema, prepareLinking } from '../src/linking/index.ts';
import { type ChatMessage, TokenLedger } from '../src/model/index.ts';
import { type RankReasoner, rankByRetrieval } from '../src/reasoning/index.ts';
import { rankColumnsPrompt } from '../src/reasoning/llm/prompts/rank-columns-prompt.ts';
import { rankTablesPrompt } from '../src/reasoning/llm/prompts/rank-tables-prompt.ts';
import { writePrompt } from '../src/reasoning/llm/prompts/write-prompt.ts';
import { closeSession, openSession } from '../src/session.ts';
import { readBenchOptions } from './bench-options.ts';
import { percentile } from './figures.ts';
import { printReport } from './print-report.ts';

const ABOUT = 'prompt tokens per BIRD question in fast mode: one query, no pairs, no notes; the bar is 6,000';
const BAR = 6_000;
const TODAY = '2024-06-01';
const SMOKE_CASES = 10;

interface Counted {
  readonly hasRows: boolean;
  /** Prompts of the table and the column ranker, if a model ranked. */
  readonly rankers: number;
  readonly linkedSchema: number;
  readonly wholeSchema: number;
  /** The writer's prompt over the linked schema, over what rankers leave, and over the whole schema. */
  readonly write: number;
  readonly writeRanked: number;
  readonly writeWhole: number;
}

const options = readBenchOptions();
const data =
  readTerminalEnvironment().dataDirectory ?? join(import.meta.dirname, '..', '..', 'shared', 'data');
const { cacheDirectory } = resolvePlaces({});
try {
  const only = options.isSmoke ? { only: new Set(['superhero']) } : {};
  const { databases, cases } = await readLinkSet('bird', { dataDirectory: data, ...only });
  const counted: Counted[] = [];
  for (const database of databases.values()) {
    const own = cases.filter((each) => each.database === database.name);
    counted.push(...(await countDatabase(database, options.isSmoke ? own.slice(0, SMOKE_CASES) : own)));
  }
  report(counted, databases.size);
} catch (error) {
  if (!(error instanceof CandorError) || error.code !== 'eval.data-missing') throw error;
  process.stderr.write(`prompt-tokens: nothing was measured. ${error.message}\n  → ${error.next}\n`);
  process.exitCode = 3;
}

async function countDatabase(database: LinkDatabase, cases: readonly LinkCase[]): Promise<Counted[]> {
  const catalog = await withStoredValues(database);
  const prepared = await prepareLinking(catalog);
  const retrieval = await openRetrieval(catalog);
  const whole = renderSchema(catalog);
  const wholeSchema = countTokens(whole);
  const counted: Counted[] = [];
  for (const asked of cases) {
    const ranker = countingRanker(rankByRetrieval());
    const link = async (mode: 'filter' | 'rankers') => {
      const question = { text: asked.question, hint: asked.hint, knowledge: [], ledger: new TokenLedger() };
      const sources = {
        ...prepared,
        semantics: emptySemanticModel,
        keywords: fallbackKeywords(asked.question),
        quoted: [],
        readings: () => [],
        ranker,
        ...(mode === 'rankers' && { retrieved: await retrieval.find(asked) }),
      };
      return renderSchema((await linkSchema(question, sources, { ...LINK_DEFAULTS, mode })).catalog);
    };
    const linked = await link('filter');
    const ranked = await link('rankers');
    counted.push({
      hasRows: database.databaseUrl !== undefined,
      rankers: ranker.tokens(),
      linkedSchema: countTokens(linked),
      wholeSchema,
      write: writerTokens(asked, linked),
      writeRanked: writerTokens(asked, ranked),
      writeWhole: writerTokens(asked, whole),
    });
  }
  await retrieval.close();
  return counted;
}

/** The catalog of the set with the profiles of the engine, where there are rows. */
async function withStoredValues({ name, catalog, databaseUrl }: LinkDatabase): Promise<Catalog> {
  if (databaseUrl === undefined) return catalog;
  const session = await openSession(projectConfig(join(cacheDirectory, 'linking', name), databaseUrl));
  try {
    const profiles = new Map(
      session.catalog.tables.flatMap(({ columns }) => columns.map(({ id, profile }) => [id, profile])),
    );
    const tables = catalog.tables.map((table) => ({
      ...table,
      columns: table.columns.map((column) => {
        const profile = profiles.get(column.id);
        return profile === undefined ? column : { ...column, profile };
      }),
    }));
    return { ...catalog, tables };
  } finally {
    await closeSession(session);
  }
}

/** Counts the prompts that a model would have been sent, and lets retrieval rank. */
function countingRanker(ranker: RankReasoner): RankReasoner & { readonly tokens: () => number } {
  let tokens = 0;
  return {
    kind: ranker.kind,
    tokens: () => tokens,
    rankTables: (question, cards) => {
      tokens += tokensOf(rankTablesPrompt(question, cards));
      return ranker.rankTables(question, cards);
    },
    rankColumns: (question, parts) => {
      tokens += tokensOf(rankColumnsPrompt(question, parts));
      return ranker.rankColumns(question, parts);
    },
  };
}

function writerTokens({ question, hint }: LinkCase, schema: string): number {
  const asked = {
    ...({ text: question, hint, dialect: 'sqlite', today: TODAY } as const),
    schema: authoredText(schema),
    ...{ knowledge: [], examples: [], ledger: new TokenLedger() },
  };
  return tokensOf(writePrompt(asked, { method: 'direct' }));
}

function tokensOf(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, { content }) => sum + countTokens(content), 0);
}

function report(counted: readonly Counted[], databases: number): void {
  const withRows = counted.filter(({ hasRows }) => hasRows);
  const fast = counted.map(({ write }) => write);
  const whole = counted.map(({ writeWhole }) => writeWhole);
  const rows = [
    summarise(
      'linking, grounded ranker',
      counted.map(() => 0),
    ),
    summarise(
      'linking, rankers by a model',
      counted.map(({ rankers }) => rankers),
    ),
    summarise(
      'schema, linked',
      counted.map(({ linkedSchema }) => linkedSchema),
    ),
    summarise(
      'schema, whole',
      counted.map(({ wholeSchema }) => wholeSchema),
    ),
    summarise('fast mode: grounded linking + writing', fast),
    summarise(
      'the same, databases with stored values',
      withRows.map(({ write }) => write),
    ),
    summarise(
      'rankers by a model + writing',
      counted.map(({ rankers, writeRanked }) => rankers + writeRanked),
    ),
    summarise('whole schema + writing', whole),
    summarise(
      'the same, databases with stored values',
      withRows.map(({ writeWhole }) => writeWhole),
    ),
  ];
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const figures = {
    questions: counted.length,
    databases,
    wholeToFast: sum(whole) / sum(fast),
    wholeSchemaToLinked:
      sum(counted.map((each) => each.wholeSchema)) / sum(counted.map((each) => each.linkedSchema)),
    fastAboveBarPercent: (100 * fast.filter((tokens) => tokens > BAR).length) / fast.length,
    wholeAboveBarPercent: (100 * whole.filter((tokens) => tokens > BAR).length) / whole.length,
  };
  printReport({ bench: 'prompt-tokens', about: ABOUT, rows, figures }, options);
}

function summarise(stage: string, tokens: readonly number[]): Record<string, string | number> {
  return {
    stage,
    questions: tokens.length,
    mean: Math.round(tokens.reduce((sum, each) => sum + each, 0) / Math.max(1, tokens.length)),
    p50: percentile(tokens, 0.5),
    p95: Math.round(percentile(tokens, 0.95)),
    max: Math.max(...tokens),
  };
}
