import type { SemanticModel } from '../../../knowledge/index.ts';
import type { AggregateFunction } from '../../../sql/index.ts';
import type { Mention } from '../mention/mention.ts';
import { applyFigure } from './apply-figure.ts';
import type { FilterTerm, GroupTerm, MetricFrame, UnknownTerm } from './metric-frame.ts';
import { narrowOneFigure } from './narrow-one-figure.ts';
import {
  comparesOnly,
  countsGroups,
  hidesValue,
  isOwnColumn,
  namesGroupsOnly,
  ranksPerGroup,
  sharesInPercent,
} from './settle-frame.ts';
import { withSteps } from './with-steps.ts';

/** What single words of structure told, before the whole question is looked at. */
export type FoundWords = Partial<MetricFrame> & {
  /** "average", "maximum": a figure asked for of another. */
  readonly figure?: { readonly function: AggregateFunction; readonly mention: Mention };
};

/** The words of a metric question, read one by one. */
export interface MetricWords {
  readonly metrics: MetricFrame['metrics'];
  readonly groups: readonly GroupTerm[];
  readonly filters: readonly FilterTerm[];
  readonly unknown: readonly UnknownTerm[];
  readonly roles: readonly string[];
  readonly found: FoundWords;
  /** "the three dealers with …" */
  readonly countBefore: number | undefined;
}

/** Words that set two values against each other. */
const CONTRAST =
  /^(?:above|below|than|more than|less than|higher than|lower than|versus|vs|compared (?:to|with)|difference between|against|exceed(?:s|ed)?|surpass(?:ed)?|ahead of|behind)$/i;

const VERSUS = /^(?:versus|vs|compared (?:to|with))$/i;
const DIFFERENCE = /^(?:differences?|difference between|by how much|how much (?:more|less|higher|lower))$/i;

/** Settles what only the whole question tells; `read` are the mentions that were read. */
export function completeMetricFrame(
  words: MetricWords,
  read: readonly Mention[],
  semantics: SemanticModel,
): MetricFrame {
  const { metrics, groups, roles, countBefore } = words;
  const filters = narrowOneFigure(words.filters, metrics, read, semantics);
  const { figure, ...said } = words.found;
  const found =
    said.order?.limit === 1 && countBefore !== undefined
      ? { ...said, order: { ...said.order, limit: countBefore } }
      : said;
  const windows = read.flatMap((mention) => mention.time ?? []);
  const isBeside = comparesOnly(read);
  const frame: MetricFrame = {
    metrics,
    groups,
    filters,
    windows,
    unknown: words.unknown.filter((term) => !isOwnColumn(term, metrics)),
    roles,
    isContrast: read.some((mention) => CONTRAST.test(mention.text)),
    isVersus: read.some(({ text }) => VERSUS.test(text)) && !read.some(({ text }) => DIFFERENCE.test(text)),
    isShare: false,
    isPercent: read.some((mention) => /percent|%|^points?$/i.test(mention.text)),
    showsRanks: read.some(({ text }) => /^(?:ranks?|rankings?)$/i.test(text)),
    countsGroups: false,
    isPerGroup: ranksPerGroup(found.order?.limit, groups),
    hidesValue:
      namesGroupsOnly(read, { groups, having: found.having, growth: found.growth, order: found.order }) ||
      hidesValue(read, found.order !== undefined || found.having !== undefined, groups),
    isBeside,
    ...found,
    ...(isBeside && windows.length === 2 && { growth: undefined }),
  };
  const stepped = withSteps(frame, read, semantics);
  const shared = sharesInPercent(stepped, read) ? { ...stepped, isShare: true } : stepped;
  const counted = countsGroups(shared, read) ? { ...shared, summary: 'count' as const } : shared;
  return figure === undefined ? counted : applyFigure(counted, figure, read, semantics);
}
