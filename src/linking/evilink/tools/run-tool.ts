/** The six tools of refinement; four read, `keep` and `discard` decide (EviLink, section 3.5; evilink.md §8). */

import { type EvidenceLevel, renderEvidence } from '../../../catalog/index.ts';
import type { SharedColumn, SharedTable } from '../../../catalog/share/index.ts';
import type { QueryLimits, QueryResult } from '../../../database/index.ts';
import { unreachable } from '../../../errors.ts';
import type { RefineCall } from '../../../reasoning/roles/link-reasoner.ts';
import type { Cell } from '../../../sql/dialects/index.ts';
import { checkReadOnly, parse } from '../../../sql/index.ts';
import { columnWithStatistics } from '../items/evilink-sources.ts';
import { groupAlike } from '../items/group-similar-tables.ts';
import { cutLines, oneLine } from '../items/one-line.ts';
import { passedOver } from '../items/recoverable-errors.ts';
import { bucketOf, type LinkState } from '../state/link-state.ts';
import { discardItems, keepItems } from './decide-items.ts';
import {
  isToolName,
  readArguments,
  TOOL_ARGUMENTS,
  type ToolArguments,
  type ToolName,
  wordOfBucket,
} from './tool-arguments.ts';
import type { ToolContext, ToolOutcome } from './tool-context.ts';

/** Characters of what one call may answer. */
const LONGEST_TEXT = 4_000;

/** Runs one call. A wrong name or wrong arguments give an error text and change nothing. */
export async function runTool(
  { tool, arguments: written }: RefineCall,
  state: LinkState,
  context: ToolContext,
): Promise<ToolOutcome> {
  if (!isToolName(tool)) {
    const known = Object.keys(TOOL_ARGUMENTS).join(', ');
    return { state, text: `error: there is no tool ${oneLine(tool, 80)}; the tools are ${known}` };
  }
  const outcome = await runNamed(tool, written, { state, context });
  return { state: outcome.state, text: cutLines(outcome.text, LONGEST_TEXT) };
}

async function runNamed(
  tool: ToolName,
  written: unknown,
  { state, context }: { readonly state: LinkState; readonly context: ToolContext },
): Promise<ToolOutcome> {
  switch (tool) {
    case 'list_tables': {
      const read = readArguments(TOOL_ARGUMENTS[tool], written);
      return { state, text: read.ok ? listTables(read.value, state, context) : read.text };
    }
    case 'list_columns': {
      const read = readArguments(TOOL_ARGUMENTS[tool], written);
      return { state, text: read.ok ? listColumns(read.value, state, context) : read.text };
    }
    case 'get_field_stats': {
      const read = readArguments(TOOL_ARGUMENTS[tool], written);
      return {
        state,
        text: read.ok ? await statistics(getFieldStats(read.value, context), context) : read.text,
      };
    }
    case 'probe_sql': {
      const read = readArguments(TOOL_ARGUMENTS[tool], written);
      return { state, text: read.ok ? await probeSql(read.value, context) : read.text };
    }
    case 'keep': {
      const read = readArguments(TOOL_ARGUMENTS[tool], written);
      return read.ok ? keepItems(read.value, state, context) : { state, text: read.text };
    }
    case 'discard': {
      const read = readArguments(TOOL_ARGUMENTS[tool], written);
      return read.ok ? discardItems(read.value, state, context) : { state, text: read.text };
    }
    default:
      return unreachable(tool);
  }
}

/** A store that cannot be read is news for the reasoner, not the end of linking. */
async function statistics(text: Promise<string>, { signal }: ToolContext): Promise<string> {
  try {
    return await text;
  } catch (error) {
    return oneLine(`error: ${passedOver(error, signal)}`, 400);
  }
}

const LONGEST_FACT = 300;

/** Everything that is known of each column, level L3. */
async function getFieldStats(
  { fields }: ToolArguments<'get_field_stats'>,
  { sources, settings, names, near, used }: ToolContext,
): Promise<string> {
  if (!settings.useStatistics) return 'statistics: not available';
  const blocks: string[] = [];
  for (const written of new Set(fields)) {
    const column = names.field({ table: '', column: written }, near);
    if (column === undefined) {
      blocks.push(`${oneLine(written, 80)}\nerror: there is no such column`);
      continue;
    }
    const known = await columnWithStatistics(column, sources.statisticsOf);
    used.statistics.add(column.id);
    blocks.push(block(known, sources));
  }
  return blocks.join('\n\n');
}

