import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../lib/seeded-random.ts';
import { riskCoverage } from '../../../uncertainty/index.ts';
import { renderReliability } from '../../uncertainty/experiments/render-experiments.ts';
import { reliabilityBins } from '../reliability.ts';
import { roundEnd } from './plot-frame.ts';
import { renderRiskCoverage } from './render-risk-coverage.ts';

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (Element | string)[];
}

const NAMES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };
const unescapeXml = (text: string): string => {
  check(!/[&<]/.test(text.replace(/&(?:amp|lt|gt|quot);/g, '')), text);
  return text.replace(/&(\w+);/g, (_, name: string) => NAMES[name] ?? '');
};

/** Thrown rather than expected: a plot has hundreds of places to look at. */
function check(isXml: boolean, place: string): void {
  if (!isXml) throw new Error(`not XML: ${place.slice(0, 80)}`);
}

/** A strict reader of the XML we write: every tag closed in order, every sign escaped, no attribute twice. */
function readXml(text: string): Element {
  const open: Element[] = [{ name: '', attributes: {}, children: [] }];
  const tag = /<(\/?)([a-z]+)((?: [a-zA-Z-]+="[^"<]*")*)(\/?)>/y;
  const words = /[^<]+/y;
  for (let at = 0; at < text.length; ) {
    tag.lastIndex = at;
    words.lastIndex = at;
    const [whole, closing, name = '', fields = '', isEmpty] = tag.exec(text) ?? [];
    if (whole === undefined) {
      const [content = ''] = words.exec(text) ?? [];
      check(content !== '', text.slice(at));
      open.at(-1)?.children.push(unescapeXml(content));
      at += content.length;
      continue;
    }
    at += whole.length;
    if (closing === '/') {
      check(open.pop()?.name === name, whole);
      continue;
    }
    const pairs = [...fields.matchAll(/ ([a-zA-Z-]+)="([^"]*)"/g)].map(
      ([, key = '', value = '']) => [key, unescapeXml(value)] as const,
    );
    check(new Set(pairs.map(([key]) => key)).size === pairs.length, whole);
    const element: Element = { name, attributes: Object.fromEntries(pairs), children: [] };
    open.at(-1)?.children.push(element);
    if (isEmpty !== '/') open.push(element);
  }
  expect(open).toHaveLength(1);
  const [root] = open[0]?.children ?? [];
  if (root === undefined || typeof root === 'string') throw new Error('no root element');
  return root;
}

const elementsOf = (element: Element): Element[] =>
  element.children.flatMap((child) => (typeof child === 'string' ? [] : [child, ...elementsOf(child)]));
const textOf = (element: Element | undefined) => element?.children.join('');

const random = seededRandom(12);
const scores = Float64Array.from({ length: 3_000 }, () => 0.6 * random() ** 2);
const labels = scores.map((probability) => Number(random() < probability));
const bins = reliabilityBins({ scores, labels });
const curve = riskCoverage({ risks: scores, labels });

const plots = {
  reliability: renderReliability(bins, { title: 'Nodes & queries' }),
  riskCoverage: renderRiskCoverage([{ name: 'query <risk>', curve }], { title: 'Query risk' }),
};

describe('a plot', () => {
  it.each(Object.entries(plots))('of %s is an SVG file that says what it shows', (_, text) => {
    const root = readXml(text.trimEnd());
    expect(root.name).toBe('svg');
    expect(root.attributes).toMatchObject({
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: '0 0 480 400',
      role: 'img',
    });
    const [title, about] = elementsOf(root);
    expect([title?.name, about?.name]).toEqual(['title', 'desc']);
    expect(textOf(about)?.length).toBeGreaterThan(40);
    expect(text).toContain('prefers-color-scheme:dark');
    expect(text).not.toMatch(/NaN|Infinity|undefined|\d\.\d{3,}[^\d]*"/);
    const words = elementsOf(root).filter(({ name }) => name === 'text');
    expect(words.length).toBeGreaterThan(12);
  });

  it('keeps all its marks within the picture', () => {
    for (const text of Object.values(plots)) {
      for (const { attributes } of elementsOf(readXml(text.trimEnd()))) {
        const numbers = (attributes.d ?? '').match(/[ML]([\d.-]+) ([\d.-]+)/g) ?? [];
        for (const pair of numbers) {
          const [x = -1, y = -1] = pair.slice(1).split(' ').map(Number);
          expect(x >= 0 && x <= 480 && y >= 0 && y <= 400, pair).toBe(true);
        }
      }
    }
  });

  it('has a dot for every bin, and a line for every curve named with its area', () => {
    const dots = elementsOf(readXml(plots.reliability.trimEnd())).filter(({ name }) => name === 'circle');
    expect(dots).toHaveLength(15);
    const two = renderRiskCoverage(
      [
        { name: 'ours', curve },
        { name: 'agreement', curve },
      ],
      { title: 'Two' },
    );
    const elements = elementsOf(readXml(two.trimEnd()));
    // One in the plot, one in the legend, for each of the two.
    expect(elements.filter(({ attributes }) => attributes.class?.startsWith('line '))).toHaveLength(4);
    const words = elements.filter(({ name }) => name === 'text').map(textOf);
    expect(words).toContain(`ours, area ${curve.aurc.toFixed(3)}`);
    expect(words).toContain(`agreement, area ${curve.aurc.toFixed(3)}`);
  });

  it('stands a calibrated bin on the dashed line', () => {
    const even = [{ weight: 1, meanProbability: 0.5, errorRate: 0.5 }];
    const elements = elementsOf(readXml(renderReliability(even, { title: 'Even' }).trimEnd()));
    const line = elements.find(({ attributes }) => attributes.class === 'even')?.attributes.d;
    const dot = elements.find(({ name }) => name === 'circle')?.attributes;
    // .5 is the end of both axes.
    expect(line?.split('L')[1]).toBe(`${dot?.cx} ${dot?.cy}`);
  });

  it('is the same text every time, and of nothing still a plot', () => {
    expect(renderReliability(bins, { title: 'Nodes & queries' })).toBe(plots.reliability);
    expect(renderReliability([...bins].reverse(), { title: 'Nodes & queries' })).toBe(plots.reliability);
    for (const empty of [renderReliability([], { title: '' }), renderRiskCoverage([], { title: '' })])
      expect(readXml(empty.trimEnd()).name).toBe('svg');
  });

  it('escapes whatever it is titled', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
        (title) => {
          const [found] = elementsOf(readXml(renderReliability([], { title }).trimEnd()));
          expect(textOf(found)).toBe(
            title.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd'),
          );
        },
      ),
    );
    const [hostile] = elementsOf(
      readXml(renderReliability(bins, { title: '</title><script>&"\u0000\ud800' }).trimEnd()),
    );
    expect(textOf(hostile)).toBe('</title><script>&"\ufffd\ufffd');
  });

  it('refuses more curves than its lines can tell apart', () => {
    const five = Array.from({ length: 5 }, (_, at) => ({ name: `${at}`, curve }));
    expect(() => renderRiskCoverage(five, { title: 'Five' })).toThrow(
      'there are 5 curves; a plot tells 4 apart',
    );
  });

  it.each([
    [[0.03], 0.05],
    [[0.05, 0.01], 0.05],
    [[0.2], 0.25],
    [[0.26], 0.5],
    [[0.51], 1],
    [[], 0.05],
  ])('of values to %j has axes to %d', (values, end) => expect(roundEnd(values)).toBe(end));
});
