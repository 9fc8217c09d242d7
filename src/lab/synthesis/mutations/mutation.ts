import type { Database } from '../../../database/index.ts';
import { nameWords } from '../../../language/index.ts';
import { type Inventory, lookupWords } from '../inventory/inventory.ts';
import type { BenchItem, Category } from '../items/bench-item.ts';
import type { Dice } from '../items/seeded-random.ts';
import type { Seed } from '../seeds/make-seed.ts';

/** What a mutation may look at and ask. */
export interface MutationSource {
  readonly inventory: Inventory;
  /** Through the guard. */
  readonly database: Database;
  /** The engine itself, for texts of ours that are no SQL any more: only their plan is asked for. */
  readonly engine: Database;
  /** Words of the schema, of the semantic model and of the stored values. */
  readonly known: KnownWords;
  readonly dice: Dice;
  readonly signal?: AbortSignal;
}

/** Tells whether a word could name something here. */
export interface KnownWords {
  /** Any word of it names, or is part of the name of, a table, column, metric, dimension or value. */
  readonly knows: (text: string) => boolean;
}

/** What a mutation makes of a seed: all of an item but what every item has. */
export type Mutated = Pick<
  BenchItem,
  'kind' | 'question' | 'due' | 'gold' | 'goldKind' | 'edits' | 'errorSql' | 'errorMessage' | 'otherGolds'
>;

export interface Mutation {
  readonly category: Category;
  /** Tells the kinds of one category apart. */
  readonly kind: string;
  /** Undefined where the seed does not meet what the kind needs, or the result could not be verified. */
  readonly mutate: (seed: Seed, source: MutationSource) => Promise<Mutated | undefined>;
}

/** Words that say nothing about what is measured: "rate", "average", "number". */
const EMPTY =
  /^(?:rate|ratio|share|average|mean|total|number|count|sum|amount|value|per|of|by|the|a|an|and|in|on|for|to|time|score|level|index|type|cost|price|days?|net|gross)$/i;

/** Collects every word of names, synonyms, comments of dimensions and values of people. */
export function collectKnownWords({ semantics, catalog, entities }: Inventory): KnownWords {
  const words = new Set<string>();
  const add = (text: string): void => {
    for (const word of lookupWords(text)) words.add(word);
  };
  for (const { name, columns } of catalog.tables) {
    for (const word of nameWords(name)) add(word);
    for (const column of columns) for (const word of nameWords(column.name)) add(word);
  }
  for (const { name, synonyms } of [...semantics.metrics, ...semantics.dimensions, ...semantics.datasets])
    for (const text of [name, ...synonyms]) add(text);
  for (const { surface } of semantics.valueMappings) for (const text of surface) add(text);
  for (const { surface } of [...entities.values()].flat()) add(surface);
  for (const { term, meaning } of semantics.jargon) for (const text of [term, meaning]) add(text);
  for (const { term } of semantics.vagueTerms) add(term);
  return {
    knows: (text) => lookupWords(text).some((word) => !EMPTY.test(word) && words.has(word)),
  };
}
