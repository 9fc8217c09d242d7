import type { Database } from '../../../database/index.ts';
import type { Inventory } from '../inventory/inventory.ts';
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
