import type { FileDataset, FileMetric, FileModel } from '../../semantic/semantic-file.ts';
import type { Loss } from '../foreign/conversion.ts';
import { isRecord } from '../foreign/lean-model.ts';
import { type LogicalTable, resolveExpression } from '../foreign/resolve-expression.ts';
import { ratioIn } from '../foreign/sql-expression.ts';
import { readBlock } from './vendor-block.ts';

/** What a metric can be with us: an aggregate over one table, or one metric divided by another. */
export type MetricHome =
  | { readonly kind: 'table'; readonly table: string; readonly sql: string }
  | { readonly kind: 'ratio'; readonly numerator: string; readonly denominator: string }
  | { readonly kind: 'none'; readonly why: string };

/** A metric that is known already, in our words. */
export interface KnownMetric {
  readonly name: string;
  readonly sql: string;
}

/**
 * Finds the table that an expression aggregates, its names resolved. One over several tables is a ratio when both
 * sides of its division are metrics already.
 */
export function findMetricHome(
  sql: string,
  tables: readonly LogicalTable[],
  { home, known }: { readonly home?: LogicalTable | undefined; readonly known: readonly KnownMetric[] },
): MetricHome {
  const resolved = resolveExpression(sql, tables, home);
  if (resolved === undefined)
    return { kind: 'none', why: 'its expression is not understood or names what is not there' };
  const [table, second] = resolved.tables;
  if (table !== undefined && second === undefined) return { kind: 'table', table, sql: resolved.sql };
  if (table === undefined)
    return home === undefined
      ? { kind: 'none', why: 'its expression names no column, so that its table is not known' }
      : { kind: 'table', table: home.table, sql: resolved.sql };
  const ratio = ratioIn(resolved.sql);
  const [above, below] = [ratio?.numerator, ratio?.denominator].map((side) =>
    known.find((metric) => side !== undefined && bare(metric.sql) === bare(side)),
  );
  if (above !== undefined && below !== undefined)
    return { kind: 'ratio', numerator: above.name, denominator: below.name };
  const names = resolved.tables.join(', ');
  return { kind: 'none', why: `it needs ${names} at once and is no ratio of two metrics of one table each` };
}

/** Without the brackets around it. */
function bare(sql: string): string {
  const inner = /^\((.*)\)$/s.exec(sql.trim())?.[1];
  return inner !== undefined && !/^[^(]*\)/.test(inner) && isBalanced(inner) ? bare(inner) : sql.trim();
}

function isBalanced(sql: string): boolean {
  let depth = 0;
  for (const character of sql) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

// Where a metric of ours belongs.

/** The two metrics that a ratio divides. */
export function ratioOf(
  metric: FileMetric,
): { readonly numerator: string; readonly denominator: string } | undefined {
  const { ratio } = readBlock(metric.custom_extensions, 'CANDOR');
  if (!isRecord(ratio)) return undefined;
  return { numerator: String(ratio.numerator), denominator: String(ratio.denominator) };
}

/** The dataset whose rows a metric aggregates. */
export function datasetOf(metric: FileMetric, model: FileModel): FileDataset | undefined {
  const { table } = readBlock(metric.custom_extensions, 'CANDOR');
  const wanted = String(table ?? '').toLowerCase();
  return model.datasets.find(
    ({ source, metrics }) =>
      (table !== undefined && source.split('.').at(-1)?.toLowerCase() === wanted) ||
      (table === undefined && metrics.includes(metric)),
  );
}

/** Conditions that depend on the dimensions of a question have no place in other formats, and change the figure. */
export function conditionalLoss(metric: FileMetric): Loss[] {
  const { conditional_filters } = readBlock(metric.custom_extensions, 'CANDOR');
  if (!Array.isArray(conditional_filters) || conditional_filters.length === 0) return [];
  const what = 'its `conditional_filters` are left out, so that it adds up other rows there';
  return [{ kind: 'approximated', place: metric.name, what }];
}
