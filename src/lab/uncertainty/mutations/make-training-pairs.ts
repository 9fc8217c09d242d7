/** Gold queries of Spider train and BIRD train, and what models might have written in their place. */
import type { Catalog } from '../../../catalog/index.ts';
import { type ReadQuery, readQuery } from '../../../faults/reading/index.ts';
import { fnv1a, seededRandom } from '../../../lib/index.ts';
import { normalKey } from '../../../sql/index.ts';
import { resolverFromScopes } from '../../../sql/normal/index.ts';
import { patchText } from '../../../sql/rewrite/index.ts';
import { type LinkCase, type LinkTrainingSetName, readLinkSet } from '../../linking/index.ts';
import { EDIT_COUNTS, ERROR_RATES, TOLERATED_RATES, TOLERATED_SHARE } from './error-rates.ts';
import { ERRORS, HARMLESS } from './mutations.ts';
import type { Edit, ErrorName, HarmlessName, Mutation } from './site/mutation.ts';
import { pickWeighted } from './site/near-columns.ts';
import { type Asked, openSite, pick } from './site/site.ts';

export interface TrainingPairOptions {
  readonly dataDirectory: string;
  readonly sets: readonly LinkTrainingSetName[];
  /** Candidates for each question; equal texts stay, as models repeat themselves. */
  readonly perQuestion: number;
  readonly seed: number;
  /** Questions of each set, evenly spread; absent: all. */
  readonly limit?: number;
  /** Names of databases; absent: all. */
  readonly only?: ReadonlySet<string>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: {
    readonly set: string;
    readonly done: number;
    readonly total: number;
  }) => void;
}

/** How likely a candidate is wrong, by question: some are easy and some hard, as for models. By judgement, not fitted. */
const DIFFICULTIES: readonly (readonly [wrong: number, share: number])[] = [
  [0.05, 0.25],
  [0.25, 0.25],
  [0.5, 0.2],
  [0.75, 0.15],
  [0.95, 0.15],
];
/** Wrong candidates that make the error which others of the question make too. */
const SHARED_ERROR = 0.45;
/** Of the wrong ones that share it, those with an error of their own beside it. */
const FURTHER_ERROR = 0.2;
/** Harmless changes of a candidate. */
const RESTYLINGS: readonly (readonly [edits: number, share: number])[] = [
  [0, 0.25],
  [1, 0.25],
  [2, 0.25],
  [4, 0.25],
];

/** Question by question, in the order of the sets; the same seed gives the same pairs. Throws `eval.data-missing`. */
export async function* makeTrainingPairs(options: TrainingPairOptions): AsyncGenerator<TrainingPair> {
  const { dataDirectory, sets, seed, only, limit = Number.POSITIVE_INFINITY, signal, onProgress } = options;
  for (const name of sets) {
    const set = await readLinkSet(name, {
      dataDirectory,
      ...(only === undefined ? {} : { only }),
      ...(name === 'bird-train' ? { descriptions: 'tasql' as const } : {}),
    });
    const total = Math.min(limit, set.cases.length);
    for (let done = 0; done < total; done += 1) {
      signal?.throwIfAborted();
      if (done % 500 === 0) onProgress?.({ set: name, done, total });
      const asked = set.cases[Math.floor((done * set.cases.length) / total)];
      const catalog = asked && set.databases.get(asked.database)?.catalog;
      const sql = asked?.goldSql;
      if (asked === undefined || catalog === undefined || sql === undefined) continue;
      const gold = readQuery(sql, catalog.dialect, catalog);
      // Sets leave out what does not parse; what is too large for the labeller is no training row either.
      if (gold.ok) yield* pairsOf({ set: name, asked, catalog, gold: gold.query }, options.perQuestion, seed);
    }
  }
}

export interface GoldCase {
  readonly set: string;
  readonly asked: Pick<LinkCase, 'id' | 'database' | 'question' | 'hint'>;
  readonly catalog: Catalog;
  readonly gold: ReadQuery;
}

