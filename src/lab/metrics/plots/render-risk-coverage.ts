import { CandorError } from '../../../errors.ts';
import type { RiskCurve } from '../../../uncertainty/index.ts';
import { drawLine, MOST_LINES, renderPlot, round, roundEnd, writeText } from './plot-frame.ts';

export interface NamedCurve {
  readonly name: string;
  readonly curve: RiskCurve;
}

/** Fewer answers than this share are too few for their error rate to be drawn. */
const LEAST_COVERAGE = 0.02;

/**
 * Risk–coverage curves as an SVG file: the share of wrong answers when only those of least risk are shown, a line a
 * curve, named with its area. Throws `uncertainty.data-invalid` for more curves than lines can be told apart.
 */
export function renderRiskCoverage(
  curves: readonly NamedCurve[],
  { title }: { readonly title: string },
): string {
  if (curves.length > MOST_LINES)
    throw new CandorError(
      'uncertainty.data-invalid',
      `there are ${curves.length} curves; a plot tells ${MOST_LINES} apart`,
    );
  const lines = curves.map(({ curve }) => pointsOf(curve));
  const most = roundEnd(lines.flatMap((points) => points.map(({ risk }) => risk)));
  const plot = {
    title,
    about: `Share of wrong answers by share of answers shown: ${curves.map(tell).join('; ') || 'no curve'}.`,
    x: { label: 'coverage: share of answers shown', most: 1 },
    y: { label: 'risk: share of shown answers that are wrong', most },
  };
  return renderPlot(plot, ({ x, y }) =>
    curves.flatMap(({ name, curve }, index) => {
      const points = (lines[index] ?? []).map(({ coverage, risk }) => [x(coverage), y(risk)] as const);
      const height = 62 + 18 * index;
      return [
        drawLine(points, index),
        drawLine(
          [
            [74, height - 4],
            [102, height - 4],
          ],
          index,
        ),
        writeText({ x: 110, y: height, text: `${name}, area ${curve.aurc.toFixed(3)}`, kind: 'label' }),
      ];
    }),
  );
}

function pointsOf({ rows, points }: RiskCurve): { coverage: number; risk: number }[] {
  return points
    .map(({ shown, wrong }) => ({ coverage: shown / rows, risk: wrong / shown }))
    .filter(({ coverage }) => coverage >= LEAST_COVERAGE);
}

function tell({ name, curve }: NamedCurve): string {
  const { rows, wrong, aurc, coverageAt5, coverageAt10 } = curve;
  return `${name}: ${round(wrong / rows)} wrong over all, area ${aurc.toFixed(3)}, coverage ${round(coverageAt5)} at 5 % and ${round(coverageAt10)} at 10 % errors`;
}
