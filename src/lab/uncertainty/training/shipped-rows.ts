/** Rows that the shipped model learns from: mutated gold queries and SQL of the grounded engine, in the views that users have. */

import { prepareSchemaFacts, type SchemaFacts } from '../../../faults/index.ts';
import { type ReadQuery, readQuery } from '../../../faults/reading/index.ts';
import { seededRandom } from '../../../lib/index.ts';
import {
  formSchemaOpinion,
  type LinkForests,
  type PreparedLinker,
  prepareLinker,
} from '../../../reasoning/grounded/linking/index.ts';
import {
  type AskedQuestion,
  type FeatureSpace,
  labelFacts,
  labelNodes,
  prepareQuestion,
  readFeatures,
} from '../../../uncertainty/index.ts';
import type { LinkCase, LinkDatabase, LinkSet } from '../../linking/index.ts';
import { TEST_DATABASES } from '../../linking/replay-set.ts';
import { NodeRows } from '../data/node-rows.ts';
import { readPredictionSet, writersOf } from '../data/prediction-set.ts';
import { readStoredValues } from '../data/read-rows.ts';
import { pairsOf } from '../mutations/make-training-pairs.ts';
import type { ForestsOf } from './half-linkers.ts';

/** Who wrote a query, and whether it was seen beside others. */
export const SHIPPED_TAGS = [
  ...['mutated alone', 'mutated beside', 'engine alone', 'engine beside'],
  ...['predicted alone', 'predicted beside'],
] as const;
export type ShippedTag = (typeof SHIPPED_TAGS)[number];

/** SQL that the grounded engine or another system wrote, judged by its rows. */
export interface WrittenSql {
  readonly sql: string;
  readonly isRight: boolean;
  /** The systems, where it was not ours. */
  readonly writers?: readonly string[];
}

/** What rows are read of. */
export type RowsSet = Pick<LinkSet, 'name' | 'databases' | 'cases'>;

export interface ShippedRowsOptions {
  readonly forestsOf: ForestsOf;
  /** By name of the set and id of the case: `spider-train train-0`. */
  readonly written: ReadonlyMap<string, WrittenSql>;
  /** What other systems wrote for a question, by the same key. */
  readonly predicted?: ReadonlyMap<string, readonly WrittenSql[]>;
  /** Mutated candidates of each question that are judged; the others are seen beside them. */
  readonly judged: number;
  readonly seed: number;
  /** Questions of each set, evenly spread; absent: all. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (set: string, done: number, of: number) => void;
}

export interface ShippedRows {
  readonly rows: NodeRows;
  /** Questions whose gold, and queries that, cannot be read or labelled. */
  readonly leftOut: { questions: number; queries: number };
}

/** Candidates made of each question: one and up to eight beside it. */
const CANDIDATES = 9;
const MOST_OTHERS = 8;
/** Predictions of each question that become rows, alone and beside others. */
const PREDICTED = { alone: 8, beside: 2 };
/** How often something that a user may not have is missing; hints and questions by question, the others by query. */
const MISSING = { hint: 1 / 3, question: 0.1, values: 0.5, others: 0.5 };

/** Question by question, in the order of the sets; the same seed and data give the same rows. */
export async function readShippedRows(
  sets: readonly RowsSet[],
  space: FeatureSpace,
  options: ShippedRowsOptions,
): Promise<ShippedRows> {
  const { limit = Number.POSITIVE_INFINITY, signal, onProgress } = options;
  const shipped: ShippedRows = { rows: new NodeRows(space), leftOut: { questions: 0, queries: 0 } };
  const random = seededRandom(options.seed);
  for (const set of sets) {
    const prepared = new Map<string, PreparedDatabase>();
    const total = Math.min(limit, set.cases.length);
    for (let done = 0; done < total; done += 1) {
      signal?.throwIfAborted();
      onProgress?.(set.name, done, total);
      const asked = set.cases[Math.floor((done * set.cases.length) / total)];
      const found = asked && set.databases.get(asked.database);
      if (asked === undefined || found === undefined) continue;
      const forests = options.forestsOf(set.name, asked.database);
      const database = prepared.get(asked.database) ?? (await prepareDatabase(found, forests, signal));
      prepared.set(asked.database, database);
      addQuestion(shipped, { set: set.name, asked, database, random }, options);
    }
  }
  return shipped;
}

interface PreparedDatabase {
  readonly found: LinkDatabase;
  readonly linker: PreparedLinker;
  readonly forests: LinkForests;
  readonly bare: SchemaFacts;
  /** With the values of its columns; the same where the set has no rows. */
  readonly stored: SchemaFacts;
  readonly labels: ReturnType<typeof labelFacts>;
}

async function prepareDatabase(
  found: LinkDatabase,
  forests: LinkForests,
  signal?: AbortSignal,
): Promise<PreparedDatabase> {
  const { catalog } = found;
  const values = await readStoredValues(found, signal);
  const bare = prepareSchemaFacts(catalog);
  return {
    found,
    linker: prepareLinker(catalog),
    forests,
    bare,
    stored: values === undefined ? bare : prepareSchemaFacts(catalog, { stored: values }),
    labels: labelFacts(catalog),
  };
}

interface QuestionView {
  readonly set: string;
  readonly asked: LinkCase;
  readonly database: PreparedDatabase;
  readonly random: () => number;
}

interface Judged {
  readonly query: ReadQuery;
  readonly isRight: boolean;
  readonly others: readonly ReadQuery[];
  readonly writers?: readonly string[];
  readonly tag: ShippedTag;
}

