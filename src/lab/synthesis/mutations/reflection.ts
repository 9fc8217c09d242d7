/** A query that the engine refuses, with its true words; BAR-SQL §5. */
import { guarded } from '../../../database/index.ts';
import { CandorError } from '../../../errors.ts';
import { parse } from '../../../sql/index.ts';
import type { Dice } from '../items/seeded-random.ts';
import type { Seed } from '../seeds/make-seed.ts';
import type { Mutated, Mutation, MutationSource } from './mutation.ts';

const LIMITS = { rows: 10, bytes: 100_000, timeoutMs: 5_000 };

const AGGREGATES = /\b(COUNT|SUM|AVG)\(/;
const QUALIFIED = /\b([A-Za-z_]\w*)\.([A-Za-z_]\w*)\b/g;

const FAULTS: readonly Fault[] = [
  { kind: 'misspelt-keyword', damage: misspellKeyword },
  {
    kind: 'misspelt-function',
    damage: (sql) => replaced(sql, AGGREGATES, (name) => `${name.slice(1, -1)}${name.at(1)}(`),
  },
  { kind: 'illegal-character', damage: (sql, dice) => inserted(sql, dice, dice.pick(['¿', '§', '“', '€'])) },
  { kind: 'dropped-operator', damage: (sql) => replaced(sql, / (?:=|>=|<) (?='|\d)/, () => ' ') },
  {
    kind: 'unequal-union',
    damage: (sql) => `${sql.replace(/ ORDER BY [^()]*$/, '')} UNION SELECT 1, 2, 3, 4, 5`,
  },
  {
    kind: 'window-without-over',
    damage: (sql) => replaced(sql, / FROM /, () => ', ROW_NUMBER() AS place FROM '),
  },
  { kind: 'ambiguous-column', damage: unqualify },
  { kind: 'division-by-zero', damage: (sql) => replaced(sql, / FROM /, () => ', 1 / 0 AS ratio FROM ') },
  {
    kind: 'type-conversion',
    damage: (sql) => replaced(sql, / FROM /, () => ", CAST('many' AS INTEGER) AS number FROM "),
  },
  { kind: 'bad-group-by', damage: (sql) => replaced(sql, / GROUP BY [\w."]+/, () => ' GROUP BY COUNT(*)') },
  { kind: 'unknown-column', damage: (sql, dice) => misspellColumn(sql, dice) },
  { kind: 'unknown-table', damage: (sql) => replaced(sql, / JOIN (\w+)/, (all) => `${all}_list`) },
  { kind: 'aggregate-in-where', damage: (sql) => replaced(sql, / WHERE /, () => ' WHERE COUNT(*) > 0 AND ') },
  { kind: 'open-bracket', damage: (sql) => replaced(sql, /\)/, () => '') },
];

export const REFLECTIONS: readonly Mutation[] = FAULTS.map((fault) => ({
  category: 'reflection',
  kind: fault.kind,
  mutate: (seed, source) => breakQuery(seed, fault, source),
}));

async function breakQuery(
  { sql, otherSql, worded }: Seed,
  { damage }: Fault,
  source: MutationSource,
): Promise<Mutated | undefined> {
  const errorSql = damage(sql, source.dice);
  if (errorSql === undefined || errorSql === sql) return undefined;
  const errorMessage = await provoke(errorSql, source);
  if (errorMessage === undefined) return undefined;
  return {
    kind: '',
    question: worded.question,
    due: { kind: 'answered' },
    gold: sql,
    goldKind: 'sql',
    ...(otherSql !== undefined && { otherGolds: [otherSql] }),
    edits: [],
    errorSql,
    errorMessage,
  };
}

/**
 * What the engine says; undefined where it says nothing, so that the fault is none here. Text that is SQL runs through
 * the guard; what is SQL no more is our own text, and the engine is only asked for its plan.
 */
async function provoke(sql: string, { engine, signal }: MutationSource): Promise<string | undefined> {
  const isSql = parse(sql, engine.dialect).ok;
  try {
    if (isSql) await guarded(engine, { kind: 'own-queries' }).query(sql, LIMITS, signal);
    else await engine.explain(sql, signal);
    return undefined;
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof CandorError && error.code === 'database.query-failed')
      return error.cause instanceof CandorError ? error.cause.message : error.message;
    if (error instanceof CandorError) return undefined;
    throw error;
  }
}

/** A way to break a query; BAR-SQL §5 names the first ten. */
interface Fault {
  readonly kind: string;
  /** The broken text; undefined where the query has nothing that breaks so. */
  readonly damage: (sql: string, dice: Dice) => string | undefined;
}

/** The first match replaced; undefined where there is none. */
function replaced(sql: string, pattern: RegExp, write: (match: string) => string): string | undefined {
  return pattern.test(sql) ? sql.replace(pattern, (match) => write(match)) : undefined;
}

function misspellKeyword(sql: string, dice: Dice): string | undefined {
  const words = [
    ['SELECT ', 'SELCT '],
    [' FROM ', ' FORM '],
    [' WHERE ', ' WERE '],
    [' GROUP BY ', ' GRUOP BY '],
    [' ORDER BY ', ' ODER BY '],
    [' JOIN ', ' JION '],
  ] as const;
  const there = words.filter(([word]) => sql.includes(word));
  if (there.length === 0) return undefined;
  const [word, wrong] = dice.pick(there);
  return sql.replace(word, wrong);
}

/** Somewhere between two words behind the first FROM. */
function inserted(sql: string, dice: Dice, character: string): string | undefined {
  const start = sql.indexOf(' FROM ');
  const gaps = [...sql.matchAll(/ /g)].map(({ index }) => index).filter((index) => index > start);
  if (start < 0 || gaps.length === 0) return undefined;
  const at = dice.pick(gaps);
  return `${sql.slice(0, at)} ${character}${sql.slice(at)}`;
}

/** `areas.province_id` loses its table where another table of the query has a column of that name. */
function unqualify(sql: string): string | undefined {
  const tables = new Map<string, Set<string>>();
  for (const [, table = '', column = ''] of sql.matchAll(QUALIFIED))
    tables.set(column, new Set([...(tables.get(column) ?? []), table]));
  const shared = [...tables].find(([, owners]) => owners.size > 1)?.[0];
  if (shared === undefined) return undefined;
  const owner = [...(tables.get(shared) ?? [])][0] ?? '';
  const place = sql.indexOf(`${owner}.${shared}`);
  // A condition that names it bare is ambiguous; inside ON it may stand for itself.
  const condition = ` AND ${shared} IS NOT NULL`;
  const where = sql.indexOf(' WHERE ');
  if (place < 0 || where < 0) return undefined;
  const end = sql.indexOf(' GROUP BY ', where);
  return end < 0 ? `${sql}${condition}` : `${sql.slice(0, end)}${condition}${sql.slice(end)}`;
}

function misspellColumn(sql: string, dice: Dice): string | undefined {
  const found = [...sql.matchAll(QUALIFIED)];
  if (found.length === 0) return undefined;
  const chosen = dice.pick(found);
  const [whole, table = '', column = ''] = chosen;
  const wrong = dice.pick([
    `${column}s`,
    `${column}_name`,
    column.replace(/_?id$/, ''),
    `${table}_${column}`,
  ]);
  if (wrong === column || wrong === '') return undefined;
  return `${sql.slice(0, chosen.index)}${table}.${wrong}${sql.slice(chosen.index + whole.length)}`;
}
