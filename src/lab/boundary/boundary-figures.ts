import { CATEGORIES } from '../synthesis/bench-item.ts';
import type { BoundaryMetrics, ShareFigure } from './compute-boundary-metrics.ts';

/** The figures under the names that programs read, in percent, each share with its interval beside it. */
export function boundaryFigures(metrics: BoundaryMetrics): {
  readonly metrics: Readonly<Record<string, number>>;
  readonly confusion: BoundaryMetrics['confusion'];
} {
  const named = (name: string, { value, low, high }: ShareFigure): readonly (readonly [string, number])[] => [
    [name, rounded(value)],
    [`${name}Low`, rounded(low)],
    [`${name}High`, rounded(high)],
  ];
  return {
    metrics: Object.fromEntries([
      ['meanOfEight', rounded(metrics.meanOfEight)],
      ...named('forcedAnswerRate', metrics.forcedAnswer),
      ...named('overAbstentionRate', metrics.overAbstention),
      ...named('rightReasonRate', metrics.rightReason),
      ...CATEGORIES.flatMap((category) => named(camelCase(category), metrics.perCategory[category])),
    ]),
    confusion: metrics.confusion,
  };
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
