import { alignRows } from '../evaluation/align-rows.ts';
import { CATEGORIES } from '../synthesis/bench-item.ts';
import type { ShareFigure } from './compute-boundary-metrics.ts';
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
  const scores = [
    ['', 'right', '95 % interval', ''],
    ...CATEGORIES.map((category) => figure(category, metrics.perCategory[category])),
    ['mean of the eight', `${metrics.meanOfEight.toFixed(1)} %`, '', ''],
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
  return `${[title, alignRows(scores), alignRows(rates), alignRows(came), notes.join('\n')].join('\n\n')}\n`;
}
