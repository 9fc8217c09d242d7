import { type EvidenceLevel, renderEvidence } from '../../../catalog/index.ts';
import type { SharedColumn } from '../../../catalog/share/index.ts';
import { oneLine } from '../items/one-line.ts';
import { bucketOf, type LinkState } from '../state/link-state.ts';
import { type ToolArguments, wordOfBucket } from './tool-arguments.ts';
import type { ToolContext } from './tool-context.ts';

const LONGEST_FACT = 200;

/** One line a column: bucket, type, class; values and description for undecided columns when L2 is asked for. */
export function listColumns(
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
    .map(({ name, value }) => ` · ${name}: ${oneLine(value, LONGEST_FACT)}`)
    .join('');
}
