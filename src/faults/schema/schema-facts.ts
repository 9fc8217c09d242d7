/** The name of a schema that a written name is nearest to, by edit distance. */

import type { Catalog, Column, Table } from '../../catalog/index.ts';
import { BoundedMap } from '../../lib/index.ts';

/** A catalog made ready for the features of nodes. */
export interface SchemaFacts {
  readonly catalog: Catalog;
  /** By canonical id. */
  readonly tables: ReadonlyMap<string, Table>;
  readonly columns: ReadonlyMap<string, Column>;
  /** By lower-case name. */
  readonly tablesNamed: ReadonlyMap<string, readonly Table[]>;
  readonly columnsNamed: ReadonlyMap<string, readonly Column[]>;
  readonly primaryKeys: ReadonlySet<string>;
  /** Columns at either end of a foreign key are in one set each: those that refer, those that are referred to. */
  readonly referring: ReadonlySet<string>;
  readonly referred: ReadonlySet<string>;
  /** Whether a declared, stated or inferred key joins the two columns (ids, either way round). */
  readonly isKeyPair: (one: string, other: string) => boolean;
  /** The name of a table or column nearest to this one by edit distance, any case; undefined in an empty schema. */
  readonly nearest: (name: string) => NearestName | undefined;
  /** Values seen in a column, lower case and trimmed to their spelling; undefined where none were sampled. */
  readonly valuesOf: (columnId: string) => SampledValues | undefined;
}

export interface NearestName {
  readonly name: string;
  /** Levenshtein, lower case. */
  readonly distance: number;
  /** Names within a distance of 2. */
  readonly within2: number;
}

export interface SampledValues {
  readonly exact: ReadonlySet<string>;
  /** Lower case, trimmed. */
  readonly folded: ReadonlySet<string>;
  /** Whether these are all values the column has. */
  readonly isComplete: boolean;
}

/** Of a longer name the beginning is compared; names of engines end earlier. */
const LONGEST = 128;
/** Found names that are kept, so that a query that is looked at again costs nothing. */
const MOST_KEPT = 20_000;
const NEAR = 2;

/**
 * Prepares the look-up among `names`, any case. Distances are Levenshtein's (insert, delete, replace: 1 each) between
 * lower-case names; of equally near names the first of the alphabet is given.
 * `nearestSchemaName(['artist', 'album'])('Artists')` → `{ name: 'artist', distance: 1, within2: 1 }`
 */
export function nearestSchemaName(names: Iterable<string>): (name: string) => NearestName | undefined {
  const spelled = new Map<string, string>();
  for (const name of names) {
    const lower = name.toLowerCase();
    if (!spelled.has(lower)) spelled.set(lower, name);
  }
  const known = [...spelled.keys()].sort().map((lower) => lower.slice(0, LONGEST));
  const kept = new BoundedMap<string, NearestName | undefined>(MOST_KEPT);
  return (name) => {
    const wanted = name.toLowerCase().slice(0, LONGEST);
    return kept.getOrMake(wanted, () => findNearest(wanted, known, spelled));
  };
}

function findNearest(
  wanted: string,
  known: readonly string[],
  spelled: ReadonlyMap<string, string>,
): NearestName | undefined {
  let nearest: string | undefined;
  let distance = spelled.has(wanted) ? 0 : Number.POSITIVE_INFINITY;
  let within2 = 0;
  for (const name of known) {
    // Only what is nearer than the nearest, or counts as near, has to be told exactly.
    const bound = Math.max(NEAR, distance - 1);
    const found = distanceWithin(wanted, name, bound);
    if (found <= NEAR) within2 += 1;
    if (found < distance || (nearest === undefined && found === distance)) {
      nearest = name;
      distance = found;
    }
  }
  return nearest === undefined ? undefined : { name: spelled.get(nearest) ?? nearest, distance, within2 };
}

/** One row of the table of distances; every call fills it anew. */
const ROW = new Uint16Array(LONGEST + 1);

/** Levenshtein's distance of two texts of at most `LONGEST` characters; infinite when it is beyond the bound. */
function distanceWithin(one: string, other: string, bound: number): number {
  if (Math.abs(one.length - other.length) > bound) return Number.POSITIVE_INFINITY;
  const row = ROW;
  for (let column = 0; column <= other.length; column += 1) row[column] = column;
  for (let at = 1; at <= one.length; at += 1) {
    let diagonal = row[0] ?? 0;
    let least = at;
    row[0] = at;
    for (let column = 1; column <= other.length; column += 1) {
      const above = row[column] ?? 0;
      const replaced = diagonal + (one.charCodeAt(at - 1) === other.charCodeAt(column - 1) ? 0 : 1);
      const best = Math.min(replaced, above + 1, (row[column - 1] ?? 0) + 1);
      row[column] = best;
      if (best < least) least = best;
      diagonal = above;
    }
    // No later row has less than the least of this one.
    if (least > bound) return Number.POSITIVE_INFINITY;
  }
  return row[other.length] ?? 0;
}
