import type { QueryLimits, QueryResult } from '../../../database/index.ts';
import { type Cell, checkReadOnly, parse } from '../../../sql/index.ts';
import { oneLine } from '../items/one-line.ts';
import { passedOver } from '../items/recoverable-errors.ts';
import type { ToolArguments } from './tool-arguments.ts';
import type { ToolContext } from './tool-context.ts';

const MOST_PROBES = 10;
const ROWS = 20;
const CELL_SIZE = 200;
const BYTES = 100_000;
const LONGEST_ERROR = 400;

/**
 * The first rows of one reading query. It is parsed and judged here, though the database has a guard of its own;
 * `EXPLAIN` is no query to the judge. What is refused before it runs does not count against the ten.
 */
export async function probeSql(
  { sql }: ToolArguments<'probe_sql'>,
  { sources: { probe, tables }, settings, signal, used }: ToolContext,
): Promise<string> {
  if (probe === undefined) return 'rows: not available, there is no database to ask';
  const refusal = refusalOf(sql, tables.catalog.dialect);
  if (refusal !== undefined) return failure(refusal);
  if (used.probes >= MOST_PROBES) return failure(`all ${MOST_PROBES} probes of this question are used`);
  used.probes += 1;
  const limits: QueryLimits = {
    rows: ROWS,
    bytes: BYTES,
    timeoutMs: settings.probeTimeoutMs,
    cellSize: CELL_SIZE,
  };
  try {
    return showRows(await probe(sql, limits, signal));
  } catch (error) {
    return failure(passedOver(error, signal));
  }
}

function refusalOf(sql: string, dialect: Parameters<typeof parse>[1]): string | undefined {
  const parsed = parse(sql, dialect);
  if (!parsed.ok) {
    const { message, line, column } = parsed.error;
    return `the SQL cannot be read at line ${line}, column ${column}: ${message}`;
  }
  const verdict = checkReadOnly(parsed.tree);
  return verdict.readOnly ? undefined : `the SQL is refused: ${verdict.reason}`;
}

function failure(text: string): string {
  return oneLine(`error: ${text}`, LONGEST_ERROR);
}

function showRows({ columns, rows, truncatedBy }: QueryResult): string {
  const shown = rows.slice(0, ROWS);
  const isCut = truncatedBy !== null || rows.length > ROWS;
  const count = isCut
    ? `the first ${shown.length} rows`
    : `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`;
  return [count, ...[columns, ...shown].map((cells) => cells.map(showCell).join(' | '))].join('\n');
}

function showCell(cell: Cell): string {
  if (cell === null) return 'NULL';
  return cell instanceof Uint8Array ? `${cell.length} bytes` : oneLine(String(cell), CELL_SIZE);
}
