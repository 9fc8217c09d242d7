import { renderEvidence, type SharedColumn } from '../../../catalog/index.ts';
import { oneLine } from '../items/one-line.ts';
import { columnWithStatistics } from '../items/with-statistics.ts';
import type { ToolArguments } from './tool-arguments.ts';
import type { ToolContext } from './tool-context.ts';

const LONGEST_FACT = 300;

/** Everything that is known of each column, level L3. */
export async function getFieldStats(
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
