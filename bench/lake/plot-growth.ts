import { drawLine, type PlotAxis, renderPlot, writeText } from '../../src/lab/metrics/plots/plot-frame.ts';
import { growthExponent } from '../figures.ts';

export interface GrowthLine {
  readonly name: string;
  /** Sizes in growing order; both numbers above 0. */
  readonly points: readonly (readonly [size: number, cost: number])[];
}

export interface GrowthPlot {
  readonly title: string;
  /** What is measured along each axis: `tables`, `milliseconds`. */
  readonly x: string;
  readonly y: string;
  /** Four at most. */
  readonly lines: readonly GrowthLine[];
}

/** Cost against size as an SVG file, both by powers of ten: a straight line is a power, which its name tells. */
export function renderGrowth({ title, x, y, lines }: GrowthPlot): string {
  const points = lines.flatMap((line) => line.points);
  const named = lines.map((line) => ({
    ...line,
    name: `${line.name}${line.points.length > 1 ? `: size^${growthExponent(line.points).toFixed(2)}` : ''}`,
  }));
  const plot = {
    title,
    about: `${y} by ${x}: ${named.map(({ name, points: own }) => `${name} (${own.map(([size, cost]) => `${size}: ${cost.toPrecision(3)}`).join(', ')})`).join('; ')}.`,
    x: axisOf(
      x,
      points.map(([size]) => size),
    ),
    // Room above the lines for their names.
    y: axisOf(
      y,
      points.flatMap(([, cost]) => [cost, cost * 20]),
    ),
  };
  return renderPlot(plot, (at) =>
    named.flatMap((line, index) => {
      const height = 62 + 18 * index;
      return [
        drawLine(
          line.points.map(([size, cost]) => [at.x(size), at.y(cost)] as const),
          index,
        ),
        drawLine(
          [
            [74, height - 4],
            [102, height - 4],
          ],
          index,
        ),
        writeText({ x: 110, y: height, text: line.name, kind: 'label' }),
      ];
    }),
  );
}

/** From the power of ten below the least to that above the most. */
function axisOf(label: string, values: readonly number[]): PlotAxis {
  const least = 10 ** Math.floor(Math.log10(Math.min(...values)));
  const most = 10 ** Math.ceil(Math.log10(Math.max(...values)));
  return { label, least, most: most > least ? most : least * 10 };
}
