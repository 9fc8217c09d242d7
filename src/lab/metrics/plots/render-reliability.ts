import type { ReliabilityBin } from '../reliability.ts';
import { drawLine, renderPlot, round, roundEnd } from './plot-frame.ts';

/** A reliability plot as an SVG file: what was said against what was so, a dot a bin; on the dashed line both agree. */
export function renderReliability(
  bins: readonly ReliabilityBin[],
  { title }: { readonly title: string },
): string {
  const shown = [...bins].sort((a, b) => a.meanProbability - b.meanProbability);
  const most = roundEnd(shown.flatMap(({ meanProbability, errorRate }) => [meanProbability, errorRate]));
  const plot = {
    title,
    about: aboutBins(shown),
    x: { label: 'predicted probability of an error', most },
    y: { label: 'share of errors', most },
  };
  return renderPlot(plot, ({ x, y }) => {
    const points = shown.map(({ meanProbability, errorRate }) => [x(meanProbability), y(errorRate)] as const);
    return [
      `<path class="even" d="M${round(x(0))} ${round(y(0))}L${round(x(most))} ${round(y(most))}"/>`,
      ...(points.length > 1 ? [drawLine(points, 0)] : []),
      ...points.map(([cx, cy]) => `<circle class="dot-0" cx="${round(cx)}" cy="${round(cy)}" r="4"/>`),
    ];
  });
}

function aboutBins(bins: readonly ReliabilityBin[]): string {
  const [first, last] = [bins[0], bins.at(-1)];
  if (first === undefined || last === undefined) return 'There were no rows to bin.';
  const tell = ({ meanProbability, errorRate }: ReliabilityBin): string =>
    `predicted ${round(meanProbability)}, seen ${round(errorRate)}`;
  return `${bins.length} bins of rows by predicted probability; the lowest: ${tell(first)}; the highest: ${tell(last)}.`;
}