function addQuestion(shipped: ShippedRows, view: QuestionView, options: ShippedRowsOptions): void {
  const { set, asked, database, random } = view;
  const { catalog } = database.found;
  const gold = readQuery(asked.goldSql ?? '', catalog.dialect, catalog);
  if (!gold.ok) {
    shipped.leftOut.questions += 1;
    return;
  }
  const question = viewQuestion(view);
  for (const { query, isRight, others, writers, tag } of judgedOf(view, gold.query, options)) {
    const schema = random() < MISSING.values ? database.bare : database.stored;
    const labels = labelNodes(query.tree, gold.query.tree, {}, database.labels);
    if (labels === undefined) {
      shipped.leftOut.queries += 1;
      continue;
    }
    const sources = { schema, ...(question && { asked: question }), others };
    shipped.rows.add({
      question: `${set} ${asked.id}`,
      database: `${set} ${asked.database}`,
      isRight,
      tag,
      ...(writers !== undefined && { writers }),
      types: query.tree.nodes.map(({ type }) => type),
      labels,
      values: readFeatures(query, sources, shipped.rows.space),
    });
  }
}

/** Without its hint, or missing altogether, now and then: the model has to work for who has only the SQL. */
function viewQuestion({ asked, database, random }: QuestionView): AskedQuestion | undefined {
  const [isMissing, isWithoutHint] = [random() < MISSING.question, random() < MISSING.hint];
  if (isMissing) return undefined;
  const [text, hint] = [asked.question, isWithoutHint ? '' : asked.hint];
  const opinion = formSchemaOpinion({ question: text, hint }, database.linker, database.forests);
  return prepareQuestion({ text, hint }, database.found.catalog, opinion);
}

function judgedOf(
  { set, asked, database, random }: QuestionView,
  gold: ReadQuery,
  { written, predicted, judged, seed }: ShippedRowsOptions,
): readonly Judged[] {
  const { catalog } = database.found;
  const pairs = pairsOf({ set, asked, catalog, gold }, CANDIDATES, seed);
  const queries = pairs.map(({ generated }) => generated);
  const mutated = pairs.slice(0, judged).map(({ generated, right }, at): Judged => {
    const siblings = queries.filter((_, place) => place !== at);
    const others = random() < MISSING.others ? [] : drawSome(siblings, random);
    return {
      query: generated,
      isRight: right,
      others,
      tag: others.length > 0 ? 'mutated beside' : 'mutated alone',
    };
  });
  const key = `${set} ${asked.id}`;
  const others = predictedOf(predicted?.get(key) ?? [], database, random);
  const own = written.get(key);
  const read = own && readQuery(own.sql, catalog.dialect, catalog);
  if (own === undefined || read?.ok !== true) return [...mutated, ...others];
  // There are few of them and they are what a writer really does: each is seen in both ways.
  const engine = { query: read.query, isRight: own.isRight };
  return [
    ...mutated,
    { ...engine, others: [], tag: 'engine alone' },
    { ...engine, others: drawSome(queries, random), tag: 'engine beside' },
    ...others,
  ];
}

/** Some of what other systems wrote, drawn by chance; mostly alone, as a query comes that somebody pastes. */
function predictedOf(
  predictions: readonly WrittenSql[],
  { found: { catalog } }: PreparedDatabase,
  random: () => number,
): readonly Judged[] {
  const drawn = predictions
    .map((one) => ({ one, place: random() }))
    .sort((a, b) => a.place - b.place)
    .slice(0, PREDICTED.alone)
    .map(({ one }) => one);
  const read = drawn.flatMap(({ sql, isRight, writers }) => {
    const query = readQuery(sql, catalog.dialect, catalog);
    return query.ok ? [{ query: query.query, isRight, ...(writers && { writers }) }] : [];
  });
  const alone = read.map((one): Judged => ({ ...one, others: [], tag: 'predicted alone' }));
  if (read.length < 2) return alone;
  const beside = read.slice(0, PREDICTED.beside).map((one, at): Judged => {
    const siblings = read.flatMap(({ query }, place) => (place === at ? [] : [query]));
    return { ...one, others: drawSome(siblings, random), tag: 'predicted beside' };
  });
  return [...alone, ...beside];
}

/** One to eight of the siblings. */
function drawSome(siblings: readonly ReadQuery[], random: () => number): readonly ReadQuery[] {
  const start = Math.floor(random() * siblings.length);
  const count = 1 + Math.floor(random() * MOST_OTHERS);
  return Array.from({ length: Math.min(count, siblings.length) }, (_, at) => {
    return siblings[(start + at) % siblings.length] as ReadQuery;
  });
}

// What other systems wrote and rows have judged: never of the databases that the model is tested on.

export interface PredictedQueries {
  /** Questions of the eight open databases of BIRD dev. */
  readonly openBird: RowsSet;
  /** By name of the set and id of the case: `bird 12`, `spider-train train-0`. */
  readonly queries: ReadonlyMap<string, readonly WrittenSql[]>;
}

/** Throws `eval.data-missing`. */
export async function readPredictedQueries(dataDirectory: string): Promise<PredictedQueries> {
  const bird = await readPredictionSet('bird', dataDirectory);
  const open = bird.questions.filter(({ database }) => !TEST_DATABASES.has(database));
  const spider = await readPredictionSet('spider-train', dataDirectory);
  const queries = new Map<string, readonly WrittenSql[]>();
  for (const { name, questions } of [{ ...bird, questions: open }, spider])
    for (const { id, predictions } of questions) {
      const judged = predictions.flatMap(({ sql, isRight, setups }) =>
        isRight === undefined ? [] : [{ sql, isRight, writers: writersOf(setups) }],
      );
      if (judged.length > 0) queries.set(`${name} ${id}`, judged);
    }
  return { openBird: { ...bird, cases: open }, queries };
}