/** The candidates of one question. */
export function pairsOf(
  { set, asked, catalog, gold }: GoldCase,
  count: number,
  seed: number,
): readonly TrainingPair[] {
  const questionId = `${set} ${asked.id}`;
  const { database, question, hint } = asked;
  const about = { questionId, database, catalog, question, hint, gold, weight: 1 / count };
  // A question's chance is its own: a question more or less changes nothing for the others.
  const writing: Writing = {
    gold,
    catalog,
    asked: { question, hint },
    random: seededRandom(seed ^ fnv1a(questionId)),
  };
  const wrongShare = pickWeighted(writing.random, DIFFICULTIES) ?? 0.5;
  const shared = mutate(gold, catalog, writing.asked, writing.random);
  const goldKey = keyOf(gold);
  return Array.from({ length: count }, () => {
    const isWrong = writing.random() < wrongShare;
    const changed = isWrong ? drawError(writing, shared) : drawTolerated(writing);
    const styled = restyleSome(writing, changed?.query ?? gold);
    const generated = styled?.query ?? changed?.query ?? gold;
    const edits = [...(changed?.edits ?? []), ...(styled?.edits ?? [])];
    // Where no error can be made the candidate stays right; and two errors may undo each other.
    const right = !isWrong || changed === undefined || keyOf(generated) === goldKey;
    return { ...about, generated, edits, right };
  });
}

interface Writing {
  readonly gold: ReadQuery;
  readonly catalog: Catalog;
  readonly asked: Asked;
  readonly random: () => number;
}

/** The question's own error, with another now and then, or one that no other candidate has. */
function drawError(
  { gold, catalog, asked, random }: Writing,
  shared: Mutated | undefined,
): Mutated | undefined {
  if (shared === undefined || random() >= SHARED_ERROR) return mutate(gold, catalog, asked, random);
  const further =
    random() < FURTHER_ERROR ? mutate(shared.query, catalog, asked, random, { edits: 1 }) : undefined;
  return further === undefined ? shared : { ...further, edits: [...shared.edits, ...further.edits] };
}

/** What right queries of models have beside their gold, as often as they have it. */
function drawTolerated({ gold, catalog, asked, random }: Writing): Mutated | undefined {
  if (random() >= TOLERATED_SHARE) return;
  return mutate(gold, catalog, asked, random, { edits: 1, rates: TOLERATED_RATES });
}

function restyleSome({ catalog, asked, random }: Writing, query: ReadQuery): Mutated | undefined {
  const edits = pickWeighted(random, RESTYLINGS) ?? 0;
  return edits === 0 ? undefined : restyle(query, catalog, asked, random, { edits });
}

/** Errors as language models make them, written into a query that was right. */
interface Mutated {
  readonly sql: string;
  /** The same, read. */
  readonly query: ReadQuery;
  /** In the order in which they were made. */
  readonly edits: readonly Edit[];
}

export interface MutateOptions {
  /** How many errors; absent: as many as wrong queries of models have. */
  readonly edits?: number;
  /** Kinds to choose from; absent: all. */
  readonly only?: readonly ErrorName[];
  /** How often each is made where it can be; absent: as in wrong queries of models. */
  readonly rates?: Readonly<Partial<Record<ErrorName, number>>>;
}

/** How often a harmless change is made where it can be, against the others. */
const HARMLESS_WEIGHTS: Partial<Readonly<Record<HarmlessName, number>>> = {
  'aliases-renamed': 4,
  'aliases-dropped': 3,
  'inner-word': 3,
  'count-of-key': 6,
  'qualifiers-dropped': 2,
  'output-named': 2,
  'join-order': 2,
};
/** Changes of one kind that are tried before another kind is. */
const TRIES = 3;

/**
 * A query with one to three errors; undefined where none can be made. The result parses, and its normal form is not that
 * of the query. `random` gives numbers in [0, 1); the same numbers give the same query. Never throws.
 */
export function mutate(
  query: ReadQuery,
  catalog: Catalog,
  asked: Asked,
  random: () => number,
  options: MutateOptions = {},
): Mutated | undefined {
  const wanted = options.edits ?? pickWeighted(random, EDIT_COUNTS) ?? 1;
  const kinds =
    options.only === undefined ? ERRORS : ERRORS.filter(({ name }) => options.only?.includes(name));
  const rates: MutateOptions['rates'] = options.rates ?? ERROR_RATES;
  const weighted = kinds.flatMap((kind) => {
    const rate = rates[kind.name];
    return rate === undefined ? [] : [[kind, rate] as const];
  });
  const keys = new Set([keyOf(query)]);
  return change({ query, catalog, asked, random }, { wanted, weighted, keys });
}

