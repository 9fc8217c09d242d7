import * as Plot from '@observablehq/plot';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Rows } from '../api/contract.ts';
import { figureOf } from '../cards/read-figure.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { type ChartSpec, kindsFor } from './choose-chart.ts';

/** More would only blacken the picture. */
const MOST_POINTS = 2_000;
/** Names along an axis that can still be told apart. */
const MOST_TICKS = 40;

interface ResultChartProps {
  readonly columns: readonly string[];
  readonly rows: Rows;
  readonly chart: ChartSpec;
}

interface Point {
  readonly x: string | number;
  readonly y: number;
  readonly series: string;
}

/** Rows drawn as the spec says; the kind can be switched. */
export default function ResultChart({ columns, rows, chart }: ResultChartProps) {
  const messages = useMessages();
  const [kind, setKind] = useState(chart.kind);
  const box = useRef<HTMLDivElement>(null);
  const kinds = useMemo(() => kindsFor(chart, rows, columns), [chart, rows, columns]);
  const points = useMemo(() => pointsOf(chart, columns, rows.slice(0, MOST_POINTS)), [chart, columns, rows]);
  const title = messages.chartOf(chart.y.join(', '), chart.x);

  useEffect(() => {
    const { current } = box;
    if (current === null) return;
    const draw = (): void => {
      current.replaceChildren(drawn(kind, points, chart, { width: current.clientWidth || 600, title }));
    };
    draw();
    const watch = new ResizeObserver(draw);
    watch.observe(current);
    return () => watch.disconnect();
  }, [kind, points, chart, title]);

  return (
    <figure className="chart">
      {kinds.length > 1 && (
        <label className="chart-kind">
          {messages.chartKind}{' '}
          <select
            value={kind}
            onChange={({ currentTarget }) => setKind(currentTarget.value as ChartSpec['kind'])}
          >
            {kinds.map((each) => (
              <option key={each} value={each}>
                {messages.chartKinds[each]}
              </option>
            ))}
          </select>
        </label>
      )}
      <div ref={box} className="plot" data-kind={kind} />
      <figcaption className="quiet">
        {title}
        {rows.length > MOST_POINTS && ` · ${messages.chartFirst(MOST_POINTS, rows.length)}`}
      </figcaption>
    </figure>
  );
}

/** A row makes one point for each of its figures; a figure that is none makes no point. */
function pointsOf({ x, y, series }: ChartSpec, columns: readonly string[], rows: Rows): readonly Point[] {
  const at = (name: string): number => columns.indexOf(name);
  return rows.flatMap((row) =>
    y.flatMap((name) => {
      const [along, figure] = [row[at(x)] ?? null, figureOf(row[at(name)] ?? null)];
      if (along === null || figure === undefined) return [];
      const place = figureOf(along) ?? String(along);
      return [{ x: place, y: figure, series: series === undefined ? name : String(row[at(series)] ?? '∅') }];
    }),
  );
}

interface Frame {
  readonly width: number;
  readonly title: string;
}

function drawn(kind: ChartSpec['kind'], points: readonly Point[], { x, y, series }: ChartSpec, frame: Frame) {
  const hasSeries = series !== undefined || y.length > 1;
  const along = [...new Set(points.map((point) => point.x))];
  const places = along.length;
  const isCrowded = kind !== 'scatter' && places > 8;
  const ticks = along.filter((_, at) => at % Math.ceil(places / MOST_TICKS) === 0);
  const fill = hasSeries ? 'series' : 'var(--accent)';
  const marks = {
    bar: () => [Plot.barY(points, { x: 'x', y: 'y', fill, tip: true }), Plot.ruleY([0])],
    line: () => [
      Plot.lineY(points, { x: 'x', y: 'y', stroke: fill, marker: 'dot', tip: true }),
      Plot.ruleY([0]),
    ],
    scatter: () => [Plot.dot(points, { x: 'x', y: 'y', stroke: fill, tip: true })],
    // Shares of a whole: one bar each, longest first, which people read more surely than angles.
    pie: () => [
      Plot.barX(points, {
        ...{ x: (point: Point) => point.y / sumOf(points), y: 'x', sort: { y: '-x' } },
        ...{ fill: 'var(--accent)', tip: true },
      }),
    ],
  };
  const picture = Plot.plot({
    width: frame.width,
    height: kind === 'pie' ? 60 + places * 28 : 320,
    marginLeft: kind === 'pie' ? 140 : 70,
    marginBottom: isCrowded && kind !== 'pie' ? 80 : 45,
    ariaLabel: frame.title,
    style: { background: 'transparent', color: 'var(--text)', fontSize: '12px' },
    x:
      kind === 'pie'
        ? { label: '%', percent: true }
        : {
            label: x,
            ...(isCrowded && { tickRotate: -45 }),
            ...(kind !== 'scatter' && {
              type: kind === 'line' ? ('point' as const) : ('band' as const),
              ticks,
            }),
          },
    y: kind === 'pie' ? { label: null } : { label: hasSeries ? null : (y[0] ?? ''), grid: true },
    color: { legend: hasSeries },
    marks: marks[kind](),
  });
  for (const svg of picture.matches('svg') ? [picture] : picture.querySelectorAll('svg')) {
    svg.setAttribute('role', 'img');
    // A label on a group that has no role is told to nobody, and forbidden.
    for (const group of svg.querySelectorAll('g[aria-label]')) group.removeAttribute('aria-label');
  }
  return picture;
}

function sumOf(points: readonly Point[]): number {
  return points.reduce((sum, { y }) => sum + y, 0) || 1;
}
