/** From everything that matched to a few values a column and a few columns a keyword, and what was left out. */
import { compareText } from '../../../lib/index.ts';
import type { IndexedColumn } from '../../values/index-manifest.ts';
import type { Found, FoundValues, Truncation } from '../settings/retrieved.ts';

export interface ValueMatch {
  readonly columnId: string;
  readonly value: string;
  readonly match: 'exact' | 'folded' | 'stem' | 'similar';
  /** Rows that hold it. */
  readonly count: number;
  /** The part of the keyword that it is like. */
  readonly packet: string;
  readonly ratio: number;
  readonly embedding?: number;
}

export interface PickOptions {
  readonly valuesPerColumn: number;
  readonly columnsPerKeyword: number;
  readonly rerank: 'threshold' | 'chess';
}

/** CHESS keeps what is at least this part of the best. */
const NEAR_BEST = 0.9;
/** What looks the same but for case or a plural is nearly sure; what only looks like it is less so however much it does. */
const SCORES = { exact: 1, folded: 0.98, stem: 0.95, similar: 0.9 } as const;

/** Groups matches by column. Values, columns and the reasons come in an order that the same matches always give. */
export function pickValues(
  matches: ReadonlyMap<string, readonly ValueMatch[]>,
  columns: ReadonlyMap<string, IndexedColumn>,
  options: PickOptions,
): { readonly values: readonly Found<FoundValues>[]; readonly truncations: readonly Truncation[] } {
  const truncations: Truncation[] = [];
  const byColumn = new Map<string, Map<string, ValueMatch>>();
  for (const [keyword, all] of matches) {
    const groups = groupByColumn(options.rerank === 'chess' ? nearBest(all) : all);
    const ranked = [...groups].sort(([a, left], [b, right]) => compareBest(left, right) || compareText(a, b));
    const shown = ranked.slice(0, options.columnsPerKeyword);
    if (shown.length < ranked.length)
      truncations.push({
        what: `columns with values like “${keyword}”`,
        shown: shown.length,
        total: ranked.length,
      });
    for (const [columnId, found] of shown) {
      const known = byColumn.get(columnId) ?? new Map<string, ValueMatch>();
      byColumn.set(columnId, known);
      for (const match of found) {
        const other = known.get(match.value);
        if (other === undefined || compareMatches(match, other) < 0) known.set(match.value, match);
      }
    }
  }
  const values = [...byColumn].map(([columnId, known]) => {
    const best = [...known.values()].sort(compareMatches).slice(0, options.valuesPerColumn);
    truncations.push(...truncationsOf(columnId, best.length, columns.get(columnId)));
    return toFound(columnId, best);
  });
  return { values: values.sort(compareFound), truncations };
}

function groupByColumn(matches: readonly ValueMatch[]): Map<string, ValueMatch[]> {
  const groups = new Map<string, ValueMatch[]>();
  for (const match of matches) {
    const group = groups.get(match.columnId);
    if (group === undefined) groups.set(match.columnId, [match]);
    else group.push(match);
  }
  for (const group of groups.values()) group.sort(compareMatches);
  return groups;
}

/** Of each column what is near its best by spelling, of that what is near the best by meaning. */
function nearBest(matches: readonly ValueMatch[]): ValueMatch[] {
  return [...groupByColumn(matches).values()].flatMap((group) => {
    const ratio = Math.max(...group.map((match) => match.ratio));
    const spelled = group.filter((match) => match.ratio >= NEAR_BEST * ratio);
    const meant = Math.max(...spelled.map(({ embedding = 0 }) => embedding));
    return spelled.filter(
      ({ match, embedding = meant }) => match !== 'similar' || embedding >= NEAR_BEST * meant,
    );
  });
}

function scoreOf({ match, ratio, embedding }: ValueMatch): number {
  return match === 'similar' ? SCORES.similar * Math.min(1, embedding ?? ratio) : SCORES[match];
}

/** Surer first; of equally sure ones that of more words, the better spelled, the more frequent, then by the text. */
function compareMatches(a: ValueMatch, b: ValueMatch): number {
  return (
    scoreOf(b) - scoreOf(a) ||
    b.ratio - a.ratio ||
    b.packet.length - a.packet.length ||
    b.count - a.count ||
    compareText(a.value, b.value)
  );
}

function compareBest([a]: readonly ValueMatch[], [b]: readonly ValueMatch[]): number {
  if (a === undefined || b === undefined) return 0;
  return (
    scoreOf(b) - scoreOf(a) || b.ratio - a.ratio || b.packet.length - a.packet.length || b.count - a.count
  );
}

function compareFound(a: Found<FoundValues>, b: Found<FoundValues>): number {
  return b.score - a.score || compareText(a.item.columnId, b.item.columnId);
}

function toFound(columnId: string, matches: readonly ValueMatch[]): Found<FoundValues> {
  const [best] = matches;
  return {
    item: {
      columnId,
      values: matches.map(({ value, packet, match, ratio }) => ({ value, keyword: packet, match, ratio })),
    },
    score: best === undefined ? 0 : scoreOf(best),
    because: best === undefined ? [] : [reasonOf(best)],
  };
}

function reasonOf({ packet, value, match, ratio, embedding }: ValueMatch): string {
  if (match === 'exact') return `“${packet}” is a stored value`;
  if (match !== 'similar') return `“${packet}” is stored as “${value}”`;
  const meaning = embedding === undefined ? '' : `, meaning ${embedding.toFixed(2)}`;
  return `“${packet}” is like the stored “${value}”: spelling ${ratio.toFixed(2)}${meaning}`;
}

/** How many of a column's values are shown, and where not all of them are in the index, how many are. */
function truncationsOf(columnId: string, shown: number, column: IndexedColumn | undefined): Truncation[] {
  if (column === undefined) return [];
  const { distinct, kept } = column;
  return [
    ...(shown < distinct ? [{ what: `values of ${columnId}`, shown, total: distinct }] : []),
    ...(kept < distinct ? [{ what: `indexed values of ${columnId}`, shown: kept, total: distinct }] : []),
  ];
}
