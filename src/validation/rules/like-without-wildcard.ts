/** LIKE with a pattern in which nothing may vary, where a search was meant: `city LIKE 'Lyon'` of “Lyon 3e”. */

import type { SchemaFacts } from '../../faults/index.ts';
import {
  comparedColumn,
  operandsOf,
  type ReadQuery,
  unwrapped,
  writtenText,
} from '../../faults/reading/index.ts';
import { textOf } from '../../sql/tree/index.ts';
import type { Problem } from './problem.ts';

/**
 * Certain only: all values of the column are known, none is the pattern and one contains it. Without that it is how
 * many write `=`, right queries of BIRD train among them, or ask for a text in any case.
 */
export function findLikesWithoutWildcard(query: ReadQuery, schema: SchemaFacts): readonly Problem[] {
  return query.tree.nodes.flatMap((like): Problem[] => {
    // Who names a sign of escape has thought about wildcards.
    if (!SEARCHES.has(like.type) || like.parent?.type === 'Escape') return [];
    const pattern = operandsOf(like)?.right;
    if (pattern === undefined) return [];
    const literal = unwrapped(pattern);
    const written = writtenText(literal, query);
    if (written === undefined || MAY_VARY.test(textOf(query.tree, literal))) return [];
    if (!isOnlyContained(written, comparedColumn(literal, query), schema)) return [];
    const text = `${textOf(query.tree, like)} has no % and no _, so it compares with the whole text: no value of the column is it, and some contain it`;
    const span = { start: like.start, end: like.end };
    return [{ kind: 'like-without-wildcard', severity: 'warning', span, text, instead: [] }];
  });
}

const SEARCHES: ReadonlySet<string> = new Set(['Like', 'ILike']);

/** A backslash may spell a wildcard: `'\x25'` of BigQuery and Snowflake, `E'\x25'` of PostgreSQL. */
const MAY_VARY = /[%_\\]/;

/** Values that are looked through; of a column that has more, nothing is said. */
const MOST_VALUES = 1000;

function isOnlyContained(written: string, column: string | undefined, schema: SchemaFacts): boolean {
  const values = column === undefined ? undefined : schema.valuesOf(column);
  const wanted = written.toLowerCase().trim();
  if (!values?.isComplete || values.folded.size > MOST_VALUES || wanted === '') return false;
  return !values.folded.has(wanted) && [...values.folded].some((value) => value.includes(wanted));
}
