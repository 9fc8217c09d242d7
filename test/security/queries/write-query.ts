/** Queries drawn by chance: every way of the four engines to read a table, nested in each other. */
import type { Random } from '../../../src/demo/motors/random.ts';
import { createRandom } from '../../../src/demo/motors/random.ts';
import type { TenantTable } from '../two-tenants.ts';
import { writeExpression } from './write-expression.ts';
import { writeFrom } from './write-from.ts';
import { writePredicate } from './write-predicate.ts';
import {
  quoteIn,
  type Relation,
  type Source,
  TRAITS,
  type Traits,
  type Writing,
  type WrittenQuery,
} from './writing.ts';

/** MariaDB 10.11 dies of some queries that nest deeper, without any guard. */
const MAX_DEPTH: Readonly<Record<Traits['dialect'], number>> = {
  sqlite: 3,
  duckdb: 3,
  postgres: 3,
  mysql: 2,
};

/** One query; the same for the same seed. */
export function writeRandomQuery(
  seed: number,
  dialect: Traits['dialect'],
  tables: readonly TenantTable[],
): string {
  let last = 0;
  const visible = tables.filter(({ isHidden }) => isHidden !== true);
  const random = createRandom(seed);
  const own = visible.filter(({ made }) => made === undefined);
  const reading = visible.filter(({ made }) => made !== undefined);
  // Most are refused: in every third query one of them may be named, twice as often as any other table.
  const one = reading.length > 0 && random.chance(0.35) ? [random.pick(reading)] : [];
  const next = (): number => ++last;
  const writing = {
    random,
    traits: TRAITS[dialect],
    tables: [...own, ...one, ...one],
    depth: MAX_DEPTH[dialect],
    ctes: [],
    outer: [],
    next,
  };
  if (random.chance(0.04)) return writeRecursive(writing);
  return writeQuery(writing, { isTop: true }).sql;
}

interface QueryPlace {
  /** Columns may repeat and rows may be cut, which a query around would have to live with. */
  readonly isTop?: boolean;
  /** The kinds of the columns, where a set operation or a comparison asks for them. */
  readonly kinds?: readonly ('number' | 'text')[];
}

export function writeQuery(writing: Writing, place: QueryPlace): WrittenQuery {
  const { random, depth } = writing;
  if (depth > 0 && random.chance(0.2)) return writeWith(writing, place);
  if (depth > 0 && random.chance(0.15)) return writeSetOperation(writing, place);
  return writeSelect(writing, place);
}

function writeWith(writing: Writing, place: QueryPlace): WrittenQuery {
  const { random } = writing;
  const inner = { ...writing, depth: writing.depth - 1 };
  const ctes: Relation[] = [];
  const texts: string[] = [];
  for (let count = random.integer(1, 2); count > 0; count -= 1) {
    const body = writeQuery({ ...inner, ctes: [...writing.ctes, ...ctes] }, {});
    const name = cteName(writing, [...writing.ctes, ...ctes], body.sql);
    const list = random.chance(0.2)
      ? ` (${body.columns.map(({ name }) => quoteIn(writing, name)).join(', ')})`
      : '';
    texts.push(`${quoteIn(writing, name)}${list} AS (${body.sql})`);
    ctes.push({ name, columns: body.columns, isTable: false });
  }
  const write = random.chance(0.2) ? writeSetOperation : writeSelect;
  const main = write({ ...inner, ctes: [...writing.ctes, ...ctes] }, place);
  return { sql: `WITH ${texts.join(', ')} ${main.sql}`, columns: main.columns };
}

/** Mostly a new name; at times that of a table, which the CTE then hides. */
function cteName(
  { random, tables, next, traits }: Writing,
  taken: readonly Relation[],
  body: string,
): string {
  const table = random.pick(tables).name;
  const isFree = !taken.some(({ name }) => name === table);
  // SQLite takes a table of this name inside the CTE for the CTE itself.
  const isSafe = traits.dialect !== 'sqlite' || !body.toLowerCase().includes(table.toLowerCase());
  return isFree && isSafe && random.chance(0.3) ? table : `cte_${next()}`;
}

