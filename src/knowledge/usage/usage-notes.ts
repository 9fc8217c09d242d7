/** What query logs tell of tables and joins, in words for whoever writes SQL. They hold counts and names of the schema, no value. */
import type { Catalog, ForeignKey } from '../../catalog/index.ts';
import type { Usage, UsedJoin } from './usage.ts';

export interface UsageNotes {
  /** By canonical id. */
  readonly tables: ReadonlyMap<string, readonly string[]>;
  readonly columns: ReadonlyMap<string, readonly string[]>;
  /** Without inferred keys that the logs contradict. */
  readonly foreignKeys: Catalog['foreignKeys'];
}

/** A statement or two may be somebody's mistake. */
const LEAST_RUNS = 3;

/** How much tables are used; joins that no declared or stated key has, at a column that is no key of its table. */
export function usageNotes(usage: Pick<Usage, 'tables' | 'joins'> | undefined, catalog: Catalog): UsageNotes {
  const { tables, foreignKeys } = catalog;
  if (usage === undefined) return { tables: new Map(), columns: new Map(), foreignKeys };
  const names = new Map(
    tables.flatMap((table) => table.columns.map(({ id, name }) => [id, `${table.name}.${name}`] as const)),
  );
  const joins = usage.joins.filter(
    ({ runs, on }) => runs >= LEAST_RUNS && on.every((pair) => pair.every((id) => names.has(id))),
  );
  const keys = singleKeys(catalog);
  const columns = new Map<string, readonly string[]>();
  for (const join of joins) {
    if (foreignKeys.some((key) => key.source !== 'inferred' && isSame(key, join))) continue;
    const on = join.on.map(([left, right]) =>
      keys.has(left) && !keys.has(right) ? [right, left] : [left, right],
    );
    const [[first = ''] = []] = on;
    const to = on.map(([from = '', at = ''], place) =>
      place === 0 ? names.get(at) : `${names.get(from)} = ${names.get(at)}`,
    );
    const text = `joined with ${to.join(' and ')} in ${queries(join)} of the logs`;
    columns.set(first, [...(columns.get(first) ?? []), text]);
  }
  const ids = new Set(tables.map(({ id }) => id));
  return {
    tables: new Map(
      usage.tables.flatMap(({ tableId, ...used }) =>
        ids.has(tableId) ? [[tableId, [`in the logs ${queries(used)} of ${people(used)}`]] as const] : [],
      ),
    ),
    columns,
    foreignKeys: foreignKeys.filter((key) => key.source !== 'inferred' || !isContradicted(key, joins, keys)),
  };
}

function singleKeys({ tables }: Catalog): ReadonlySet<string> {
  return new Set(tables.flatMap(({ primaryKey }) => (primaryKey.length === 1 ? primaryKey : [])));
}

function queries({ runs }: Pick<UsedJoin, 'runs'>): string {
  return `${runs.toLocaleString('en')} ${runs === 1 ? 'query' : 'queries'}`;
}

function people({ users }: Pick<UsedJoin, 'users'>): string {
  return users === 1 ? 'one person' : `${users.toLocaleString('en')} people`;
}

/** People join the same tables on other columns, or the same column to the key of another table, and never as the key has it. */
function isContradicted(key: ForeignKey, joins: readonly UsedJoin[], keys: ReadonlySet<string>): boolean {
  if (joins.some((join) => isSame(key, join))) return false;
  const ends = new Set([key.fromTable, key.toTable]);
  return joins.some(({ leftTable, rightTable, on }) => {
    if (leftTable !== rightTable && ends.has(leftTable) && ends.has(rightTable)) return true;
    const [pair] = on.length === 1 ? on : [];
    const other = pair?.find((id) => id !== key.fromColumns[0]);
    return pair?.includes(key.fromColumns[0] ?? '') === true && other !== undefined && keys.has(other);
  });
}

function isSame({ fromColumns, toColumns }: ForeignKey, { on }: UsedJoin): boolean {
  return (
    on.length === fromColumns.length &&
    fromColumns.every((from, at) =>
      on.some(
        ([left, right]) =>
          (left === from && right === toColumns[at]) || (right === from && left === toColumns[at]),
      ),
    )
  );
}