function block(column: SharedColumn, { tables }: ToolContext['sources']): string {
  const facts = renderEvidence(column, 'L3', tables.catalog.keyOverlaps);
  const known = facts.filter(({ value }) => value !== 'not available');
  // Name and type are known of every column.
  if (known.length <= 2 && column.profile === undefined) return `${column.id}\nstatistics: not available`;
  return [column.id, ...facts.map(({ name, value }) => `${name}: ${oneLine(value, LONGEST_FACT)}`)].join(
    '\n',
  );
}

/** One line a table: bucket, columns, and the family it stands for; tables of a family in one bucket are one line. */
function listTables(
  { pattern, bucket, limit, offset }: ToolArguments<'list_tables'>,
  state: LinkState,
  { sources: { tables }, items }: ToolContext,
): string {
  const matches = matcher(pattern);
  const bucketOfId = (id: string): string => bucketOf(state, id) ?? '';
  const ids = tables.catalog.tables
    .filter((table) => matches(table) && (bucket === undefined || bucketOfId(table.id) === bucket))
    .map(({ id }) => id);
  const groups = [...groupAlike(ids, bucketOfId, { tables, items })];
  const shown = groups.slice(offset, offset + limit);
  if (shown.length === 0) return groups.length === 0 ? 'no table matches' : 'no more tables';
  const lines = shown.map(([id, { length }]) => {
    const columns = items.table(id)?.columns.length ?? 0;
    const family =
      length > 1
        ? ` · ${length} tables of the family ${tables.familyOf(id)?.pattern ?? ''}, columns alike`
        : '';
    return `${id} · ${wordOfBucket(bucketOfId(id))} · ${columns} columns${family}`;
  });
  return [`${shown.length} of ${groups.length}, from ${offset}`, ...lines].join('\n');
}

/** Part of an id, whatever its case; `*` and `%` stand for anything between. */
function matcher(pattern: string | undefined): (table: SharedTable) => boolean {
  const parts = (pattern ?? '').toLowerCase().split(/[*%]+/);
  return ({ id }) => {
    let from = 0;
    for (const part of parts) {
      const at = id.indexOf(part, from);
      if (at < 0) return false;
      from = at + part.length;
    }
    return true;
  };
}

const MOST_PROBES = 10;
const ROWS = 20;
const CELL_SIZE = 200;
const BYTES = 100_000;
const LONGEST_ERROR = 400;

/**
 * The first rows of one reading query. It is parsed and judged here, though the database has a guard of its own;
 * `EXPLAIN` is no query to the judge. What is refused before it runs does not count against the ten.
 */
async function probeSql(
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

const LONGEST_LISTED = 200;

/** One line a column: bucket, type, class; values and description for undecided columns when L2 is asked for. */
function listColumns(
  { table: written, level, limit, offset }: ToolArguments<'list_columns'>,
  state: LinkState,
  { names, near }: ToolContext,
): string {
  const table = names.table(written, near);
  if (table === undefined) return `error: there is no table ${oneLine(written, 80)}`;
  const shown = table.columns.slice(offset, offset + limit);
  if (shown.length === 0) return `${table.id} has ${table.columns.length} columns`;
  const lines = shown.map((column) => {
    const bucket = bucketOf(state, column.id) ?? '';
    return `${column.name} · ${wordOfBucket(bucket)}${facts(column, level === 'L2' && bucket !== 'uncertain' ? 'L1' : level)}`;
  });
  return [`${table.id}: ${shown.length} of ${table.columns.length} columns, from ${offset}`, ...lines].join(
    '\n',
  );
}

function facts(column: SharedColumn, level: EvidenceLevel): string {
  return renderEvidence(column, level)
    .slice(1)
    .map(({ name, value }) => ` · ${name}: ${oneLine(value, LONGEST_LISTED)}`)
    .join('');
}