function writeSetOperation(writing: Writing, place: QueryPlace): WrittenQuery {
  const { random } = writing;
  const inner = { ...writing, depth: writing.depth - 1 };
  const kinds = place.kinds ?? drawKinds(random);
  const left = writeSelect(inner, { kinds });
  const right = writeSelect(inner, { kinds });
  const sign = random.pick(['UNION', 'UNION ALL', 'INTERSECT', 'EXCEPT'] as const);
  return { sql: `${left.sql} ${sign} ${right.sql}`, columns: left.columns };
}

function drawKinds(random: Random): readonly ('number' | 'text')[] {
  return Array.from({ length: random.integer(1, 3) }, () => random.pick(['number', 'text'] as const));
}

function writeSelect(writing: Writing, place: QueryPlace): WrittenQuery {
  const { random } = writing;
  const inner = { ...writing, depth: writing.depth - 1 };
  const from = writeFrom(inner, writeQuery);
  const where = random.chance(0.6) ? ` WHERE ${writePredicate(inner, from.sources, writeQuery)}` : '';
  const rest = ` FROM ${from.sql}${where}`;
  if (place.kinds === undefined && random.chance(0.2)) {
    const star = writeStar(writing, from.sources, place.isTop === true);
    if (star !== undefined) return { sql: `SELECT ${star.sql}${rest}`, columns: star.columns };
  }
  if (random.chance(0.3)) return writeGrouped(inner, { sources: from.sources, rest, place });
  const kinds = place.kinds ?? drawKinds(random);
  const items = kinds.map((kind) => ({
    sql: random.chance(0.1)
      ? writeWindow(inner, from.sources, kind)
      : writeExpression(inner, from.sources, { kind, writeQuery }),
    column: { name: `c${writing.next()}`, kind },
  }));
  const list = items.map(({ sql, column }) => `${sql} AS ${column.name}`).join(', ');
  const distinct = random.chance(0.15) ? 'DISTINCT ' : '';
  const columns = items.map(({ column }) => column);
  return {
    sql: `SELECT ${distinct}${list}${rest}${place.isTop ? writeEnd(writing, kinds.length) : ''}`,
    columns,
  };
}

/** All columns decide the order, so that a cut takes the same rows on both sides. */
function writeEnd({ random }: Writing, count: number): string {
  if (random.chance(0.5)) return '';
  const terms = Array.from(
    { length: count },
    (_, index) => `${index + 1}${random.chance(0.3) ? ' DESC' : ''}`,
  );
  return ` ORDER BY ${terms.join(', ')}${random.chance(0.6) ? ` LIMIT ${random.integer(1, 9)}` : ''}`;
}

/** `*` of one source, or of several where nobody asks for single columns. */
function writeStar(writing: Writing, sources: readonly Source[], isTop: boolean): WrittenQuery | undefined {
  const { random, traits } = writing;
  const [first] = sources;
  if (first === undefined) return undefined;
  if (traits.hasRowValues && isTop && random.chance(0.15)) return { sql: first.called, columns: [] };
  if (traits.isDuckdb && sources.length === 1 && random.chance(0.3)) {
    const dropped = random.pick(first.columns);
    const kept = first.columns.filter((column) => column !== dropped);
    if (kept.length > 0) return { sql: `* EXCLUDE (${quoteIn(writing, dropped.name)})`, columns: kept };
  }
  if (sources.length > 1 && isTop && random.chance(0.6)) return { sql: '*', columns: [] };
  return {
    sql: sources.length === 1 ? random.pick(['*', `${first.called}.*`]) : `${first.called}.*`,
    columns: first.columns,
  };
}

interface GroupedPlace {
  readonly sources: readonly Source[];
  readonly rest: string;
  readonly place: QueryPlace;
}

