/** The frame that all plots share: axes with their grid, words and colours, as text of an SVG file. */

export interface PlotAxis {
  readonly label: string;
  /** The value at the far end. */
  readonly most: number;
  /** The value at the near end of an axis of powers of ten, which it and `most` are; absent: 0, in even steps. */
  readonly least?: number;
}

export interface Plot {
  readonly title: string;
  /** One sentence for who cannot see it. */
  readonly about: string;
  readonly x: PlotAxis;
  readonly y: PlotAxis;
}

/** Where values of the axes stand in the picture. */
export interface PlotPlaces {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
}

const WIDTH = 480;
const HEIGHT = 400;
const LEFT = 62;
const RIGHT = WIDTH - 18;
const TOP = 46;
const BOTTOM = HEIGHT - 54;
const TICKS = 5;
/** Told apart in light and dark, by the colour-blind, and by their dashes in print (Okabe and Ito's palette, 2008). */
const LINES = [
  { light: '#0072b2', dark: '#56b4e9', dash: 'none' },
  { light: '#b34d00', dark: '#f0a04b', dash: '7 3' },
  { light: '#00795a', dark: '#3dd6a5', dash: '2 3' },
  { light: '#a3477c', dark: '#e29bc3', dash: '9 3 2 3' },
] as const;
/** Lines beyond would look like earlier ones. */
export const MOST_LINES = LINES.length;

/** The whole text of a plot; `draw` gives the elements within the axes. */
export function renderPlot(plot: Plot, draw: (places: PlotPlaces) => readonly string[]): string {
  const places: PlotPlaces = {
    x: (value) => LEFT + shareOf(value, plot.x) * (RIGHT - LEFT),
    y: (value) => BOTTOM - shareOf(value, plot.y) * (BOTTOM - TOP),
  };
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" class="candor-plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">`,
    `<title>${escapeXml(plot.title)}</title>`,
    `<desc>${escapeXml(plot.about)}</desc>`,
    `<style>${styleSheet()}</style>`,
    `<rect class="paper" width="${WIDTH}" height="${HEIGHT}"/>`,
    writeText({ x: LEFT, y: 26, text: plot.title, kind: 'heading' }),
    ...drawAxes(plot, places),
    ...draw(places),
    '</svg>',
  ];
  return `${lines.join('\n')}\n`;
}

/** The end of an axis that holds all values: a multiple of 0.05 that five ticks divide into round steps. */
export function roundEnd(values: readonly number[]): number {
  const most = values.reduce((largest, value) => Math.max(largest, value), 0);
  return Math.min(1, [0.05, 0.1, 0.25, 0.5].find((end) => most <= end) ?? 1);
}

export interface PlotText {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly kind: 'heading' | 'label' | 'tick';
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly turned?: boolean;
}

export function writeText({ x, y, text, kind, anchor = 'start', turned = false }: PlotText): string {
  const turn = turned ? ` transform="rotate(-90 ${round(x)} ${round(y)})"` : '';
  return `<text class="${kind}" x="${round(x)}" y="${round(y)}" text-anchor="${anchor}"${turn}>${escapeXml(text)}</text>`;
}

/** A line through points of the axes, in the colour and dash of its number. */
export function drawLine(points: readonly (readonly [number, number])[], index: number): string {
  const path = points.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('');
  return `<path class="line line-${index % MOST_LINES}" d="${path}"/>`;
}

/** Two decimals are a quarter of what a screen shows, and keep the text the same on every machine. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** How far along the axis a value stands, from 0 to 1. */
function shareOf(value: number, { most, least }: PlotAxis): number {
  return least === undefined ? value / most : Math.log(value / least) / Math.log(most / least);
}

function ticksOf({ most, least }: PlotAxis): number[] {
  if (least === undefined) return Array.from({ length: TICKS + 1 }, (_, tick) => (tick / TICKS) * most);
  const powers = Math.round(Math.log10(most / least));
  return Array.from({ length: powers + 1 }, (_, power) => least * 10 ** power);
}

function drawAxes({ x, y }: Plot, places: PlotPlaces): string[] {
  return [
    ...ticksOf(x).flatMap((value) => {
      const at = places.x(value);
      return [
        `<path class="grid" d="M${round(at)} ${TOP}V${BOTTOM}"/>`,
        writeText({ x: at, y: BOTTOM + 18, text: tickText(value), kind: 'tick', anchor: 'middle' }),
      ];
    }),
    ...ticksOf(y).flatMap((value) => {
      const at = places.y(value);
      return [
        `<path class="grid" d="M${LEFT} ${round(at)}H${RIGHT}"/>`,
        writeText({ x: LEFT - 8, y: at + 4, text: tickText(value), kind: 'tick', anchor: 'end' }),
      ];
    }),
    writeText({ x: (LEFT + RIGHT) / 2, y: HEIGHT - 14, text: x.label, kind: 'label', anchor: 'middle' }),
    writeText({
      x: 18,
      y: (TOP + BOTTOM) / 2,
      text: y.label,
      kind: 'label',
      anchor: 'middle',
      turned: true,
    }),
  ];
}

/** `0.2`, `1,000`, `10 M`: short enough to stand beside the axis. */
function tickText(value: number): string {
  if (value >= 1_000_000) return `${round(value / 1_000_000)} M`;
  return value >= 1_000 ? round(value).toLocaleString('en') : `${round(value)}`;
}

function styleSheet(): string {
  return `${colours('light')}
.candor-plot text{font:12px system-ui,sans-serif}
.candor-plot .heading{font-size:15px;font-weight:600}
.candor-plot .grid,.candor-plot .line,.candor-plot .even{fill:none}
.candor-plot .line{stroke-width:2;stroke-linejoin:round}
.candor-plot .even{stroke-dasharray:4 4}
${LINES.map(({ dash }, index) => `.candor-plot .line-${index}{stroke-dasharray:${dash}}`).join('\n')}
@media (prefers-color-scheme:dark){
${colours('dark')}
}`;
}

function colours(scheme: 'light' | 'dark'): string {
  const isLight = scheme === 'light';
  const ink = isLight ? '#1f2328' : '#e6edf3';
  const faint = isLight ? '#59636e' : '#9da7b1';
  return [
    `.candor-plot .paper{fill:${isLight ? '#ffffff' : '#0d1117'}}`,
    `.candor-plot .heading,.candor-plot .label{fill:${ink}}`,
    `.candor-plot .tick{fill:${faint}}`,
    `.candor-plot .grid{stroke:${isLight ? '#d8dee4' : '#30363d'}}`,
    `.candor-plot .even{stroke:${faint}}`,
    ...LINES.map((line, index) => `.candor-plot .line-${index}{stroke:${line[scheme]}}`),
    ...LINES.map((line, index) => `.candor-plot .dot-${index}{fill:${line[scheme]}}`),
  ].join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as XML holds it: signs escaped, characters that XML 1.0 does not know replaced. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
}