/** The query in other words, with `edits` harmless changes at most; undefined where none can be made. */
export function restyle(
  query: ReadQuery,
  catalog: Catalog,
  asked: Asked,
  random: () => number,
  options: { readonly edits: number; readonly only?: readonly HarmlessName[] },
): Mutated | undefined {
  const { only } = options;
  const kinds = only === undefined ? HARMLESS : HARMLESS.filter(({ name }) => only.includes(name));
  const weighted = kinds.map((kind) => [kind, HARMLESS_WEIGHTS[kind.name] ?? 1] as const);
  return change({ query, catalog, asked, random }, { wanted: options.edits, weighted });
}

interface Start {
  readonly query: ReadQuery;
  readonly catalog: Catalog;
  readonly asked: Asked;
  readonly random: () => number;
}

interface Changes {
  readonly wanted: number;
  readonly weighted: readonly (readonly [kind: Mutation, weight: number])[];
  /** Normal forms that may not come out, where the change must show. */
  readonly keys?: Set<string>;
}

function change(start: Start, { wanted, weighted, keys }: Changes): Mutated | undefined {
  const edits: Edit[] = [];
  let { query } = start;
  while (edits.length < wanted) {
    // A spelling that is changed twice is mostly the first one again.
    const left =
      keys === undefined
        ? weighted.filter(([{ name }]) => edits.every(({ kind }) => kind !== name))
        : weighted;
    const made = changeOnce({ ...start, query }, left, keys);
    if (made === undefined) break;
    query = made.query;
    edits.push(made.edit);
    keys?.add(keyOf(query));
  }
  return edits.length === 0 ? undefined : { sql: query.tree.text, query, edits };
}

/** Draws kinds until one can be made. */
function changeOnce(
  { query, catalog, asked, random }: Start,
  weighted: Changes['weighted'],
  keys: ReadonlySet<string> | undefined,
): { readonly query: ReadQuery; readonly edit: Edit } | undefined {
  const site = openSite(query, catalog, asked, random);
  let left = weighted;
  while (left.length > 0) {
    const kind = pickWeighted(random, left);
    if (kind === undefined) return;
    left = left.filter(([other]) => other !== kind);
    const proposals = [...kind.propose(site)];
    for (let tried = 0; tried < TRIES && proposals.length > 0; tried += 1) {
      const proposal = pick({ random }, proposals);
      if (proposal === undefined) break;
      proposals.splice(proposals.indexOf(proposal), 1);
      const changed = applied(query, catalog, proposal);
      if (changed === undefined || keys?.has(keyOf(changed)) === true) continue;
      return { query: changed, edit: { kind: kind.name, node: proposal.node.id } };
    }
  }
  return;
}

/** Undefined where the text does not parse any more, or its patches lie in each other. */
function applied(
  { tree }: ReadQuery,
  catalog: Catalog,
  { patches }: ReturnType<Mutation['propose']>[number],
): ReadQuery | undefined {
  const ordered = patches.toSorted((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  if (ordered.some(({ span }, at) => span.start < (ordered[at - 1]?.span.end ?? 0))) return;
  const read = readQuery(patchText(tree.text, ordered).trim(), tree.dialect, catalog);
  return read.ok && read.query.tree.text !== tree.text ? read.query : undefined;
}

/** What the query says, whatever its spelling. */
export function keyOf({ tree, scopes }: ReadQuery): string {
  return normalKey(tree, { resolve: () => resolverFromScopes(scopes) });
}

/** A query to learn from, beside the one that is right. */
export interface TrainingPair {
  /** The question; its pairs follow each other and share `gold`. */
  readonly questionId: string;
  readonly database: string;
  readonly catalog: Catalog;
  readonly question: string;
  readonly hint: string;
  readonly gold: ReadQuery;
  readonly generated: ReadQuery;
  /**
   * Whether it gives the gold's rows: executed where an engine wrote it. Else by how it was made, which is not certain: an
   * error may leave the rows as they are, a tolerated change may not. A tree that differs may be right.
   */
  readonly right: boolean;
  /** What was done to the gold; empty for the gold itself and for queries that something else wrote. */
  readonly edits: readonly Edit[];
  /** Of one question's pairs the weights are 1 in sum. */
  readonly weight: number;
}