function writeGrouped(writing: Writing, { sources, rest, place }: GroupedPlace): WrittenQuery {
  const { random, traits } = writing;
  const kinds = place.kinds ?? drawKinds(random);
  const isKey = kinds.map(() => random.chance(0.5));
  const items = kinds.map((kind, index) => {
    const key = isKey[index] === true;
    const sql = key
      ? writeExpression({ ...writing, depth: 0, outer: [] }, sources, { kind, writeQuery })
      : writeAggregate(writing, sources, kind);
    return { sql, key, column: { name: `c${writing.next()}`, kind } };
  });
  const keys = items.flatMap(({ key }, index) => (key ? [String(index + 1)] : []));
  const group =
    keys.length > 0 ? ` GROUP BY ${traits.isDuckdb && random.chance(0.3) ? 'ALL' : keys.join(', ')}` : '';
  const having = random.chance(0.3)
    ? ` HAVING ${writeAggregate(writing, sources, 'number')} ${random.pick(['>', '<=', '<>'])} ${random.integer(0, 9)}`
    : '';
  const list = items.map(({ sql, column }) => `${sql} AS ${column.name}`).join(', ');
  const end = place.isTop ? writeEnd(writing, kinds.length) : '';
  return { sql: `SELECT ${list}${rest}${group}${having}${end}`, columns: items.map(({ column }) => column) };
}

function writeAggregate(writing: Writing, sources: readonly Source[], kind: 'number' | 'text'): string {
  const { random, traits } = writing;
  const simple = { ...writing, depth: 0, outer: [] };
  const value = (wanted: 'number' | 'text'): string =>
    writeExpression(simple, sources, { kind: wanted, writeQuery });
  const aggregate =
    kind === 'text'
      ? random.pick([`MIN(${value('text')})`, `MAX(${value('text')})`, traits.collect(value('text'))])
      : random.pick([
          'COUNT(*)',
          `COUNT(${value('text')})`,
          `COUNT(DISTINCT ${value(random.pick(['number', 'text'] as const))})`,
          `SUM(${value('number')})`,
          `MAX(${value('number')})`,
          `MIN(${value('number')})`,
        ]);
  if (!traits.hasFilter || !random.chance(0.1)) return aggregate;
  return `${aggregate} FILTER (WHERE ${writePredicate(simple, sources, writeQuery)})`;
}

/** Windows whose value does not hang on the order of equal rows. */
function writeWindow(writing: Writing, sources: readonly Source[], kind: 'number' | 'text'): string {
  const simple = { ...writing, depth: 0 };
  const value = (wanted: 'number' | 'text'): string =>
    writeExpression(simple, sources, { kind: wanted, writeQuery });
  const over = `PARTITION BY ${value('text')}`;
  if (kind === 'text') return `MAX(${value('text')}) OVER (${over})`;
  const ordered = `${over} ORDER BY ${value(writing.random.pick(['number', 'text'] as const))}`;
  return writing.random.pick([
    `COUNT(*) OVER (${over})`,
    `SUM(${value('number')}) OVER (${over})`,
    `RANK() OVER (${ordered})`,
    `DENSE_RANK() OVER (${ordered})`,
  ]);
}

/** Steps along the ids of a table, as one walks a hierarchy. */
function writeRecursive(writing: Writing): string {
  const { random } = writing;
  const table = random.pick(['customers', 'orders'] as const);
  const column = table === 'customers' ? 'email' : 'day';
  const name = random.chance(0.3) ? 'rates' : 'steps';
  return `WITH RECURSIVE ${name} AS (SELECT id, ${column} AS label FROM ${table} WHERE id <= ${random.integer(1, 4)}
    UNION ALL SELECT t.id, t.${column} FROM ${table} AS t JOIN ${name} AS s ON t.id = s.id + ${random.integer(1, 3)})
    SELECT COUNT(*), MAX(id), MIN(label) FROM ${name}`;
}
