import type { Mention } from '../mention/mention.ts';
import type { GroupTerm, MetricFrame, UnknownTerm } from './metric-frame.ts';

type Named = MetricFrame['metrics'];

const PREVIOUS =
  /month (?:over|on|to) month|\bmom\b|(?:month|quarter|year|week) before|previous (?:month|quarter|week)|trend/;
const DIFFERENCE = /percentage points|difference|how many more|by how many (?!percent)/;

/** Growth is a rate, unless points, a difference or the step to the period before is asked for. */
export function growthKind(mentions: readonly Mention[], metrics: Named): MetricFrame['growth'] {
  const text = mentions.map((mention) => mention.text.toLowerCase()).join(' ');
  if (PREVIOUS.test(text)) return 'previous';
  return DIFFERENCE.test(text) || metrics.some((item) => item.metric.ratio !== undefined)
    ? 'difference'
    : 'rate';
}

/** "Which city had the most leads?" asks for the city, unless the figure is asked for too. */
export function hidesValue(
  mentions: readonly Mention[],
  isPicked: boolean,
  groups: readonly GroupTerm[],
): boolean {
  const head = mentions.find((mention) => mention.cue !== undefined && mention.cue.kind !== 'stop')?.cue;
  const namesFigure = mentions.some((mention) =>
    /^(?:the |that |its )?(?:value|figure|number|amount|count)s?$/i.test(mention.text),
  );
  const counts = mentions.some(
    (mention) => mention.cue?.kind === 'count' && !/^(?:highest|largest|greatest)/i.test(mention.text),
  );
  return (
    head?.kind === 'wh' &&
    /which|who|what/.test(head.word) &&
    !counts &&
    !namesFigure &&
    isPicked &&
    groups.length > 0
  );
}

/** "top 2 series per brand": some groups are ranked inside others. */
export function ranksPerGroup(limit: number | undefined, groups: readonly GroupTerm[]): boolean {
  return limit !== undefined && groups.some((group) => group.isEach) && groups.some((group) => !group.isEach);
}

/** "signed" beside orders names a column of the metric's own rows: it says nothing new. */
export function isOwnColumn(term: UnknownTerm, metrics: Named): boolean {
  const tables = metrics.map((item) => item.metric.table);
  return (
    term.place === 'filter' &&
    term.mention.nouns.some((noun) => noun.kind === 'column' && tables.includes(noun.tableId))
  );
}
