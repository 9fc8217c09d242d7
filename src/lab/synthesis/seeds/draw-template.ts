import type { Split } from '../bench-item.ts';
import type { Dice } from '../dice.ts';
import type { Inventory, MetricScope } from '../inventory/inventory.ts';
import { splitOfTemplate } from '../split-of.ts';
import { templatesOf } from '../templates/make-templates.ts';
import type { Shape, Template } from '../templates/template.ts';

/** Draws templates of a split: a metric first, so that those with many dimensions do not crowd out the others. */
export interface TemplateDeck {
  /** Undefined where the drawn metric has no template of that shape and split. */
  readonly draw: (shapes: readonly Shape[], dice: Dice) => Template | undefined;
}

/** How many filters people name: none in three of ten questions, two in two. */
const FILTERS = [0, 0, 0, 1, 1, 1, 1, 1, 2, 2] as const;

/** How often a metric is drawn that demands a dimension: few do, and only they lack it by their own definition. */
const DEMANDING = 0.15;

export function makeTemplateDeck(inventory: Inventory, split: Split): TemplateDeck {
  const known = new Map<string, readonly Template[]>();
  const of = (scope: MetricScope, shape: Shape, filters: number): readonly Template[] => {
    const key = `${scope.metric.name}|${shape}|${filters}`;
    const found =
      known.get(key) ??
      templatesOf(scope, shape, inventory).filter(
        ({ id, filters: slots }) => slots.length === filters && splitOfTemplate(id) === split,
      );
    known.set(key, found);
    return found;
  };
  const demanding = inventory.metrics.filter(({ metric }) => metric.mandatoryDimensions.length > 0);
  return {
    draw: (shapes, dice) => {
      const metrics = demanding.length > 0 && dice.chance(DEMANDING) ? demanding : inventory.metrics;
      const templates = of(dice.pick(metrics), dice.pick(shapes), dice.pick(FILTERS));
      return templates.length === 0 ? undefined : dice.pick(templates);
    },
  };
}
