import type { Dimension, Metric, SemanticModel } from '../../../knowledge/index.ts';
import type { Mention } from '../mention/mention.ts';
import { timeGrain } from '../read/time-grains.ts';
import type { FilterTerm, GroupTerm, MetricFrame, UnknownTerm } from './metric-frame.ts';
import { holdsValue, isNameFirst, namedDimensions, namedMetric, neighbour } from './metric-words.ts';
import { comparesPeriods, readHaving, readRanking } from './read-comparison.ts';
import { growthKind, hidesValue, isOwnColumn, ranksPerGroup } from './settle-frame.ts';

export interface MetricHints {
  readonly roles: readonly RoleMatch[];
  /** A metric whose words stand apart in the question ("cars that were delivered"), and the tokens that name it. */
  readonly scattered?: { readonly metric: Metric; readonly tokens: ReadonlySet<number> };
}

/** Reads mentions as a question about metrics; undefined when no metric is named. */
export function parseMetricFrame(
  mentions: readonly Mention[],
  semantics: SemanticModel,
  hints: MetricHints,
): MetricFrame | undefined {
  return new MetricReader(mentions, semantics, hints).read();
}

/** Tokens of words that choose between links ("sells in", "registered in"), with the relationship they choose. */
export interface RoleMatch {
  readonly relationship: string;
  readonly from: number;
  readonly to: number;
}

/** Words that set two values against each other. */
const CONTRAST =
  /^(?:above|below|than|more than|less than|higher than|lower than|versus|vs|compared (?:to|with)|difference between|against)$/i;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

class MetricReader {
  private readonly mentions: readonly Mention[];
  private readonly semantics: SemanticModel;
  private readonly metrics: { metric: Metric; mention: Mention }[] = [];
  private readonly groups: GroupTerm[] = [];
  private readonly filters: FilterTerm[] = [];
  private readonly unknown: UnknownTerm[] = [];
  private readonly hints: MetricHints;
  private readonly found: Partial<Mutable<MetricFrame>> = {};
  private isAfterGroup = false;
  /** "the three dealers with …" */
  private countBefore: number | undefined;
  private isNegated = false;
  private isPredicate = false;

  constructor(mentions: readonly Mention[], semantics: SemanticModel, hints: MetricHints) {
    this.mentions = mentions;
    this.semantics = semantics;
    this.hints = hints;
  }

  read(): MetricFrame | undefined {
    for (let at = 0; at < this.mentions.length; at++) at = this.step(at);
    const { order } = this.found;
    if (order?.limit === 1 && this.countBefore !== undefined)
      this.found.order = { ...order, limit: this.countBefore };
    this.adoptScattered();
    if (this.metrics.length === 0) return undefined;
    const { groups, filters, metrics } = this;
    const windows = this.mentions.flatMap((mention) => mention.time ?? []);
    const roles = this.hints.roles.map((role) => role.relationship);
    const unknown = this.unknown.filter((term) => !isOwnColumn(term, metrics));
    const base = {
      metrics,
      groups,
      filters,
      windows,
      unknown,
      roles,
      isContrast: this.mentions.some((mention) => CONTRAST.test(mention.text)),
      isShare: false,
      isPercent: this.mentions.some((mention) => /percent|%/i.test(mention.text)),
      countsGroups: false,
    };
    const isPicked = this.found.order !== undefined || this.found.having !== undefined;
    return {
      ...base,
      isPerGroup: ranksPerGroup(this.found.order?.limit, groups),
      hidesValue: hidesValue(this.mentions, isPicked, groups),
      ...this.found,
    };
  }

  /** A scattered name counts when it says more than the plain names: "orders … cancelled" over "orders". */
  private adoptScattered(): void {
    const { scattered } = this.hints;
    const anchor = this.mentions.find((mention) => scattered?.tokens.has(mention.from));
    if (scattered === undefined || anchor === undefined || !this.isScattered()) return;
    const others = this.metrics.filter(({ mention }) => !scattered.tokens.has(mention.from));
    this.metrics.splice(0, this.metrics.length, { metric: scattered.metric, mention: anchor }, ...others);
  }

  /** The scattered name covers every plain name it touches, and more words than the longest of them. */
  private isScattered(): boolean {
    const { scattered } = this.hints;
    if (scattered === undefined) return false;
    const plain = this.mentions.filter((mention) => namedMetric(mention, this.semantics) !== undefined);
    const touched = plain.filter((mention) => scattered.tokens.has(mention.from));
    if (touched.length === 0) return plain.length === 0;
    return touched.every((mention) => mention.to - mention.from < scattered.tokens.size);
  }

