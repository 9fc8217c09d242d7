import { alignRows } from '../../evaluation/align-rows.ts';
import { renderCalibration } from '../../evaluation/render-suite.ts';
import { CATEGORIES } from '../../synthesis/items/bench-item.ts';
import { type BoundaryMetrics, type ShareFigure, toldBoundary } from './compute-boundary-metrics.ts';
import type { BoundaryReport } from './run-boundary.ts';

const OUTCOMES = ['answered', 'clarify', 'follow_up', 'reject', 'abstain', 'error'] as const;

/** The report as aligned plain text: the eight scores and their mean, three rates, outcomes due against outcomes that came. */
export function renderBoundary(report: BoundaryReport): string {
  const { metrics, records, file, seconds, isComplete } = report;
  const figure = (name: string, { value, low, high, hits, of }: ShareFigure): readonly string[] => [
    name,
    of === 0 ? '–' : `${value.toFixed(1)} %`,
    `${low.toFixed(1)}–${high.toFixed(1)}`,
    `${hits} of ${of}`,
  ];
  const asked = CATEGORIES.filter((category) => metrics.perCategory[category].of > 0).length;
  const scores = [
    ['', 'right', '95 % interval', ''],
    ...CATEGORIES.map((category) => figure(category, metrics.perCategory[category])),
    [
      asked === CATEGORIES.length ? 'mean of the eight' : `mean of the ${asked} asked`,
      `${metrics.meanOfEight.toFixed(1)} %`,
      '',
      '',
    ],
  ];
  const rates = [
    ['', 'share', '95 % interval', ''],
    figure('forced answers', metrics.forcedAnswer),
    figure('over-abstention', metrics.overAbstention),
    figure('right reason', metrics.rightReason),
  ];
  const came = [
    ['due', ...OUTCOMES],
    ...Object.entries(metrics.confusion).map(([due, row]) => [
      due,
      ...OUTCOMES.map((outcome) => String(row[outcome] ?? 0)),
    ]),
  ];
  const notes = [`every item: ${file}`, ...(isComplete ? [] : [`go on with: --resume ${file}`])];
  const title = `${records.length} items in ${seconds} s${isComplete ? '' : ' (stopped before the end)'}`;
  const parts = [
    ...[title, alignRows(scores), alignRows(rates), alignRows(came)],
    ...[renderCalibration(toldBoundary(records)), notes.join('\n')],
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

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
