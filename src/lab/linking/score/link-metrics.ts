/** Figures of a run of linking: macro averages with 95 % intervals, per level, overall and by database. */
import { CandorError } from '../../../errors.ts';
import { bootstrapMean, type Interval, percentile } from '../../metrics/intervals.ts';
import type { LinkRecord } from './link-record.ts';
import type { ItemScore } from './score-items.ts';

/** Means over questions in per cent (EviLink, equations 12 and 13). */
export interface LevelFigures {
  /** Questions with gold items of this level. */
  readonly cases: number;
  /** Strict recall: questions of which every gold item was linked. */
  readonly srr: Figure;
  readonly nsr: Figure;
  readonly nsp: Figure;
  /** Mean of the questions' F1: not the F1 of the means. */
  readonly nsf: Figure;
}

export interface Figure extends Interval {
  readonly value: number;
}

export interface LinkFigures {
  readonly cases: number;
  /** Cases whose linking failed: they count as linked to nothing. */
  readonly failed: number;
  readonly table: LevelFigures;
  /** Absent where no case has gold columns. */
  readonly field?: LevelFigures;
  /** Mean prompt and reply tokens of a question. */
  readonly tokens: number;
  readonly p50Tokens: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** Mean share of the database's columns that were linked. */
  readonly keptShare: number;
  readonly keptTableShare: number;
}

export interface FigureOptions {
  /** Resamples of the intervals. */
  readonly resamples?: number;
}

/** Throws `internal.bug` where the figures break the law NSF ≤ harmonic mean of NSR and NSP: F1 is concave. */
export function computeLinkFigures(
  records: readonly LinkRecord[],
  { resamples = 2_000 }: FigureOptions = {},
): LinkFigures {
  const fields = records.flatMap(({ field }) => field ?? []);
  const ms = records.map((record) => record.ms);
  return {
    cases: records.length,
    failed: records.filter(({ error }) => error !== undefined).length,
    table: levelFigures(
      records.map(({ table }) => table),
      resamples,
    ),
    ...(fields.length === 0 ? {} : { field: levelFigures(fields, resamples) }),
    tokens: mean(records.map(({ tokens }) => tokens)),
    p50Tokens: percentile(
      records.map(({ tokens }) => tokens),
      0.5,
    ),
    p50Ms: percentile(ms, 0.5),
    p95Ms: percentile(ms, 0.95),
    keptShare: mean(records.map(({ keptShare }) => keptShare)),
    keptTableShare: mean(records.map(({ keptTableShare }) => keptTableShare)),
  };
}

/** Figures of each group, in the order of the records. */
export function figuresBy(
  records: readonly LinkRecord[],
  groupOf: (record: LinkRecord) => string,
  options: FigureOptions = {},
): ReadonlyMap<string, LinkFigures> {
  const groups = new Map<string, LinkRecord[]>();
  for (const record of records) {
    const group = groupOf(record);
    const list = groups.get(group);
    if (list === undefined) groups.set(group, [record]);
    else list.push(record);
  }
  return new Map([...groups].map(([name, own]) => [name, computeLinkFigures(own, options)]));
}

function levelFigures(scores: readonly ItemScore[], resamples: number): LevelFigures {
  const figure = (read: (score: ItemScore) => number): Figure => {
    const values = scores.map((score) => 100 * read(score));
    return { value: mean(values), ...bootstrapMean(values, { resamples }) };
  };
  const figures = {
    cases: scores.length,
    srr: figure(({ strict }) => strict),
    nsr: figure(({ recall }) => recall),
    nsp: figure(({ precision }) => precision),
    nsf: figure(({ f1 }) => f1),
  };
  const most = harmonicMean(figures.nsr.value, figures.nsp.value);
  // Sums of doubles differ in their last digits.
  if (figures.nsf.value > most + 1e-9) {
    throw new CandorError('internal.bug', `NSF ${figures.nsf.value} is above the harmonic mean ${most}`);
  }
  return figures;
}

export function harmonicMean(left: number, right: number): number {
  return left + right === 0 ? 0 : (2 * left * right) / (left + right);
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
