import type { Dice } from '../dice.ts';
import type { Inventory, MetricScope } from '../inventory/inventory.ts';
import { yearBefore } from '../inventory/list-periods.ts';
import type { Entity, Period, Ranking, Step, Structure } from '../structure.ts';
import { ancestry } from './make-templates.ts';
import type { Template } from './template.ts';

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
export function drawEntity(name: string, { inventory, dice }: Filling): Entity | undefined {
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
