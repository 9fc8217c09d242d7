import type { DialectName } from '../../sql/dialect.ts';
import { components, parse, type SqlTree, textOf } from '../../sql/index.ts';

/** The parts of a query as clauses for people, in the order in which they are read. */
const CLAUSES: readonly (readonly [head: string, tags: readonly string[]])[] = [
  ['Shows', ['sel']],
  ['Reads', ['from', 'join']],
  ['Joined where', ['on']],
  ['Only where', ['where', 'qual']],
  ['One row for each', ['grp']],
  ['Only groups where', ['hav']],
  ['Sorted by', ['ord']],
  ['At most', ['lim']],
];
const MOST_PARTS = 12;

/** What a query does, clause by clause and by its own words; undefined where it cannot be parsed. */
export function sqlInWords(sql: string, dialect: DialectName): readonly string[] | undefined {
  const parsed = parse(sql, dialect);
  if (!parsed.ok) return undefined;
  const all = components(parsed.tree);
  const own = all.filter(({ text }) => !/^(?:sub|cte:\d+\/)/.test(text));
  const lines = CLAUSES.flatMap(([head, tags]) => {
    const parts = own.filter(
      ({ text, weight }) => weight === 1 && tags.includes(text.slice(0, text.indexOf(':'))),
    );
    const texts = [...new Set(parts.map(({ text, node }) => shown(text, textOf(parsed.tree, node))))];
    const more = texts.length - MOST_PARTS;
    const listed = `${texts.slice(0, MOST_PARTS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    return texts.length === 0 ? [] : [`${head}: ${listed}.`];
  });
  const isDistinct = own.some(({ text }) => text.startsWith('distinct'));
  return [...lines, ...(isDistinct ? ['Equal rows are shown once.'] : []), ...stepLines(parsed.tree)];
}

function stepLines({ nodes }: SqlTree): readonly string[] {
  const steps = nodes.filter(({ type }) => type === 'Cte').length;
  const inner = nodes.filter(({ type }) => type === 'Subquery').length;
  return [
    ...(steps === 0 ? [] : [`It is made in ${steps === 1 ? 'a step' : `${steps} steps`} before (WITH).`]),
    ...(inner === 0 ? [] : [`It has ${inner === 1 ? 'a query' : `${inner} queries`} inside.`]),
  ];
}

/** A part without the words that its clause says already; what joins a table is told by itself. */
function shown(component: string, text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  if (component.startsWith('lim:')) return line.replace(/^LIMIT\s+/i, '');
  if (component.startsWith('from:'))
    return line.replace(/^(?:INNER\s+)?JOIN\s+/i, '').replace(/\s+(?:ON|USING)\b.*$/i, '');
  return component.startsWith('join:') ? line.replace(/\s+(?:ON|USING)\b.*$/i, '') : line;
}
