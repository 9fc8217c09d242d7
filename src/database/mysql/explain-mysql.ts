import type { Plan } from '../interface/database.ts';
import type { ReadCatalogRows } from './mysql-connection.ts';

/**
 * MySQL says its cost in the plan, MariaDB 10.11 in a variable of the session, and only of a query without derived
 * tables. Rows follow from what is read of each table.
 */
export async function explainMysql(sql: string, read: ReadCatalogRows): Promise<Plan> {
  let text = '';
  await read(`EXPLAIN FORMAT=JSON ${sql}`, ([json]) => {
    text = String(json);
  });
  const block = field(JSON.parse(text), 'query_block');
  let cost = Number(field(field(block, 'cost_info'), 'query_cost') ?? field(block, 'cost') ?? 0);
  if (cost === 0) {
    await read("SHOW SESSION STATUS LIKE 'Last_query_cost'", ([, value]) => {
      cost = Number(value);
    });
  }
  const rows = joinedRows(block);
  return {
    ...(rows === undefined ? {} : { rows }),
    ...(cost > 0 ? { cost } : {}),
  };
}

/** Goes through sorting down to the tables of the outermost SELECT. */
function joinedRows(block: unknown): number | undefined {
  if (typeof block !== 'object' || block === null) return undefined;
  const own = tableRows(block);
  if (own !== undefined) return own;
  const loop = field(block, 'nested_loop');
  if (Array.isArray(loop)) {
    let rows = 1;
    for (const entry of loop) rows *= joinedRows(entry) ?? 1;
    return rows;
  }
  for (const step of STEPS) {
    const found = joinedRows(field(block, step));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Steps that change no number of rows; after grouping, DISTINCT or windows the engines do not say how many remain. */
const STEPS = ['ordering_operation', 'filesort', 'read_sorted_file', 'block-nl-join'];

/** MySQL: rows examined for each row before, and the share that is kept; MariaDB: the same two, other names. */
function tableRows(block: unknown): number | undefined {
  const table = field(block, 'table');
  const rows = field(table, 'rows_examined_per_scan') ?? field(table, 'rows');
  if (typeof rows !== 'number') return undefined;
  const share = Number(field(table, 'filtered') ?? 100);
  return Math.max(1, Math.round((rows * share) / 100));
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
