/**
 * What a BIRD question costs in prompt tokens before anything is written, stage by stage, beside the whole schema. Counted
 * with the tokenizer of GPT-4o (o200k); no model is asked. Databases with rows show stored values, the others have none.
 * `npx tsx bench/prompt-tokens.ts [--smoke] [--output json]`
 */
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer';
import { CONTEXT_TOKENS } from '../src/answering/index.ts';
import { authoredText, type Catalog, renderSchema } from '../src/catalog/index.ts';
import { projectConfig, readTerminalEnvironment } from '../src/config/index.ts';
import { CandorError } from '../src/errors.ts';
import { buildValueIndex, emptySemanticModel, fallbackKeywords } from '../src/knowledge/index.ts';
import { resolvePlaces } from '../src/lab/corpus/suite-places.ts';
import type { LinkCase, LinkDatabase } from '../src/lab/linking/link-set.ts';
import { type OpenRetrieval, openRetrieval } from '../src/lab/linking/linkers/open-retrieval.ts';
import { readLinkSet } from '../src/lab/linking/read-link-set.ts';
import { LINK_DEFAULTS, linkSchema, type PreparedLinking, prepareLinking } from '../src/linking/index.ts';
import { TokenLedger } from '../src/model/index.ts';
import {
  buildKnowledge,
  formSchemaOpinion,
  type GroundedKnowledge,
  groundedLinkReasoner,
  hypothesise,
  openRatingModels,
  rankByRetrieval,
} from '../src/reasoning/index.ts';
import { writePrompt } from '../src/reasoning/llm/prompts/write-prompt.ts';
import { closeSession, openSession } from '../src/session.ts';
import { readBenchOptions } from './bench-options.ts';
import { percentile } from './figures.ts';
import { printReport } from './print-report.ts';
import { countingLinker, countingRanker, tokensOf } from './prompt-tokens/counting.ts';

const ABOUT = 'prompt tokens per BIRD question in fast mode: one query, no pairs, no notes; the bar is 6,000';
const BAR = 6_000;
const TODAY = '2024-06-01';
const NOW = new Date(`${TODAY}T12:00:00Z`);
const SMOKE_CASES = 10;

interface Counted {
  readonly hasRows: boolean;
  /** Prompts of the table and the column ranker, if a model ranked. */
  readonly rankers: number;
  /** Prompts of hypotheses, their paths and refinement, if a model replied as the readings of the grounded engine do. */
  readonly evilink: number;
  readonly linkedSchema: number;
  readonly wholeSchema: number;
  /** The writer's prompt over the linked schema, over what rankers and votes leave, and over the whole schema. */
  readonly write: number;
  readonly writeRanked: number;
  readonly writeVoted: number;
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
  const opened = {
    prepared: await prepareLinking(catalog),
    retrieval: await openRetrieval(catalog),
    knowledge: buildKnowledge(catalog, emptySemanticModel, buildValueIndex([]), await openRatingModels()),
  };
  const whole = renderSchema(catalog);
  const wholeSchema = countTokens(whole);
  const counted: Counted[] = [];
  for (const asked of cases) {
    const filter = await linkBy('filter', asked, opened);
    const rankers = await linkBy('rankers', asked, opened);
    const evilink = await linkBy('evilink', asked, opened);
    counted.push({
      hasRows: database.databaseUrl !== undefined,
      rankers: rankers.tokens,
      evilink: evilink.tokens,
      linkedSchema: countTokens(filter.schema),
      wholeSchema,
      write: writerTokens(asked, filter.schema),
      writeRanked: writerTokens(asked, rankers.schema),
      writeVoted: writerTokens(asked, evilink.schema),
      writeWhole: writerTokens(asked, whole),
    });
  }
  await opened.retrieval.close();
  return counted;
}

interface Opened {
  readonly prepared: PreparedLinking;
  readonly retrieval: OpenRetrieval;
  readonly knowledge: GroundedKnowledge;
}

/** The linked schema as text, and the tokens of the prompts that a model would have been sent for it. */
async function linkBy(
  mode: 'filter' | 'rankers' | 'evilink',
  asked: LinkCase,
  { prepared, retrieval, knowledge }: Opened,
): Promise<{ readonly schema: string; readonly tokens: number }> {
  let tokens = 0;
  const add = (more: number): void => {
    tokens += more;
  };
  const { question: text, hint } = asked;
  const opinion = formSchemaOpinion({ question: text, hint }, prepared.linker, prepared.forests);
  const readings = (): string[] => hypothesise(text, knowledge, NOW, hint).readings.map(({ sql }) => sql);
  const voters = () => groundedLinkReasoner(opinion, readings(), prepared.tables.catalog);
  const sources = {
    ...prepared,
    ...{ semantics: emptySemanticModel, keywords: fallbackKeywords(text), quoted: [], readings },
    ranker: countingRanker(rankByRetrieval(), add),
    ...(mode === 'rankers' && { retrieved: await retrieval.find(asked) }),
    ...(mode === 'evilink' && { reasoner: countingLinker(voters(), add) }),
  };
  const question = { text, hint, knowledge: [], ledger: new TokenLedger() };
  const { catalog } = await linkSchema(question, sources, { ...LINK_DEFAULTS, mode });
  return { schema: renderSchema(catalog), tokens };
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

function writerTokens({ question, hint }: LinkCase, schema: string): number {
  const asked = {
    ...({ text: question, hint, dialect: 'sqlite', today: TODAY } as const),
    schema: authoredText(schema),
    ...{ knowledge: [], examples: [], ledger: new TokenLedger() },
  };
  return tokensOf(writePrompt(asked, { method: 'direct' }));
}

/** As fast mode has it: the whole schema where it is small. */
function fastTokens({ wholeSchema, write, writeWhole }: Counted): number {
  return wholeSchema <= CONTEXT_TOKENS ? writeWhole : write;
}

function report(counted: readonly Counted[], databases: number): void {
  const withRows = counted.filter(({ hasRows }) => hasRows);
  const linked = counted.map(({ write }) => write);
  const fast = counted.map(fastTokens);
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
      'linking, EviLink by a model',
      counted.map(({ evilink }) => evilink),
    ),
    summarise(
      'schema, linked',
      counted.map(({ linkedSchema }) => linkedSchema),
    ),
    summarise(
      'schema, whole',
      counted.map(({ wholeSchema }) => wholeSchema),
    ),
    summarise('fast mode: whole schema up to 4,500 tokens, else linked', fast),
    summarise('the same, databases with stored values', withRows.map(fastTokens)),
    summarise('grounded linking + writing', linked),
    summarise(
      'the same, databases with stored values',
      withRows.map(({ write }) => write),
    ),
    summarise(
      'EviLink by a model + writing',
      counted.map(({ evilink, writeVoted }) => evilink + writeVoted),
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
    wholeToLinked: sum(whole) / sum(linked),
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
