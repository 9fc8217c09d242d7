/** Conditions: among them those that ask a masked or foreign value yes or no. */
import { writeColumn, writeExpression, writeLiteral } from './write-expression.ts';
import type { WriteQuery } from './write-from.ts';
import type { Source, Writing } from './writing.ts';

export function writePredicate(writing: Writing, sources: readonly Source[], writeQuery: WriteQuery): string {
  const { random, depth } = writing;
  if (random.chance(0.2)) {
    const sign = random.pick(['AND', 'OR']);
    const [left, right] = [
      writePlain(writing, sources, writeQuery),
      writePlain(writing, sources, writeQuery),
    ];
    return `(${left} ${sign} ${right})`;
  }
  if (random.chance(0.1)) return `NOT (${writePlain(writing, sources, writeQuery)})`;
  if (depth > 0 && random.chance(0.3)) return writeNested(writing, sources, writeQuery);
  return writePlain(writing, sources, writeQuery);
}

function writePlain(writing: Writing, sources: readonly Source[], writeQuery: WriteQuery): string {
  const { random } = writing;
  const kind = random.pick(['number', 'text'] as const);
  const simple = { ...writing, depth: 0 };
  const value = writeExpression(simple, sources, { kind, writeQuery });
  const other = random.chance(0.5)
    ? writeColumn(writing, sources, kind)
    : kind === 'number'
      ? String(random.integer(0, 30))
      : writeLiteral(writing);
  const form = random.integer(0, 9);
  if (form === 0) return `${value} IS ${random.pick(['', 'NOT '])}NULL`;
  if (form === 1 && kind === 'text')
    return `${value} LIKE '${random.pick(['a%', '%secret%', 'foreign%', 'n%', '_'])}'`;
  if (form === 2 && kind === 'number')
    return `${value} BETWEEN ${random.integer(0, 5)} AND ${random.integer(5, 40)}`;
  if (form === 3 && kind === 'text')
    return `${value} IN (${writeLiteral(writing)}, ${writeLiteral(writing)})`;
  return `${value} ${random.pick(['=', '<>', '<', '>='])} ${other}`;
}

/** IN, EXISTS and comparisons with queries of their own. */
function writeNested(writing: Writing, sources: readonly Source[], writeQuery: WriteQuery): string {
  const { random, traits } = writing;
  const inner = { ...writing, depth: writing.depth - 1, outer: [...writing.outer, ...sources] };
  const kind = random.pick(['number', 'text'] as const);
  const not = random.pick(['', 'NOT ']);
  const isHidden = writing.ctes.some(({ name }) => name === 'regions');
  if (traits.hasTableIn && !isHidden && random.chance(0.2))
    return `${writeColumn(writing, sources, 'text')} ${not}IN regions`;
  if (random.chance(0.5)) return `${not}EXISTS (${writeQuery(inner, { kinds: [kind] }).sql})`;
  return `${writeColumn(writing, sources, kind)} ${not}IN (${writeQuery(inner, { kinds: [kind] }).sql})`;
}
