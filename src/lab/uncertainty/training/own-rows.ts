/** Rows of a project's own: its verified pairs with errors written into them, and what people corrected. */
import type { Catalog } from '../../../catalog/index.ts';
import type { SchemaFacts } from '../../../faults/index.ts';
import { type ReadQuery, readQuery } from '../../../faults/reading/index.ts';
import { seededRandom } from '../../../lib/index.ts';
import {
  type AskedQuestion,
  applyIsotonic,
  calibrate,
  type FeatureValue,
  labelFacts,
  labelNodes,
  readFeatures,
  type UncertaintyModel,
} from '../../../uncertainty/index.ts';
import { NodeRows } from '../data/node-rows.ts';
import { pairsOf } from '../mutations/make-training-pairs.ts';

/** A question with the SQL that is right for it, and where a person corrected some, the SQL that was wrong. */
export interface OwnPair {
  readonly question: string;
  readonly hint?: string;
  readonly gold: string;
  readonly wrong?: string;
}

export interface OwnSources {
  readonly catalog: Catalog;
  readonly schema: SchemaFacts;
  readonly prepare: (question: string, hint?: string) => AskedQuestion;
  /** The model to be bettered: what it says of every row is kept beside the row. */
  readonly known: UncertaintyModel;
}

export interface OwnRows {
  readonly rows: NodeRows;
  /** What the known model says: log-odds by row, log-odds by query. */
  readonly nodeLogOdds: Float64Array;
  readonly queryLogOdds: Float64Array;
  /** Different questions. */
  readonly questions: number;
  /** Pairs whose SQL does not parse or is too large. */
  readonly leftOut: number;
}

export interface OwnRowsOptions {
  readonly seed: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
}

/** Candidates made of each gold. */
const CANDIDATES = 8;
const MOST_OTHERS = 4;
/** Share of the queries that are seen beside none. */
const ALONE = 0.5;

/** Pair by pair; the same seed gives the same rows. Every question is a database of its own, so that folds split by question. */
export async function readOwnRows(
  pairs: readonly OwnPair[],
  sources: OwnSources,
  { seed, signal, onProgress }: OwnRowsOptions,
): Promise<OwnRows> {
  const { catalog, schema, known } = sources;
  const rows = new NodeRows(known.space, 1 << 12);
  const facts = labelFacts(catalog);
  const random = seededRandom(seed);
  const nodeLogOdds: number[] = [];
  const queryLogOdds: number[] = [];
  let leftOut = 0;
  for (const [at, pair] of pairs.entries()) {
    signal?.throwIfAborted();
    onProgress?.(at, pairs.length);
    // Ctrl-C is heard between pairs only where the loop lets go.
    await new Promise((resolve) => setImmediate(resolve));
    const gold = readQuery(pair.gold, catalog.dialect, catalog);
    if (!gold.ok) {
      leftOut += 1;
      continue;
    }
    const question = keyOfQuestion(pair);
    const asked = sources.prepare(pair.question, pair.hint);
    for (const { query, isRight, others } of candidatesOf(pair, gold.query, { catalog, seed, random })) {
      const labels = labelNodes(query.tree, gold.query.tree, {}, facts);
      if (labels === undefined) continue;
      const values = readFeatures(query, { schema, asked, others }, known.space);
      const types = query.tree.nodes.map(({ type }) => type);
      rows.add({ question, database: question, isRight, tag: 'own', types, labels, values });
      const said = logOddsOf(values, types, known);
      nodeLogOdds.push(...said.nodes);
      queryLogOdds.push(said.query);
    }
  }
  return {
    rows,
    nodeLogOdds: Float64Array.from(nodeLogOdds),
    queryLogOdds: Float64Array.from(queryLogOdds),
    questions: new Set(rows.queries.map(({ question }) => question)).size,
    leftOut,
  };
}

/** The same question in another case or spacing is the same. */
export function keyOfQuestion({ question }: Pick<OwnPair, 'question'>): string {
  return question.toLowerCase().replace(/\s+/g, ' ').trim();
}

interface OwnCandidate {
  readonly query: ReadQuery;
  readonly isRight: boolean;
  readonly others: readonly ReadQuery[];
}

/** Mutations of the gold; beside them the query that a person found wrong, and what they made of it. */
function candidatesOf(
  { question, hint = '', wrong }: OwnPair,
  gold: ReadQuery,
  {
    catalog,
    seed,
    random,
  }: { readonly catalog: Catalog; readonly seed: number; readonly random: () => number },
): readonly OwnCandidate[] {
  const id = keyOfQuestion({ question });
  const made = pairsOf(
    { set: 'own', asked: { id, database: id, question, hint }, catalog, gold },
    CANDIDATES,
    seed,
  ).map(({ generated, right }) => ({ query: generated, isRight: right }));
  const read = wrong === undefined ? undefined : readQuery(wrong, catalog.dialect, catalog);
  const edited =
    read?.ok === true
      ? [
          { query: read.query, isRight: false },
          { query: gold, isRight: true },
        ]
      : [];
  const all = [...edited, ...made];
  return all.map((candidate, at) => {
    const siblings = all.filter((_, place) => place !== at).map(({ query }) => query);
    const start = Math.floor(random() * siblings.length);
    const count = random() < ALONE ? 0 : 1 + Math.floor(random() * MOST_OTHERS);
    const others = [...siblings.slice(start), ...siblings.slice(0, start)].slice(0, count);
    return { ...candidate, others };
  });
}

function logOddsOf(
  values: readonly FeatureValue[],
  types: readonly string[],
  { space, encode, nodes, queries, queryFeatures }: UncertaintyModel,
): { readonly nodes: readonly number[]; readonly query: number } {
  const row = new Float64Array(space.features.length);
  const scores = types.map((_, node) => {
    encode(values, node, row);
    return nodes.score(row);
  });
  encode(values, 0, row);
  const raw = scores.map((score) => 1 / (1 + Math.exp(-score)));
  return { nodes: scores, query: queries.score(queryFeatures.read(types, raw, row)) };
}

/** What calibrations make of the known model's log-odds. */
export function calibrated(
  { rows, nodeLogOdds, queryLogOdds }: Pick<OwnRows, 'rows' | 'nodeLogOdds' | 'queryLogOdds'>,
  { calibrator, queryCalibrator }: Pick<UncertaintyModel, 'calibrator' | 'queryCalibrator'>,
): { readonly nodes: Float64Array; readonly queries: Float64Array } {
  return {
    nodes: nodeLogOdds.map((score, row) => calibrate(calibrator, rows.typeAt(row), score)),
    queries: queryLogOdds.map((score) => applyIsotonic(queryCalibrator, score)),
  };
}
