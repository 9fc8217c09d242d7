import { splitName } from '../../../../language/index.ts';
import type { Mention } from '../../question/mention/mention.ts';
import type { GroupTerm, MetricFrame, UnknownTerm } from '../frame/metric-frame.ts';

type Named = MetricFrame['metrics'];

const PREVIOUS =
  /\b(month|week|quarter)[ -](?:over|on|to)[ -]\1\b|\bmom\b|(?:month|quarter|year|week) before|previous (?:month|quarter|week)|trend/;
const DIFFERENCE =
  /percentage points|difference|how many (?:more|fewer|less)|how much (?:more|less|higher|lower|larger|smaller)|by how (?:many|much)|\bchange (?:in|of)\b/;
const IN_PERCENT = /percent(?!(?:age)? points)|%|growth rate/;

/** A rate where percent is said; a difference where points or "by how much" are, or between rates; else a rate. */
export function growthKind(mentions: readonly Mention[], metrics: Named): MetricFrame['growth'] {
  const text = mentions.map((mention) => mention.text.toLowerCase()).join(' ');
  if (PREVIOUS.test(text)) return 'previous';
  if (IN_PERCENT.test(text)) return 'rate';
  return DIFFERENCE.test(text) || metrics.some((item) => item.metric.ratio !== undefined)
    ? 'difference'
    : 'rate';
}

/** "2023 versus 2024": the periods are set beside each other, and no change is asked for. */
export function comparesOnly(mentions: readonly Mention[]): boolean {
  const words = mentions.filter((mention) => mention.cue?.kind === 'growth');
  return (
    words.length > 0 &&
    words.every(({ text }) => /^(?:vs|versus|compared? |in comparison )/i.test(`${text} `)) &&
    !mentions.some((mention) => /percent|%/i.test(mention.text))
  );
}

/** "by how many percent", "by what percentage": the unit of a change, not a share; "how many percent of" is one. */
export function setsUnit(mentions: readonly Mention[], at: number): boolean {
  // "the percentage growth of", "percentage change": the unit of the change behind it.
  if (mentions[at + 1]?.cue?.kind === 'growth' || /^points?$/i.test(mentions[at + 1]?.text ?? ''))
    return true;
  const isOf = mentions[at + 1]?.cue?.kind === 'of' || /\bof$/i.test(mentions[at]?.text ?? '');
  if (/^percent$/i.test(mentions[at]?.text ?? '')) return !isOf;
  return mentions[at - 1]?.cue?.kind === 'by' && !isOf;
}

/** "in percent", of a part or of every group: a share, unless a rate or a change has that unit. */
export function sharesInPercent(frame: MetricFrame, mentions: readonly Mention[]): boolean {
  const says = mentions.some((mention) => mention.cue?.kind === 'share' && /^percent$/i.test(mention.text));
  return (
    says &&
    frame.growth === undefined &&
    frame.filters.length + frame.groups.length > 0 &&
    frame.metrics.every(({ metric }) => metric.ratio === undefined)
  );
}

/** "in how many cities did we have leads", "how many dealers had orders": the groups are counted. */
export function countsGroups(frame: MetricFrame, mentions: readonly Mention[]): boolean {
  const [only, second] = frame.groups;
  if (!frame.countsGroups || only === undefined || second !== undefined || only.isEach) return false;
  if (frame.order !== undefined || frame.isShare || frame.growth !== undefined) return false;
  const at = mentions.findIndex((mention) => mention.cue?.kind === 'count');
  const after = mentions.find((mention) => mention.index === only.mention.index + 1);
  return mentions[at - 1]?.cue?.kind === 'preposition' || after?.cue?.kind === 'have';
}

/** "Which city had the most leads?" asks for the city, unless the figure is asked for too. */
export function hidesValue(
  mentions: readonly Mention[],
  isPicked: boolean,
  groups: readonly GroupTerm[],
): boolean {
  const head = mentions.find(
    (mention) => mention.cue !== undefined && !/^(?:stop|preposition)$/.test(mention.cue.kind),
  )?.cue;
  // "in which quarter did we …"
  const isInWhich = head?.kind === 'relative' && /which$/i.test(mentions[0]?.text ?? '');
  const namesFigure = mentions.some((mention) =>
    /^(?:the |that |its )?(?:value|figure|number|amount|count)s?$/i.test(mention.text),
  );
  // "an above-average number of" is a condition.
  const counts = mentions.some(
    (mention, at) =>
      mention.cue?.kind === 'count' &&
      !/^(?:highest|largest|greatest)/i.test(mention.text) &&
      !/average/i.test(mentions[at - 1]?.text ?? ''),
  );
  return (
    (head?.kind === 'wh' ? /which|who|what/.test(head.word) : isInWhich) &&
    !counts &&
    !namesFigure &&
    isPicked &&
    groups.length > 0
  );
}

/** "cities with above-average orders", "month with the largest rise": what comes first is asked for, what follows "with" picks it. */
export function namesGroupsOnly(
  mentions: readonly Mention[],
  { groups, having, growth, order }: Pick<MetricFrame, 'groups' | 'having' | 'growth' | 'order'>,
): boolean {
  const isPicked = having?.isAverage === true || (growth === 'previous' && order?.limit !== undefined);
  const [first, next] = mentions.filter((mention) => mention.cue?.kind !== 'stop');
  return isPicked && next?.text.toLowerCase() === 'with' && groups.some(({ mention }) => mention === first);
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
    term.mention.nouns.some(
      (noun) =>
        noun.kind === 'column' &&
        noun.isFlag !== true &&
        tables.includes(noun.tableId) &&
        !isState(term.mention.text, noun.id),
    )
  );
}

/** Claims that are open, beside a column that says when they were opened. */
function isState(text: string, columnId: string): boolean {
  const state = text.toLowerCase();
  const words = splitName(columnId.slice(columnId.lastIndexOf('.') + 1));
  return !words.includes(state) && words.includes(`${state}ed`);
}
