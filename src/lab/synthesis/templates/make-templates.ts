import type { Dimension, SemanticModel } from '../../../knowledge/index.ts';
import { findColumn } from '../inventory/find-column.ts';
import type { Inventory, MetricScope } from '../inventory/inventory.ts';
import { PLAIN_SHAPES, type Shape, STEP_SHAPES, type Template } from './template.ts';

const MOST_FILTERS = 2;
/** Filters and groups together. */
const MOST_DIMENSIONS = 3;
/** More groups than this are no answer that a person reads. */
const MOST_GROUPS = 400;
const MOST_PERIODS = 48;

/**
 * Every combination of a metric with dimensions it reaches, for each shape that fits; none that repeats a hierarchy
 * (a city and its own province as filters) or lacks a dimension that the metric demands.
 */
export function makeTemplates(inventory: Inventory): readonly Template[] {
  return inventory.metrics.flatMap((scope) => {
    const filters = [...scope.reach.keys()].filter((name) => inventory.entities.has(name));
    const groups = [...scope.reach.values()]
      .map(({ dimension }) => dimension)
      .filter((dimension) => isGroup(dimension, inventory));
    const filterSets = subsets(filters, MOST_FILTERS).filter((set) => isFree(set, inventory.semantics));
    return [...PLAIN_SHAPES, ...STEP_SHAPES].flatMap((shape) =>
      groupSets(shape, scope, groups).flatMap((groupSet) =>
        filterSets.flatMap(
          (set) => templateOf(shape, scope, { filters: set, groups: groupSet }, inventory) ?? [],
        ),
      ),
    );
  });
}

interface Slots {
  readonly filters: readonly string[];
  readonly groups: readonly string[];
}

function templateOf(
  shape: Shape,
  { metric, parts }: MetricScope,
  { filters, groups }: Slots,
  { semantics }: Inventory,
): Template | undefined {
  if (filters.length + groups.length > MOST_DIMENSIONS) return undefined;
  // A group above a filter would have one member; the filter itself says nothing new.
  if (groups.some((group) => filters.some((name) => ancestry(name, semantics).includes(group))))
    return undefined;
  const used = [...filters, ...groups].flatMap((name) => ancestry(name, semantics));
  const demanded = [metric, ...parts].flatMap(({ mandatoryDimensions }) => mandatoryDimensions);
  if (demanded.some((name) => !used.includes(name))) return undefined;
  const id = [shape, metric.name, filters.join('+') || '-', groups.join('+') || '-'].join('|');
  return { id, shape, metric: metric.name, filters, groups };
}

/** A figure that may be added up over groups: shares and averages of means are no shares. */
export function isAdditive({ parts }: MetricScope): boolean {
  return parts.length === 1 && /^\s*(?:count|sum)\b/i.test(parts[0]?.expression ?? '');
}

/** A count of different things is not the sum of its groups unless each thing is in one group. */
function groupSets(
  shape: Shape,
  scope: MetricScope,
  groups: readonly Dimension[],
): readonly (readonly string[])[] {
  const names = groups.filter(({ isTime }) => !isTime).map(({ name }) => name);
  const times = groups.filter(({ isTime }) => isTime).map(({ name }) => name);
  const single = names.map((name) => [name]);
  const spansYears = scope.days !== undefined && scope.days.first.slice(0, 4) < scope.days.last.slice(0, 4);
  switch (shape) {
    case 'figure':
      return [[]];
    case 'by-group':
      return [
        ...single,
        ...times.map((name) => [name]),
        ...names.flatMap((name) => times.map((time) => [name, time])),
      ];
    case 'growth':
    case 'difference':
      return spansYears ? [[], ...single] : [];
    case 'share':
      return isAdditive(scope) ? [[]] : [];
    case 'share-change':
      return isAdditive(scope) && spansYears ? [[]] : [];
    case 'shares':
      return isAdditive(scope) ? single : [];
    case 'top-per-group':
      return names.flatMap((outer) =>
        names.filter((inner) => inner !== outer).map((inner) => [outer, inner]),
      );
    case 'rank-change':
      return spansYears ? single : [];
    case 'largest-rise':
      return times.filter((name) => name === 'month').map((name) => [name]);
    case 'average-of-groups':
      return isAdditive(scope)
        ? times.filter((name) => /^(?:month|quarter|week)$/.test(name)).map((name) => [name])
        : [];
    case 'ranking':
    case 'above-average':
    case 'count-above':
      return single;
  }
}

function isGroup({ column, isTime }: Dimension, { catalog }: Inventory): boolean {
  const distinct = findColumn(column, catalog)?.column.profile?.distinctCount ?? 0;
  return distinct >= 2 && distinct <= (isTime ? MOST_PERIODS : MOST_GROUPS);
}

function isFree(names: readonly string[], semantics: SemanticModel): boolean {
  return names.every((name) =>
    names.every((other) => other === name || !ancestry(name, semantics).includes(other)),
  );
}

/** A dimension and the levels above it, nearest first. */
export function ancestry(name: string, { dimensions }: SemanticModel): readonly string[] {
  const levels: string[] = [];
  let level: string | undefined = name;
  while (level !== undefined && !levels.includes(level)) {
    levels.push(level);
    const at: string = level;
    level = dimensions.find((dimension) => dimension.name === at)?.parent;
  }
  return levels;
}

function subsets(names: readonly string[], most: number): readonly (readonly string[])[] {
  const sets: (readonly string[])[] = [[]];
  for (const name of names) for (const set of [...sets]) if (set.length < most) sets.push([...set, name]);
  return sets;
}
