/** Values: columns, also of queries around, and what is computed from them. */
import type { WriteQuery } from './write-from.ts';
import { writePredicate } from './write-predicate.ts';
import { quoteIn, type Source, type Writing, writeName } from './writing.ts';

interface Wanted {
  readonly kind: 'number' | 'text';
  readonly writeQuery: WriteQuery;
}

const TEXTS = ['a', 'b', 'north', 'name 1', 'sku 3', 'secret 1', 'foreign name 1', '2024-03-01', ''];

export function writeExpression(writing: Writing, sources: readonly Source[], wanted: Wanted): string {
  const { random, depth } = writing;
  if (random.chance(0.6)) return writeColumn(writing, sources, wanted.kind);
  if (depth > 0 && random.chance(0.2)) return writeScalar(writing, sources, wanted);
  if (random.chance(0.15)) return writeCase(writing, sources, wanted);
  return wanted.kind === 'number'
    ? writeNumber(writing, sources, wanted)
    : writeText(writing, sources, wanted);
}

/** A column of a source, seldom of a query around. */
export function writeColumn(writing: Writing, sources: readonly Source[], kind: 'number' | 'text'): string {
  const { random, outer } = writing;
  const from = outer.length > 0 && random.chance(0.3) ? outer : sources;
  const columns = from.flatMap((source) =>
    source.columns.filter((column) => column.kind === kind).map((column) => ({ source, column })),
  );
  if (columns.length === 0) return kind === 'number' ? String(random.integer(0, 9)) : writeLiteral(writing);
  const { source, column } = random.pick(columns);
  const name = writeName(writing, column.name, false);
  const isAlone = [...sources, ...outer]
    .flatMap((other) => other.columns)
    .filter((other) => other.name === column.name);
  return isAlone.length === 1 && random.chance(0.3) ? name : `${source.called}.${name}`;
}

export function writeLiteral({ random }: Writing): string {
  return `'${random.pick(TEXTS)}'`;
}

function writeNumber(writing: Writing, sources: readonly Source[], wanted: Wanted): string {
  const { random } = writing;
  const number = (): string => writeColumn(writing, sources, 'number');
  return random.pick([
    `(${number()} + ${number()})`,
    `(${number()} - ${random.integer(1, 5)})`,
    `COALESCE(${number()}, ${random.integer(0, 3)})`,
    `NULLIF(${number()}, ${random.integer(0, 3)})`,
    `LENGTH(${writeExpression({ ...writing, depth: 0 }, sources, { ...wanted, kind: 'text' })})`,
    `ABS(${number()})`,
    String(random.integer(0, 20)),
  ]);
}

function writeText(writing: Writing, sources: readonly Source[], wanted: Wanted): string {
  const { random, traits } = writing;
  const text = (): string => writeColumn(writing, sources, 'text');
  return random.pick([
    `UPPER(${text()})`,
    `LOWER(${writeExpression({ ...writing, depth: 0 }, sources, wanted)})`,
    `SUBSTR(${text()}, 1, ${random.integer(1, 4)})`,
    `COALESCE(${text()}, ${writeLiteral(writing)})`,
    `(${traits.concat(text(), writeLiteral(writing))})`,
    `REPLACE(${text()}, ${writeLiteral(writing)}, 'x')`,
    writeLiteral(writing),
  ]);
}

function writeCase(writing: Writing, sources: readonly Source[], wanted: Wanted): string {
  const simple = { ...writing, depth: 0 };
  const value = (): string => writeColumn(simple, sources, wanted.kind);
  return `CASE WHEN ${writePredicate(simple, sources, wanted.writeQuery)} THEN ${value()} ELSE ${value()} END`;
}

/** A query of one value, correlated at times. */
function writeScalar(writing: Writing, sources: readonly Source[], { kind, writeQuery }: Wanted): string {
  const inner = { ...writing, depth: writing.depth - 1, outer: [...writing.outer, ...sources] };
  const { sql, columns } = writeQuery(inner, { kinds: [kind] });
  const [column] = columns;
  return `(SELECT MAX(${quoteIn(writing, `q`)}.${column?.name ?? ''}) FROM (${sql}) AS ${quoteIn(writing, `q`)})`;
}
