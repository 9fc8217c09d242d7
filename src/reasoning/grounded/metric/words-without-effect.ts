import type { Mention } from '../question/mention/mention.ts';
import type { BoundMetric } from './bind/bind-metric.ts';
import type { MetricFrame } from './frame/metric-frame.ts';
import type { MetricHints } from './frame/metric-hints.ts';
import { opposedFilters } from './shapes/contrast.ts';

/**
 * Words of structure that ask for something which the frame does not hold: a comparison with nothing to compare, an order of one
 * row, a negation of nothing. A query that leaves them out answers another question.
 */
export function wordsWithoutEffect(
  frame: MetricFrame,
  bounds: readonly BoundMetric[],
  mentions: readonly Mention[],
  scattered: MetricHints['scattered'],
  held: readonly Mention[] = [],
): readonly Mention[] {
  return mentions.filter((mention) => {
    if (countsRowsOf(mention, bounds)) return false;
    if (held.includes(mention) || mention.time !== undefined || scattered?.tokens.has(mention.from))
      return false;
    if (mention.cue === undefined) return isLostNumber(mention, frame);
    return !hasEffect(mention, { frame, bounds, mentions });
  });
}

/** "at least two" of rows that are counted in a query of their own. */
function countsRowsOf(mention: Mention, bounds: readonly BoundMetric[]): boolean {
  return bounds.some(({ filters }) =>
    filters.some(({ term, isAmongMany }) => isAmongMany && term.rows?.said.includes(mention)),
  );
}

interface Read {
  readonly frame: MetricFrame;
  readonly bounds: readonly BoundMetric[];
  readonly mentions: readonly Mention[];
}

function hasEffect(mention: Mention, { frame, bounds, mentions }: Read): boolean {
  const { order, having, absence, groups, filters } = frame;
  const isGrouped = groups.length > 0;
  switch (mention.cue?.kind) {
    case 'superlative':
      // "the most orders, highest first": two words for one order.
      return (
        isGrouped &&
        order !== undefined &&
        mention.cue.direction === order.direction &&
        !measuresRows(mention.cue.attributes, frame)
      );
    case 'direction':
      return !isGrouped || order !== undefined;
    case 'compare':
      if (having?.mention === mention) return isGrouped;
      if (frame.comparesPeriods !== undefined || frame.growth !== undefined) return true;
      if (frame.isContrast && bounds.some((bound) => opposedFilters(bound.filters) !== undefined))
        return true;
      return mention.cue.operator === '<>' && filters.some(({ isNegated }) => isNegated);
    case 'between':
    case 'like':
    case 'null':
    case 'quantile':
      return false;
    case 'not':
      return absence?.mention === mention || filters.some((term) => isSaidOf(mention, term, mentions));
    case 'or':
      // Values of one column are joined where they are read; what else follows "or" narrows on its own.
      return !filters.some(
        (term) => term.mention.index > mention.index && isNext(mention, term.mention, mentions),
      );
    case 'aggregate':
      return isHeldFigure(mention, frame);
    case 'stop':
      return !isColumn(mention, { frame, bounds, mentions });
    case 'running':
      return frame.isRunning === true && isGrouped;
    default:
      return true;
  }
}

/** "the most expensive vehicles" by how many vehicles there are: a price is looked for, and no number of rows is one. */
function measuresRows(attributes: readonly string[], { order, metrics }: MetricFrame): boolean {
  const metric = order?.metric ?? metrics[0]?.metric;
  const isCount = /^count\s*\(/i.test(metric?.expression?.trim() ?? '');
  return (
    isCount && attributes.some((one) => /^-?(?:price|cost|length|duration|weight|height|age)$/.test(one))
  );
}

/** "by make", "the make of the vehicles": a verb elsewhere, a column of the rows here. */
function isColumn({ index, nouns }: Mention, { bounds, mentions }: Read): boolean {
  const tables = new Set(bounds.flatMap(({ metric }) => metric.table ?? []));
  const isNamed = nouns.some(
    ({ kind, tableId, score }) => kind === 'column' && score >= NAMED && tables.has(tableId),
  );
  const [before, behind] = [mentions[index - 1], mentions[index + 1]];
  const isBehind = /^(?:by|group)$/.test(before?.cue?.kind ?? '') || before?.isComma === true;
  return isNamed && (isBehind || behind?.cue?.kind === 'of');
}

const NAMED = 0.93;

function isSaidOf(
  mention: Mention,
  term: MetricFrame['filters'][number],
  mentions: readonly Mention[],
): boolean {
  return term.isNegated && term.mention.index > mention.index && mentions.length > 0;
}

/** Only filler stands between. */
function isNext(mention: Mention, other: Mention, mentions: readonly Mention[]): boolean {
  return mentions
    .filter(({ index }) => index > mention.index && index < other.index)
    .every(({ cue }) => cue?.kind === 'stop' || cue?.kind === 'preposition' || cue?.kind === 'relative');
}

/** "average" of a metric that is one, or that made the groups into one figure. */
function isHeldFigure(mention: Mention, frame: MetricFrame): boolean {
  const name = mention.cue?.kind === 'aggregate' ? mention.cue.function : undefined;
  if (name === 'sum' || frame.summary === name || frame.having?.isAverage === true) return true;
  if (mention.nouns.some(({ kind, score }) => kind === 'metric' && score >= 0.85)) return true;
  return frame.metrics.some(({ metric }) =>
    metric.ratio === undefined
      ? metric.expression?.trim().toLowerCase().startsWith(`${name}(`) === true
      : name === 'avg',
  );
}

/** A number that is neither how many rows, nor what is compared with, nor part of a name. */
function isLostNumber({ number, nouns, values }: Mention, frame: MetricFrame): boolean {
  if (number === undefined || nouns.length > 0 || values.length > 0) return false;
  return frame.order?.limit !== number && frame.having?.number !== number;
}
