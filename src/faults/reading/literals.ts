/** What a literal is, and whether the column it is compared with holds it. */

import type { Family } from '../../sql/scope/index.ts';
import { child, type SqlNode } from '../../sql/tree/index.ts';
import type { SampledValues, SchemaFacts } from '../schema/schema-facts.ts';
import { type Compared, comparedWith, writtenText } from './operands.ts';
import type { ReadQuery } from './read-query.ts';

/** `none` for a node that is no literal; `date` for a text that is written like one. */
export type LiteralType = Family | 'none';

export function literalType(node: SqlNode, query: ReadQuery): LiteralType {
  switch (node.type) {
    case 'Literal':
    case 'Column': {
      const text = writtenText(node, query);
      if (text !== undefined) return DATE.test(text) ? 'date' : 'text';
      return node.type === 'Literal' ? 'numeric' : 'none';
    }
    case 'Boolean':
      return 'bool';
    case 'Null':
      return 'unknown';
    case 'HexString':
    case 'BitString':
      return 'other';
    default:
      return 'none';
  }
}

const DATE = /^\d{4}-\d{1,2}-\d{1,2}(?:$|[T ])/;

/** Characters of a text; log10(1 + |v|) of a number. */
export function literalLength(node: SqlNode, query: ReadQuery): number {
  const text = writtenText(node, query);
  if (text !== undefined) return text.length;
  const size = Math.log10(1 + Math.abs(Number(node.value)));
  // Beyond what a double holds, the number of digits is the same figure; hexadecimal and other forms as well.
  return Number.isFinite(size) ? size : (node.value ?? '').length;
}

/** Values looked through for a pattern, and characters of the longest pattern looked for. */
const MOST_MATCHED = 1000;
const LONGEST_PATTERN = 200;

const EQUALITIES: ReadonlySet<string> = new Set(
  'EQ NEQ NullSafeEQ NullSafeNEQ Is In If Like ILike Glob'.split(' '),
);
const WITHOUT_CASE: ReadonlySet<string> = new Set(['Lower', 'Upper', 'Trim']);

/** What a value is looked up in. */
export interface ValueSources {
  readonly query: ReadQuery;
  readonly schema: SchemaFacts;
}

/**
 * Whether the column that a literal must equal holds it: 1 as spelled, 0.5 in other case or spaces, 0.25 not among the
 * values seen where these are not all, 0 not at all, -1 where no values are known or nothing must be equal.
 */
export function presence(literal: SqlNode, compared: Compared, { query, schema }: ValueSources): number {
  if (!EQUALITIES.has(compared.operator.type)) return -1;
  const isFolded = WITHOUT_CASE.has(compared.opposite.type);
  const column = isFolded ? child(compared.opposite, 'this') : compared.opposite;
  const id = column && columnId(column, query);
  const values = id === undefined ? undefined : schema.valuesOf(id);
  if (values === undefined || values.exact.size === 0) return -1;
  const written = writtenText(literal, query);
  if (written === undefined) return literal.type === 'Literal' ? numberPresence(literal, values) : -1;
  const isPattern = compared.operator.type === 'Like' || compared.operator.type === 'ILike';
  if (isPattern) return patternPresence(written, values);
  if (values.exact.has(written)) return 1;
  if (values.folded.has(written.toLowerCase().trim())) return isFolded ? 1 : 0.5;
  return absence(values);
}

function absence({ isComplete }: SampledValues): number {
  return isComplete ? 0 : 0.25;
}

/** The id of the schema's column that a literal is compared with; of LOWER(x) and its like, x. */
export function comparedColumn(literal: SqlNode, query: ReadQuery): string | undefined {
  const opposite = comparedWith(literal)?.opposite;
  const column = opposite && WITHOUT_CASE.has(opposite.type) ? child(opposite, 'this') : opposite;
  return column && columnId(column, query);
}

/** The one column of the schema whose value a Column is, unchanged. */
function columnId(column: SqlNode, { scopes }: ReadQuery): string | undefined {
  const reference = scopes.references[column.id];
  if (reference?.kind !== 'column' && reference?.kind !== 'alias') return undefined;
  return reference.lineage.physical[0]?.id;
}

/** `5`, `5.0` and `05` are one number, and engines spell it differently. */
function numberPresence({ value = '', parent, role }: SqlNode, values: SampledValues): number {
  const number = Number(value) * (parent?.type === 'Neg' && role === 'this' ? -1 : 1);
  const spellings = [String(number), number.toFixed(1), number.toFixed(2)];
  if (parent?.type !== 'Neg') spellings.push(value);
  return spellings.some((spelling) => values.exact.has(spelling)) ? 1 : absence(values);
}

/** LIKE with `%` at its ends only, or without; other patterns are not looked for. */
function patternPresence(pattern: string, values: SampledValues): number {
  if (pattern.length > LONGEST_PATTERN) return -1;
  const isOpenBefore = pattern.startsWith('%');
  const isOpenAfter = pattern.endsWith('%');
  const wanted = pattern.replace(/^%+|%+$/g, '').toLowerCase();
  if (/[%_]/.test(wanted)) return -1;
  let left = MOST_MATCHED;
  for (const value of values.folded) {
    if (isOpenBefore && isOpenAfter ? value.includes(wanted) : matchesEnds(value)) return 1;
    left -= 1;
    if (left === 0) return 0.25;
  }
  return absence(values);

  function matchesEnds(value: string): boolean {
    if (isOpenBefore) return value.endsWith(wanted);
    return isOpenAfter ? value.startsWith(wanted) : value === wanted;
  }
}
