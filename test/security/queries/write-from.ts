/** FROM: tables, CTEs, derived tables and laterals, joined in every way. */
import { writePredicate } from './write-predicate.ts';
import {
  quoteIn,
  type Relation,
  type Source,
  type Writing,
  type WrittenQuery,
  writeName,
} from './writing.ts';

export type WriteQuery = (
  writing: Writing,
  place: { readonly kinds?: readonly ('number' | 'text')[] },
) => WrittenQuery;

export interface WrittenFrom {
  readonly sql: string;
  readonly sources: readonly Source[];
}

export function writeFrom(writing: Writing, writeQuery: WriteQuery): WrittenFrom {
  const { random } = writing;
  const first = writeSource(writing, [], writeQuery);
  let { sql } = first;
  const sources = [first.source];
  for (let count = random.pick([0, 0, 1, 1, 2]); count > 0; count -= 1) {
    const joined = writeJoin(writing, sources, writeQuery);
    sql += joined.sql;
    sources.push(joined.source);
  }
  return { sql, sources };
}

interface WrittenSource {
  readonly sql: string;
  readonly source: Source;
}

function writeJoin(writing: Writing, sources: readonly Source[], writeQuery: WriteQuery): WrittenSource {
  const { random, traits } = writing;
  if (traits.hasLateral && writing.depth > 0 && random.chance(0.15))
    return writeLateral(writing, sources, writeQuery);
  const { sql, source } = writeSource(writing, sources, writeQuery);
  const [before] = sources;
  const shared =
    before?.columns.filter(({ name }) => source.columns.some((column) => column.name === name)) ?? [];
  // NATURAL and USING merge columns; their names stay clear with two sources.
  if (sources.length === 1 && shared.length > 0 && random.chance(0.25)) {
    const merged = random.chance(0.4);
    const list = shared.slice(0, random.integer(1, shared.length)).map(({ name }) => quoteIn(writing, name));
    const side = random.pick(['', 'LEFT ', 'INNER ']);
    const text = merged ? ` NATURAL ${side}JOIN ${sql}` : ` ${side}JOIN ${sql} USING (${list.join(', ')})`;
    return { sql: text, source };
  }
  if (random.chance(0.1)) return { sql: ` CROSS JOIN ${sql}`, source };
  const sides = [
    'JOIN',
    'INNER JOIN',
    'LEFT JOIN',
    'LEFT JOIN',
    'RIGHT JOIN',
    ...(traits.hasFullJoin ? ['FULL JOIN'] : []),
  ];
  const side = random.pick(sides);
  return { sql: ` ${side} ${sql} ON ${writeOn(writing, sources, { source, side, writeQuery })}`, source };
}

interface JoinedSource {
  readonly source: Source;
  readonly side: string;
  readonly writeQuery: WriteQuery;
}

/** Full joins want an equality of the two sides in most engines. */
function writeOn(
  writing: Writing,
  sources: readonly Source[],
  { source, side, writeQuery }: JoinedSource,
): string {
  const { random } = writing;
  const pairs = sources.flatMap((other) =>
    other.columns.flatMap((a) =>
      source.columns
        .filter((b) => a.kind === b.kind)
        .map(
          (b) => `${other.called}.${quoteIn(writing, a.name)} = ${source.called}.${quoteIn(writing, b.name)}`,
        ),
    ),
  );
  if (pairs.length === 0) return '1 = 1';
  const equal = random.pick(pairs);
  if (side === 'FULL JOIN' || random.chance(0.7)) return equal;
  const simple = { ...writing, depth: 0, outer: [] };
  return `${equal} AND ${writePredicate(simple, [...sources, source], writeQuery)}`;
}

function writeLateral(writing: Writing, sources: readonly Source[], writeQuery: WriteQuery): WrittenSource {
  const inner = writeQuery(
    { ...writing, depth: Math.min(writing.depth - 1, 1), outer: [...writing.outer, ...sources] },
    { kinds: ['number', 'text'] },
  );
  const called = `l${writing.next()}`;
  const join = writing.random.pick([' CROSS JOIN', ' JOIN', ' LEFT JOIN']);
  const on = join === ' CROSS JOIN' ? '' : ' ON TRUE';
  return {
    sql: `${join} LATERAL (${inner.sql}) AS ${called}${on}`,
    source: { called, columns: inner.columns },
  };
}

function writeSource(writing: Writing, others: readonly Source[], writeQuery: WriteQuery): WrittenSource {
  const { random, ctes, tables, traits } = writing;
  if (writing.depth > 0 && random.chance(0.2)) {
    const inner = writeQuery({ ...writing, outer: [] }, {});
    if (inner.columns.length > 0) {
      const called = `d${writing.next()}`;
      return { sql: `(${inner.sql}) AS ${called}`, source: { called, columns: inner.columns } };
    }
  }
  const all: readonly Relation[] = tables
    .filter(({ name }) => !ctes.some((cte) => cte.name === name))
    .map(({ name, columns }) => ({ name, columns, isTable: true }));
  const relation = ctes.length > 0 && random.chance(0.6) ? random.pick(ctes) : random.pick(all);
  const bare = relation.isTable ? writeName(writing, relation.name, true) : quoteIn(writing, relation.name);
  const isQualified = relation.isTable && traits.schema !== undefined && random.chance(0.1);
  const written = isQualified ? `${traits.schema}.${bare}` : bare;
  const taken = others.map(({ called }) => called.toLowerCase().replaceAll(/["`]/g, ''));
  if (random.chance(0.3) && !taken.includes(relation.name.toLowerCase()) && !isQualified) {
    return { sql: written, source: { called: quoteIn(writing, relation.name), columns: relation.columns } };
  }
  // At times the name of another table, which the alias then hides.
  const other = random.pick(tables).name;
  const called =
    random.chance(0.15) && !taken.includes(other.toLowerCase())
      ? quoteIn(writing, other)
      : `t${writing.next()}`;
  return {
    sql: `${written}${random.pick([' AS ', ' '])}${called}`,
    source: { called, columns: relation.columns },
  };
}
