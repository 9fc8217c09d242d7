import type { Dimension, SemanticModel } from '../../../knowledge/semantic/index.ts';
import { findColumn, type Inventory, lookupWords, type MetricScope } from '../inventory/inventory.ts';
import { yearBefore } from '../inventory/list-periods.ts';
import type { Dice } from '../items/seeded-random.ts';
import type { Entity, Period, Ranking, Step, Structure } from '../items/structure.ts';

const MOST_FILTERS = 2;
/** Filters and groups together. */
const MOST_DIMENSIONS = 3;
/** More groups than this are no answer that a person reads. */
const MOST_GROUPS = 400;
const MOST_PERIODS = 48;

/** All templates of an inventory, metric by metric. */
export function makeTemplates(inventory: Inventory): readonly Template[] {
  return inventory.metrics.flatMap((scope) =>
    [...PLAIN_SHAPES, ...STEP_SHAPES].flatMap((shape) => templatesOf(scope, shape, inventory)),
  );
}

/**
 * Every combination of a metric with dimensions it reaches that fits a shape; none that repeats a hierarchy (a city and
 * its own province as filters) or lacks a dimension that the metric demands.
 */
export function templatesOf(scope: MetricScope, shape: Shape, inventory: Inventory): readonly Template[] {
  const own = scope.parts.flatMap(({ filters, expression = '' }) => [...filters, expression]).join(' ');
  // "no-shows with status no-show": what defines the metric is no filter of a question.
  const filters = [...scope.reach.values()].flatMap(({ dimension: { name, column } }) =>
    inventory.entities.has(name) && !own.includes(column) ? [name] : [],
  );
  const groups = [...scope.reach.values()]
    .map(({ dimension }) => dimension)
    .filter((dimension) => isGroup(dimension, inventory) && !own.includes(dimension.column))
    // "dealers by dealer": each counts itself.
    .filter(({ name }) => lookupWords(name).join() !== lookupWords(scope.metric.name).join());
  const filterSets = subsets(filters, MOST_FILTERS).filter((set) => isFree(set, inventory.semantics));
  return groupSets(shape, scope, groups).flatMap((groupSet) =>
    filterSets.flatMap(
      (set) => templateOf(shape, scope, { filters: set, groups: groupSet }, inventory) ?? [],
    ),
  );
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
function isAdditive({ parts }: MetricScope): boolean {
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

/** What a template may be filled with. */
export interface Filling {
  readonly inventory: Inventory;
  readonly scope: MetricScope;
  readonly periods: readonly Period[];
  readonly dice: Dice;
}

const NO_PERIOD = 0.15;

/** A template with values, period and limits drawn; undefined where it lacks what its shape needs. */
export function fillTemplate(template: Template, filling: Filling): Structure | undefined {
  const { dice, inventory } = filling;
  const filters = template.filters.map((name) => drawEntity(name, filling));
  if (filters.some((entity) => entity === undefined)) return undefined;
  const period = drawPeriod(template, filling);
  const step = drawStep(template, period, filling);
  if (step === null) return undefined;
  const entities = filters.flatMap((entity) => entity ?? []);
  // "orders of Halden for Halden": a value that stands for two dimensions at once.
  if (new Set(entities.map(({ surface }) => surface.toLowerCase())).size < entities.length) return undefined;
  if (inventory.entities.size === 0 && template.filters.length > 0) return undefined;
  return {
    templateId: template.id,
    metric: template.metric,
    filters: entities,
    groups: template.groups,
    ...(period !== undefined && { period }),
    ...(template.shape === 'ranking' && { ranking: drawRanking(dice) }),
    ...(step !== undefined && { step }),
  };
}

/** A value of the dimension that no other dimension has too. */
function drawEntity(name: string, { inventory, dice }: Filling): Entity | undefined {
  const all = inventory.entities.get(name) ?? [];
  const own = all.filter(({ surface }) => !inventory.sharedSurfaces.has(surface.toLowerCase()));
  return own.length === 0 ? undefined : dice.pick(own);
}

function drawRanking(dice: Dice): Ranking {
  return { direction: dice.chance(0.75) ? 'desc' : 'asc', limit: dice.pick([1, 1, 3, 5, 10]) };
}

function drawPeriod({ shape, groups }: Template, { periods, dice }: Filling): Period | undefined {
  if (periods.length === 0) return undefined;
  const whole = periods.filter(({ grain }) => grain === 'year');
  switch (shape) {
    case 'growth':
    case 'difference':
    case 'share-change':
    case 'rank-change':
      return dice.pick(
        periods.filter((period) => yearBefore(period, periods) !== undefined && period.grain !== 'half'),
      );
    case 'largest-rise':
    case 'average-of-groups':
      return dice.pick(whole);
    default: {
      if (groups.some((name) => /year/.test(name))) return undefined;
      if (groups.some((name) => /month|quarter|week/.test(name))) return dice.pick(whole);
      if (dice.chance(NO_PERIOD)) return undefined;
      return dice.pick(dice.chance(0.45) ? whole : periods);
    }
  }
}

/** The step of a shape; undefined for plain shapes, null where it cannot be filled. */
function drawStep(
  { shape, filters, groups, metric }: Template,
  period: Period | undefined,
  filling: Filling,
): Step | undefined | null {
  const { dice, periods } = filling;
  const before = period === undefined ? undefined : yearBefore(period, periods);
  switch (shape) {
    case 'figure':
    case 'by-group':
    case 'ranking':
      return undefined;
    case 'growth':
    case 'difference':
    case 'rank-change':
      return before === undefined ? null : { kind: shape, before };
    case 'share':
    case 'share-change': {
      const of = drawPart(filters, metric, filling);
      if (of === undefined) return null;
      if (shape === 'share') return { kind: shape, of, inPercent: dice.chance(0.5) };
      return before === undefined ? null : { kind: shape, of, before };
    }
    case 'shares':
      return { kind: shape, inPercent: dice.chance(0.5) };
    case 'top-per-group':
      return groups.length === 2 ? { kind: shape, limit: dice.pick([1, 2, 3]) } : null;
    case 'count-above':
      return { kind: shape, threshold: dice.pick([5, 10, 20, 50, 100, 200, 500]) };
    case 'above-average':
    case 'largest-rise':
    case 'average-of-groups':
      return { kind: shape };
  }
}

/** What the share is of: a value of a dimension that no filter narrows. */
function drawPart(filters: readonly string[], metric: string, filling: Filling): Entity | undefined {
  const { inventory, scope, dice } = filling;
  const taken = filters.flatMap((name) => ancestry(name, inventory.semantics));
  const free = [...scope.reach.keys()].filter(
    (name) =>
      inventory.entities.has(name) &&
      ancestry(name, inventory.semantics).every((level) => !taken.includes(level)) &&
      name !== metric,
  );
  return free.length === 0 ? undefined : drawEntity(dice.pick(free), filling);
}

/** What a question does with figures: shows them, ranks them, or one of the steps. */
export type Shape = 'figure' | 'by-group' | 'ranking' | Step['kind'];

/** The slots of a question; BAR-SQL §3. Its id names its slots as a set, so that no template stands twice. */
export interface Template {
  readonly id: string;
  readonly shape: Shape;
  readonly metric: string;
  /** Dimensions, each narrowed to one value. */
  readonly filters: readonly string[];
  readonly groups: readonly string[];
}

/** Shapes whose SQL is one query over the figures; the others take several steps. */
export const PLAIN_SHAPES: readonly Shape[] = ['figure', 'by-group', 'ranking'];

export const STEP_SHAPES: readonly Step['kind'][] = [
  'growth',
  'difference',
  'share',
  'shares',
  'share-change',
  'top-per-group',
  'above-average',
  'rank-change',
  'largest-rise',
  'average-of-groups',
  'count-above',
];
