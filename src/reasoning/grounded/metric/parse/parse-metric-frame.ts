import type { Dimension, Metric, SemanticModel } from '../../../../knowledge/semantic/index.ts';
import { ordinalNumber } from '../../../../language/index.ts';
import type { Mention } from '../../question/mention/mention.ts';
import { timeGrain } from '../../question/read/calendar.ts';
import { countsRows } from '../bind/many-side.ts';
import { isPhrase } from '../bind/phrase-conditions.ts';
import type { FilterTerm, GroupTerm, MetricFrame, UnknownTerm } from '../frame/metric-frame.ts';
import type { MetricHints } from '../frame/metric-hints.ts';
import {
  countedTogether,
  findSale,
  holdsValue,
  isBoundValue,
  isNameFirst,
  namedDimensions,
  namedMetric,
  namesOtherRows,
  neighbour,
  opensPredicate,
  type Sale,
  unknownTermAt,
  verbMetric,
} from '../frame/metric-words.ts';
import { completeMetricFrame, type FoundWords } from './complete-metric-frame.ts';
import { growthKind, setsUnit } from './finish-metric-frame.ts';
import { comparesPeriods, readHaving, readRanking } from './read-comparison.ts';
import { readOrder } from './read-order.ts';
import { coversNames, rateOf, withScattered } from './scattered-metric.ts';

/** Where reading begins, and the metrics that stand before it. */
export interface MetricStart {
  readonly from: number;
  readonly metrics: MetricFrame['metrics'];
  readonly groups: readonly GroupTerm[];
}

