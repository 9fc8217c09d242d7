/** Errors as language models make them, written into a query that was right. */
import type { Catalog } from '../../../catalog/index.ts';
import { type ReadQuery, readQuery } from '../../../faults/index.ts';
import { normalKey, patchText, resolverFromScopes } from '../../../sql/index.ts';
import { EDIT_COUNTS, ERROR_RATES } from './error-rates.ts';
import type { Edit, ErrorName, HarmlessName, Mutation } from './mutation.ts';
import { ERRORS, HARMLESS } from './mutations.ts';
import { pickWeighted } from './near-columns.ts';
import { type Asked, openSite, pick } from './site.ts';

export interface Mutated {
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
