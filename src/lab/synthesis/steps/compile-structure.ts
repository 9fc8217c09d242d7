import { unreachable } from '../../../errors.ts';
import type { Metric } from '../../../knowledge/semantic/index.ts';
import type { Cell } from '../../../sql/dialects/index.ts';
import type { Query, SelectQuery } from '../../../sql/print/index.ts';
import type { Inventory, MetricScope } from '../inventory/inventory.ts';
import type { Period, Step, Structure } from '../items/structure.ts';
import { difference, growth, rankChange, shareChange } from './between-periods.ts';
import { type BlockRequest, block, column, columnName, FIGURE } from './block.ts';
import type { ReadFigures, StepTask, StepWriter } from './step-writer.ts';
import {
  aboveAverage,
  averageOfGroups,
  best,
  countAbove,
  largestRise,
  share,
  shares,
  topPerGroup,
} from './within-period.ts';

/** A structure as SQL; null where something cannot be reached, or only in two roles at once. */
export function compileStructure(
  structure: Structure,
  scope: MetricScope,
  inventory: Inventory,
): Query | null {
  const own = ownRequest(structure, scope, inventory);
  const write = (request: BlockRequest): SelectQuery | null => block(scope, request, inventory);
  const stepped = bindStep(structure, own, write);
  if (stepped !== undefined) return stepped.compile();
  const figures = write(own);
  return figures === null ? null : ranked(figures, structure, own);
}

/** The rows that the structure asks for, worked out from figures read in another way; null where there is no one answer. */
export async function workOut(
  structure: Structure,
  scope: MetricScope,
  { inventory, read }: { readonly inventory: Inventory; readonly read: ReadFigures },
): Promise<readonly (readonly Cell[])[] | null> {
  const own = ownRequest(structure, scope, inventory);
  const stepped = bindStep(structure, own, () => null);
  if (stepped !== undefined) return stepped.workOut(read);
  const rows = await read(own);
  const { ranking } = structure;
  if (ranking === undefined) return rows.map(({ keys, figure }) => [...keys, figure]);
  const sign = ranking.direction === 'desc' ? 1 : -1;
  const kept = best(
    rows.map(({ keys, figure }) => ({ keys, figure: sign * figure })),
    ranking.limit,
  );
  // To rank all of them is no ranking.
  if (kept === null || rows.length <= ranking.limit) return null;
  return kept.map(({ keys, figure }) => [...keys, sign * figure]);
}

/** The figures a structure speaks of, in the period that its words or the time rule say. */
export function ownRequest(structure: Structure, scope: MetricScope, inventory: Inventory): BlockRequest {
  const period = structure.period ?? defaultPeriod(structure, scope.parts, inventory);
  const { filters, groups } = structure;
  return { filters, groups, ...(period !== undefined && { period }) };
}

function defaultPeriod(
  { groups }: Structure,
  parts: readonly Metric[],
  { semantics, now }: Inventory,
): Period | undefined {
  const { timeRules, dimensions } = semantics;
  if (timeRules.defaultWindow === 'all' || parts.every(({ timeColumn }) => timeColumn === undefined))
    return undefined;
  const isByYear = groups.some((name) => name === 'year' && dimensions.some((one) => one.name === name));
  if (isByYear) return undefined;
  const year = Number(now.slice(0, 4));
  return {
    grain: 'year',
    from: `${year}-01-01`,
    until: `${year + 1}-01-01`,
    label: String(year),
    phrase: `in ${year}`,
  };
}

function ranked(figures: SelectQuery, { ranking }: Structure, { groups }: BlockRequest): SelectQuery {
  if (ranking === undefined) return figures;
  const [key] = groups.map(columnName);
  const inner = { name: 'figures', query: figures };
  const names = [...groups.map(columnName), FIGURE];
  return {
    kind: 'select',
    distinct: false,
    ctes: [inner],
    select: names.map((name) => ({ expression: column('figures', name), alias: name })),
    from: { table: 'figures' },
    joins: [],
    where: [],
    groupBy: [],
    having: [],
    orderBy: [
      { expression: column('figures', FIGURE), direction: ranking.direction },
      ...(key === undefined ? [] : [{ expression: column('figures', key), direction: 'asc' as const }]),
    ],
    limit: ranking.limit,
  };
}

interface BoundStep {
  readonly compile: () => Query | null;
  readonly workOut: (read: ReadFigures) => Promise<readonly (readonly Cell[])[] | null>;
}

function bindStep(
  structure: Structure,
  own: BlockRequest,
  block: (request: BlockRequest) => SelectQuery | null,
): BoundStep | undefined {
  const { step } = structure;
  const setting = { structure, own, block };
  switch (step?.kind) {
    case undefined:
      return undefined;
    case 'growth':
      return bind(growth, { ...setting, step });
    case 'difference':
      return bind(difference, { ...setting, step });
    case 'share':
      return bind(share, { ...setting, step });
    case 'shares':
      return bind(shares, { ...setting, step });
    case 'share-change':
      return bind(shareChange, { ...setting, step });
    case 'top-per-group':
      return bind(topPerGroup, { ...setting, step });
    case 'above-average':
      return bind(aboveAverage, { ...setting, step });
    case 'rank-change':
      return bind(rankChange, { ...setting, step });
    case 'largest-rise':
      return bind(largestRise, { ...setting, step });
    case 'average-of-groups':
      return bind(averageOfGroups, { ...setting, step });
    case 'count-above':
      return bind(countAbove, { ...setting, step });
    default:
      return unreachable(step);
  }
}

function bind<Kind extends Step['kind']>(writer: StepWriter<Kind>, task: StepTask<Kind>): BoundStep {
  return { compile: () => writer.compile(task), workOut: (read) => writer.workOut(task, read) };
}