  /** Reads one mention, sometimes with its neighbours; returns the index of the last one it used. */
  private step(at: number): number {
    const mention = this.mentions[at];
    if (mention === undefined || mention.isSentenceEnd || mention.time !== undefined) return at;
    if (mention.isComma) return at;
    if (this.isHinted(mention)) return at;
    const metric = this.readMetric(mention);
    if (metric !== undefined) {
      if (!this.metrics.some((item) => item.metric.name === metric.name))
        this.metrics.push({ metric, mention });
      this.isAfterGroup = false;
      return at;
    }
    if (namedMetric(mention, this.semantics) !== undefined && !this.isNamedAsDimension(mention)) return at;
    const grain = this.readGrain(mention, at);
    if (grain !== undefined) return grain;
    if (mention.values.length > 0 && !isNameFirst(mention)) return this.readValue(at);
    const dimensions = namedDimensions(mention, this.semantics);
    if (dimensions.length > 0) return this.readDimension(at, dimensions);
    if (mention.cue !== undefined) return this.readCue(at);
    this.noteUnknown(at);
    return at;
  }

  /** The mention stands for a role or for a scattered metric and nothing else. */
  private isHinted(mention: Mention): boolean {
    const isPart = this.hints.scattered?.tokens.has(mention.from) && this.isScattered();
    if (isPart && namedMetric(mention, this.semantics) === undefined) return true;
    return (
      this.hints.roles.some((role) => mention.from >= role.from && mention.to <= role.to) &&
      mention.values.length === 0
    );
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
    const between = this.mentions.slice(last.mention.index + 1, mention.index);
    return !between.some(
      (other) => other.isComma || other.cue?.kind === 'and' || other.cue?.kind === 'growth',
    );
  }

  private readGrain(mention: Mention, at: number): number | undefined {
    const part = timeGrain(mention.text);
    if (part === undefined) return undefined;
    const isUnit = this.mentions[at - 1]?.number !== undefined;
    if (isUnit || namedDimensions(mention, this.semantics).some((item) => item.isTime)) return undefined;
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
    this.filters.push({ values, named, isNegated: this.isNegated, mention, isPredicate: this.isPredicate });
    this.isNegated = false;
    return last;
  }

  private readDimension(at: number, candidates: Dimension[]): number {
    const mention = this.mentions[at];
    if (mention === undefined) return at;
    const besideValue = [this.mentions[at + 1], neighbour(this.mentions, at, 1), this.mentions[at - 1]].some(
      (other) =>
        other !== undefined &&
        other.values.length > 0 &&
        !isNameFirst(other) &&
        holdsValue(other, candidates),
    );
    const afterOf =
      /^(of|be|stop)$/.test(this.mentions[at + 1]?.cue?.kind ?? '') &&
      holdsValue(this.mentions[at + 2], candidates);
    const describesValue = (this.mentions[at - 1]?.values.length ?? 0) > 0;
    if (!this.isAfterGroup && (besideValue || afterOf || describesValue)) return at;
    const name = candidates[0]?.name;
    if (this.groups.some((group) => group.kind === 'dimension' && group.candidates[0]?.name === name))
      return at;
    const number = this.mentions[at - 1];
    if (number?.number !== undefined && number.time === undefined) this.countBefore = number.number;
    const counted = this.mentions.slice(Math.max(0, at - 2), at).some((other) => other.cue?.kind === 'count');
    if (counted && this.metrics.length === 0) this.found.countsGroups = true;
    this.groups.push({ kind: 'dimension', candidates, mention, isEach: this.isAfterGroup });
    const next = this.mentions[at + 1]?.cue?.kind;
    this.isAfterGroup = this.isAfterGroup && (next === 'and' || this.mentions[at + 1]?.isComma === true);
    return at;
  }

  private readCue(at: number): number {
    const mention = this.mentions[at];
    const cue = mention?.cue;
    if (mention === undefined || cue === undefined) return at;
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
        return at;
      case 'be':
      case 'have':
        this.isPredicate = this.metrics.length > 0;
        return at;
      case 'share':
        // "by how many percent" sets the unit, not a share.
        if (mention.text.toLowerCase() === 'percent') return at;
        this.found.isShare = true;
        this.found.shareAt = at;
        return at;
      case 'growth':
        this.found.growth = growthKind(this.mentions, this.metrics);
        return at;
      case 'superlative':
        this.found.order = readRanking(this.mentions, mention, cue.direction);
        return this.mentions[at + 1]?.number === this.found.order.limit &&
          this.found.order.limit !== undefined
          ? at + 1
          : at;
      case 'direction':
        this.found.order = { direction: cue.direction, mention, limit: this.found.order?.limit };
        return at;
      case 'compare':
        this.found.comparesPeriods ??= comparesPeriods(this.mentions, at) ? cue.operator : undefined;
        this.found.having = readHaving(this.mentions, mention, cue.operator) ?? this.found.having;
        return at;
      default:
        return at;
    }
  }

  private noteUnknown(at: number): void {
    const mention = this.mentions[at];
    if (mention === undefined || mention.number !== undefined || mention.isQuoted) return;
    if (!mention.isUnknown && mention.nouns.length === 0) return;
    const next = this.mentions[at + 1];
    const isModifier =
      next !== undefined && namedMetric(next, this.semantics) !== undefined && mention.isUnknown;
    if (mention.isVerbLike && !isModifier && !this.isAfterGroup) return;
    const place = this.isAfterGroup ? 'group' : isModifier ? 'metric' : 'filter';
    this.unknown.push({ text: isModifier ? `${mention.text} ${next.text}` : mention.text, place, mention });
    this.isAfterGroup = false;
  }
}
