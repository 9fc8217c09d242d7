/**
 * What linking a BIRD question costs in prompt tokens, by who ranks, and the schema that it leaves beside the whole one. Counted
 * with the tokenizer of GPT-4o (o200k); no model is asked. Databases with rows show stored values, the others have none.
 * `npx tsx bench/linking-tokens.ts [--smoke] [--output json]`
 */
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer';
import type { Catalog } from '../src/catalog/index.ts';
import { renderSchema } from '../src/catalog/prompt-schema/index.ts';
import { projectConfig, readTerminalEnvironment } from '../src/config/index.ts';
import { CandorError } from '../src/errors.ts';
import { fallbackKeywords } from '../src/knowledge/retrieve/index.ts';
import { emptySemanticModel } from '../src/knowledge/semantic/index.ts';
import { buildValueIndex } from '../src/knowledge/values/index.ts';
import { resolvePlaces } from '../src/lab/corpus/suite-places.ts';
import { type OpenRetrieval, openRetrieval } from '../src/lab/linking/linkers/open-retrieval.ts';
import { readLinkSet } from '../src/lab/linking/read-link-set.ts';
import type { LinkCase, LinkDatabase } from '../src/lab/linking/sets/link-set.ts';
import { LINK_DEFAULTS, linkSchema, type PreparedLinking, prepareLinking } from '../src/linking/index.ts';
import { TokenLedger } from '../src/model/index.ts';
import {
  buildKnowledge,
  type GroundedKnowledge,
  hypothesise,
  rankByRetrieval,
} from '../src/reasoning/grounded/index.ts';
import { formSchemaOpinion, groundedLinkReasoner } from '../src/reasoning/grounded/linking/index.ts';
import { openRatingModels } from '../src/reasoning/grounded/rate/index.ts';
import { openSession } from '../src/session/project/open-session.ts';
import { readBenchOptions } from './bench-options.ts';
import { percentile } from './figures.ts';
import { countingLinker, countingRanker } from './linking-tokens/counting.ts';
import { printReport } from './print-report.ts';

const ABOUT = 'prompt tokens of linking a BIRD question, and of the schema that is left';
const NOW = new Date('2024-06-01T12:00:00Z');
const SMOKE_CASES = 10;

interface Counted {
  /** Prompts of the table and the column ranker, if a model ranked. */
  readonly rankers: number;
  /** Prompts of hypotheses, their paths and refinement, if a model replied as the readings of the grounded engine do. */
  readonly evilink: number;
  readonly linkedSchema: number;
  readonly wholeSchema: number;
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
  process.stderr.write(`linking-tokens: nothing was measured. ${error.message}\n  → ${error.next}\n`);
  process.exitCode = 3;
}

async function countDatabase(database: LinkDatabase, cases: readonly LinkCase[]): Promise<Counted[]> {
  const catalog = await withStoredValues(database);
  const opened = {
    prepared: await prepareLinking(catalog),
    retrieval: await openRetrieval(catalog),
    knowledge: buildKnowledge(catalog, emptySemanticModel, buildValueIndex([]), await openRatingModels()),
  };
  const wholeSchema = countTokens(renderSchema(catalog));
  const counted: Counted[] = [];
  for (const asked of cases) {
    const filter = await linkBy('filter', asked, opened);
    const rankers = await linkBy('rankers', asked, opened);
    const evilink = await linkBy('evilink', asked, opened);
    counted.push({
      rankers: rankers.tokens,
      evilink: evilink.tokens,
      linkedSchema: countTokens(filter.schema),
      wholeSchema,
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
    await session.close();
  }
}

function report(counted: readonly Counted[], databases: number): void {
  const of = (pick: (one: Counted) => number): readonly number[] => counted.map(pick);
  const [linked, whole] = [of(({ linkedSchema }) => linkedSchema), of(({ wholeSchema }) => wholeSchema)];
  const rows = [
    summarise(
      'linking by rankers, if a model ranks',
      of(({ rankers }) => rankers),
    ),
    summarise(
      'linking by EviLink, if a model links',
      of(({ evilink }) => evilink),
    ),
    summarise('schema, linked', linked),
    summarise('schema, whole', whole),
  ];
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const figures = { questions: counted.length, databases, wholeSchemaToLinked: sum(whole) / sum(linked) };
  printReport({ bench: 'linking-tokens', about: ABOUT, rows, figures }, options);
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