/** Reads mentions as a question about metrics; without a metric it is none, or goes on from one. */
export function parseMetricFrame(
  mentions: readonly Mention[],
  semantics: SemanticModel,
  hints: MetricHints,
  start: MetricStart = { from: 0, metrics: [], groups: [] },
): MetricFrame {
  return new MetricReader(mentions, semantics, hints, start).read();
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

class MetricReader {
  private readonly mentions: readonly Mention[];
  private readonly semantics: SemanticModel;
  private readonly metrics: { metric: Metric; mention: Mention }[];
  private readonly isScattered: boolean;
  private readonly sale: Sale | undefined;
  private readonly together: readonly Mention[];
  private readonly groups: GroupTerm[] = [];
  private readonly filters: FilterTerm[] = [];
  private readonly unknown: UnknownTerm[] = [];
  private readonly hints: MetricHints;
  private readonly start: MetricStart;
  private readonly found: Mutable<FoundWords> = {};
  private isAfterGroup = false;
  /** "the three dealers with …" */
  private countBefore: number | undefined;
  private isNegated = false;
  /** "no", "without", "never": what stands behind it is not there. */
  private negation: Mention | undefined;
  private isPredicate = false;

  constructor(
    mentions: readonly Mention[],
    semantics: SemanticModel,
    hints: MetricHints,
    start: MetricStart,
  ) {
    this.start = start;
    this.mentions = mentions;
    this.semantics = semantics;
    this.hints = hints;
    this.metrics = [...start.metrics];
    this.isScattered = coversNames(hints.scattered, mentions, semantics);
    this.sale = findSale(mentions, semantics);
    this.together = countedTogether(mentions);
  }

  read(): MetricFrame {
    const { from } = this.start;
    for (let at = from; at < this.mentions.length; at++) at = this.step(at);
    const { groups, filters, hints, unknown, found } = this;
    const named = this.metrics.slice(this.start.metrics.length);
    const scattered = this.isScattered ? hints.scattered : undefined;
    const rate = found.isShare === true ? rateOf(scattered, this.mentions, this.semantics) : undefined;
    if (rate !== undefined) found.isShare = false;
    const metrics = withScattered(
      named,
      rate === undefined || scattered === undefined ? scattered : { ...scattered, metric: rate },
      this.mentions,
    );
    // "from January to March" tells of a period, not of two ends.
    const isInTime = ({ from, to }: Mention, role: { readonly from: number }): boolean =>
      role.from >= from && role.from < to;
    const roles = hints.roles
      .filter((role) => !this.mentions.some((one) => one.time !== undefined && isInTime(one, role)))
      .map((role) => role.relationship);
    const words = { metrics, groups, filters, unknown, roles, found, countBefore: this.countBefore };
    return completeMetricFrame(words, this.mentions.slice(from), this.semantics);
  }

  /** Reads one mention, sometimes with its neighbours; returns the index of the last one it used. */
  private step(at: number): number {
    const mention = this.mentions[at];
    if (mention === undefined || mention.isSentenceEnd || mention.time !== undefined) return at;
    // What a phrase says of the rows is bound when it is known of which.
    if (mention.isComma || isPhrase(mention)) return at;
    if (this.isHinted(mention)) return at;
    if (this.sale?.mention === mention) return this.readSale(this.sale, at);
    if (isBoundValue(this.mentions, at, this.semantics) || this.isPart(at)) return this.readValue(at);
    const own = namedMetric(mention, this.semantics);
    if (own !== undefined && this.isOnlyPassing(own, mention)) return at;
    const metric = this.readMetric(mention);
    if (metric !== undefined) {
      this.noteAbsence(metric);
      if (!this.metrics.some((item) => item.metric.name === metric.name))
        this.metrics.push({ metric, mention });
      this.isAfterGroup = false;
      // "open claims": the value names its things too.
      const isBoth = mention.values.length > 0 && !isNameFirst(mention) && /\s/.test(mention.text);
      return isBoth ? this.readValue(at) : at;
    }
    if (namedMetric(mention, this.semantics) !== undefined && !this.isNamedAsDimension(mention)) return at;
    const grain = this.readGrain(mention, at);
    if (grain !== undefined) return grain;
    if (mention.values.length > 0 && !isNameFirst(mention)) return this.readValue(at);
    const dimensions = namedDimensions(mention, this.semantics);
    if (dimensions.length > 0) return this.readDimension(at, dimensions);
    if (mention.cue !== undefined) return this.readCue(at);
    const done = this.negation === undefined ? undefined : verbMetric(mention, this.semantics);
    if (done !== undefined) {
      this.noteAbsence(done);
      this.metrics.push({ metric: done, mention });
      return at;
    }
    // "never shipped anything", "did not order anything".
    if (this.found.absence !== undefined && /^any(?:thing|one|body)?$/i.test(mention.text)) return at;
    if (ordinalNumber(mention.text) !== undefined && this.mentions[at + 1]?.cue?.kind === 'superlative')
      return at;
    this.noteUnknown(at);
    return at;
  }

  private readSale({ metric, mention, nothing }: Sale, at: number): number {
    if (!this.metrics.some((item) => item.metric.name === metric.name))
      this.metrics.push({ metric, mention });
    this.found.sale = mention;
    if (nothing !== undefined) this.found.absence = { mention: nothing, metric };
    return nothing?.index ?? at;
  }

  /**
   * "leads by province where more than 100 orders": the orders are what must pass, the leads what is asked for. "the most orders
   * and their revenue": the orders rank. True where the figure is asked for no more than that.
   */
  private isOnlyPassing(metric: Metric, mention: Mention): boolean {
    const { having, order } = this.found;
    const isThing = this.isNamedAsDimension(mention);
    if (order !== undefined && order.metric === undefined && order.mention.index < mention.index && !isThing)
      this.found.order = { ...order, metric };
    if (having?.at === undefined || having.metric !== undefined) return false;
    const between = this.mentions.slice(having.at + 1, mention.index);
    if (mention.index < having.at || between.some(({ cue }) => cue?.kind !== 'stop' && cue?.kind !== 'of'))
      return false;
    this.found.having = { ...having, metric };
    return this.metrics.length > 0 && this.metrics.every((other) => other.metric.name !== metric.name);
  }

  /** "had no orders": a figure behind a negation is what there is none of. */
  private noteAbsence(metric: Metric): void {
    if (this.negation === undefined) return;
    this.found.absence = { mention: this.negation, metric };
    this.negation = undefined;
    this.isNegated = false;
  }

  /** The mention stands for a role or for a scattered metric and nothing else. */
  private isHinted(mention: Mention): boolean {
    const isPart = this.isScattered && this.hints.scattered?.tokens.has(mention.from);
    if (isPart && namedMetric(mention, this.semantics) === undefined) return true;
    return (
      this.hints.roles.some((role) => mention.from >= role.from && mention.to <= role.to) &&
      mention.values.length === 0
    );
  }

  private isPart(at: number): boolean {
    const { isShare, shareAt } = this.found;
    const isPlace = isShare === true && (shareAt === at - 1 || this.isPredicate);
    return isPlace && namesOtherRows(this.mentions, at, this.semantics);
  }

  private readMetric(mention: Mention): Metric | undefined {
    const metric = namedMetric(mention, this.semantics);
    if (metric === undefined || this.isNamedAsDimension(mention) || this.isContext(metric, mention))
      return undefined;
    // After "per" the dealers of "orders per dealer" are a grouping even when a metric has the name too.
    return this.isAfterGroup && namedDimensions(mention, this.semantics).length > 0 ? undefined : metric;
  }

  /** "dealers" is a figure and a dimension; beside another figure it is the dimension. */
  private isNamedAsDimension(mention: Mention): boolean {
    if (namedDimensions(mention, this.semantics).length === 0) return false;
    if (this.sale !== undefined) return true;
    if (this.together.includes(mention)) return false;
    return this.mentions.some(
      (other) =>
        other !== mention &&
        namedMetric(other, this.semantics) !== undefined &&
        namedDimensions(other, this.semantics).length === 0,
    );
  }

  /** "the average discount on Monarch orders": the orders only say whose discount. */
  private isContext(metric: Metric, mention: Mention): boolean {
    const last = this.metrics.at(-1);
    if (last === undefined || last.metric.table !== metric.table || last.metric.name === metric.name)
      return false;
    // "ratio of deliveries to orders", "what share of test drives were no-shows": both are figures.
    if (this.found.isShare === true) return false;
    const between = this.mentions.slice(last.mention.index + 1, mention.index);
    return !between.some(
      (other) => other.isComma || other.cue?.kind === 'and' || other.cue?.kind === 'growth',
    );
  }

  private readGrain(mention: Mention, at: number): number | undefined {
    const part = timeGrain(mention.text);
    if (part === undefined) return undefined;
    const isUnit = this.mentions[at - 1]?.number !== undefined;
    // "on weekdays" are the days of work; "per weekday" is each of the seven.
    const next = this.mentions[at + 1];
    const isKind = next?.isUnknown === true || (next?.cue === undefined && (next?.nouns.length ?? 0) > 0);
    if (part === 'weekday' && mention.values.length > 0 && (!this.isAfterGroup || isKind)) return undefined;
    const isWhole = mention.cue?.kind === 'grain';
    if (isUnit || (!isWhole && namedDimensions(mention, this.semantics).some((item) => item.isTime)))
      return undefined;
    // "month with the largest rise over the month before" is one step.
    if (this.groups.some((group) => group.kind === 'time' && group.part === part)) return at;
    this.groups.push({ kind: 'time', part, mention, isEach: this.isAfterGroup });
    return at;
  }

  private readValue(at: number): number {
    const mention = this.mentions[at];
    if (mention === undefined) return at;
    const values = [mention.values];
    let last = at;
    for (;;) {
      const next = this.mentions[last + 1];
      const isJoint = next?.isComma === true || next?.cue?.kind === 'and' || next?.cue?.kind === 'or';
      const skip =
        isJoint && this.mentions[last + 2]?.cue !== undefined && this.mentions[last + 2]?.values.length === 0
          ? 3
          : 2;
      const other = this.mentions[last + skip];
      const shares =
        other?.values.some((value) => mention.values.some((own) => own.columnId === value.columnId)) ?? false;
      if (!isJoint || other === undefined || !shares || isNameFirst(other)) break;
      values.push(other.values);
      last += skip;
    }
    const named = [neighbour(this.mentions, at, -1), neighbour(this.mentions, last, 1)].flatMap((beside) =>
      beside === undefined ? [] : namedDimensions(beside, this.semantics),
    );
    const isCounted = countsRows(this.mentions, at);
    const rows = this.readRowCount(at);
    const { isPredicate, isNegated } = this;
    this.filters.push({ values, named, isNegated, mention, isPredicate, isCounted, rows });
    this.isNegated = false;
    this.negation = undefined;
    return last;
  }

  /** "at least two failed attempts": what is compared right before a value is how many rows have it, not the figure. */
  private readRowCount(at: number): FilterTerm['rows'] {
    const { having } = this.found;
    const said = having?.at === undefined ? undefined : this.mentions[having.at];
    if (having?.number === undefined || said === undefined || having.at !== at - 1 || this.isNegated)
      return undefined;
    this.found.having = undefined;
    return { operator: having.operator, number: having.number, said: [having.mention, said] };
  }

  private readDimension(at: number, candidates: Dimension[]): number {
    const mention = this.mentions[at];
    if (mention === undefined) return at;
    const besideValue = [this.mentions[at + 1], neighbour(this.mentions, at, 1), this.mentions[at - 1]].some(
      (other) =>
        other !== undefined &&
        other.values.length > 0 &&
        (!isNameFirst(other) || isBoundValue(this.mentions, other.index, this.semantics)) &&
        holdsValue(other, candidates),
    );
    const afterOf =
      /^(of|be|stop)$/.test(this.mentions[at + 1]?.cue?.kind ?? '') &&
      holdsValue(this.mentions[at + 2], candidates);
    const describesValue = (this.mentions[at - 1]?.values.length ?? 0) > 0;
    if (!this.isAfterGroup && (besideValue || afterOf || describesValue)) return at;
    const isOne = /^an?$/i.test(this.mentions[at - 1]?.text ?? '') && !this.isAfterGroup;
    // "who bought a car" splits nothing; "on average … a dealer" is each of them.
    if (isOne && this.found.figure === undefined) return at;
    const name = candidates[0]?.name;
    if (this.groups.some((group) => group.kind === 'dimension' && group.candidates[0]?.name === name))
      return at;
    const number = this.mentions[at - 1];
    if (number?.number !== undefined && number.time === undefined) this.countBefore = number.number;
    const counted = this.mentions.slice(Math.max(0, at - 2), at).some((other) => other.cue?.kind === 'count');
    if (counted && this.metrics.length === 0) this.found.countsGroups = true;
    this.groups.push({ kind: 'dimension', candidates, mention, isEach: this.isAfterGroup || isOne });
    const next = this.mentions[at + 1]?.cue?.kind;
    const goesOn = next === 'and' || (this.mentions[at + 1]?.isComma === true && this.isDimensionAt(at + 2));
    this.isAfterGroup = this.isAfterGroup && goesOn;
    return at;
  }

  /** "per brand, series and month": another group follows, past "and". */
  private isDimensionAt(at: number): boolean {
    const mention = this.mentions[this.mentions[at]?.cue?.kind === 'and' ? at + 1 : at];
    return mention !== undefined && namedDimensions(mention, this.semantics).length > 0;
  }

  private readCue(at: number): number {
    const mention = this.mentions[at];
    const cue = mention?.cue;
    if (mention === undefined || cue === undefined) return at;
    if (opensPredicate(this.mentions, at, this.semantics)) this.isPredicate = this.metrics.length > 0;
    switch (cue.kind) {
      case 'group':
      case 'by':
        this.isAfterGroup = true;
        return at;
      case 'wh':
        this.isAfterGroup = false;
        return at;
      case 'not':
        this.isNegated = true;
        this.negation = mention;
        return at;
      case 'running':
        this.found.isRunning = true;
        return at;
      case 'share':
        // "by how many percent" sets the unit; "how many percent of" asks for a share.
        if (setsUnit(this.mentions, at)) return at;
        this.found.isShare = true;
        this.found.shareAt ??= at;
        return at;
      case 'aggregate':
        if (cue.function !== 'sum') this.found.figure ??= { function: cue.function, mention };
        return at;
      case 'growth':
        this.found.growth = growthKind(this.mentions.slice(this.start.from), this.metrics);
        return at;
      case 'superlative':
        this.found.order = readRanking(this.mentions, mention, cue.direction);
        if (this.sale !== undefined && this.sale.mention.index < at)
          this.found.order = { ...this.found.order, metric: this.sale.metric };
        return this.mentions[at + 1]?.number === this.found.order.limit &&
          this.found.order.limit !== undefined
          ? at + 1
          : at;
      case 'order':
        return this.readOrder(at) ?? at;
      case 'direction':
        if (this.readOrder(at) !== undefined) return at;
        this.found.order = { direction: cue.direction, mention, limit: this.found.order?.limit };
        return at;
      case 'compare':
        if (cue.operator === '<>') this.isNegated = true;
        this.found.comparesPeriods ??= comparesPeriods(this.mentions, at) ? cue.operator : undefined;
        this.found.having = readHaving(this.mentions, mention, cue.operator) ?? this.found.having;
        return at;
      default:
        return at;
    }
  }

  private readOrder(at: number): number | undefined {
    const found = readOrder(this.mentions, at, [...this.start.groups, ...this.groups], this.semantics);
    if (found !== undefined) this.found.order = { ...found.order, limit: this.found.order?.limit };
    return found?.last;
  }

  private noteUnknown(at: number): void {
    const term = unknownTermAt(this.mentions, at, this.isAfterGroup, this.semantics);
    if (term === undefined) return;
    this.unknown.push(term);
    this.isAfterGroup = false;
  }
}
