import { findAmbiguity } from '../../boundary/index.ts';
import { type Interval, wilsonInterval } from '../metrics/intervals.ts';
import { AMBIGUITY_KINDS, type AmbiguousCase } from './ambiguous-case.ts';
import { readAmbiqt } from './read-ambiqt.ts';
import { readSynonymCases } from './read-synonym-cases.ts';

export type AmbiguitySplit = 'train' | 'validation';

export interface AmbiguityShare extends Interval {
  readonly hits: number;
  readonly total: number;
  readonly share: number;
}

export interface AmbiguityReport {
  readonly split: AmbiguitySplit;
  /** By name: `truePairRate`, `truePairRate.tbl-agg`, …, `falseAlarmRate`. */
  readonly figures: Readonly<Record<string, AmbiguityShare>>;
  /** Questions whose gold could not be read, by kind. */
  readonly leftOut: Readonly<Record<string, number>>;
  readonly isComplete: boolean;
}

interface Judged {
  readonly kind: AmbiguousCase['kind'];
  readonly isAsked: boolean;
  readonly isTrue: boolean;
}

export interface AmbiguityRunOptions {
  readonly dataDirectory: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Asks every question against the schema with both readings. The train split has no table splits. */
export async function runAmbiguity(
  split: AmbiguitySplit,
  { dataDirectory, signal, onProgress }: AmbiguityRunOptions,
): Promise<AmbiguityReport> {
  const read = await Promise.all([
    readSynonymCases(split, dataDirectory),
    readAmbiqt('tbl-agg', split, dataDirectory),
    ...(split === 'train' ? [] : [readAmbiqt('tbl-split', split, dataDirectory)]),
  ]);
  const cases = read.flatMap((part) => part.cases);
  const judged: Judged[] = [];
  for (const each of cases) {
    if (signal?.aborted === true) break;
    judged.push(judge(each));
    if (judged.length % 200 === 0) {
      onProgress?.(judged.length, cases.length);
      // Ctrl-C and the progress line are served between questions.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return {
    split,
    figures: figuresOf(judged),
    leftOut: Object.assign({}, ...read.map((part) => part.leftOut)) as AmbiguityReport['leftOut'],
    isComplete: judged.length === cases.length,
  };
}

function judge({ kind, question, catalog, pairs }: AmbiguousCase): Judged {
  const offered = findAmbiguity(question, catalog).map(
    ({ choices }) => new Set(choices.flatMap(({ ids }) => ids)),
  );
  return {
    kind,
    isAsked: offered.length > 0,
    isTrue:
      pairs.length > 0 && pairs.every(([one, two]) => offered.some((ids) => ids.has(one) && ids.has(two))),
  };
}

function figuresOf(judged: readonly Judged[]): Readonly<Record<string, AmbiguityShare>> {
  const figures: Record<string, AmbiguityShare> = {};
  const add = (rows: readonly Judged[], suffix: string): void => {
    const asked = rows.filter(({ isAsked }) => isAsked);
    const right = rows.filter(({ isTrue }) => isTrue).length;
    figures[`askedRate${suffix}`] = shareOf(asked.length, rows.length);
    figures[`truePairRate${suffix}`] = shareOf(right, rows.length);
    figures[`truePairRateOfAsked${suffix}`] = shareOf(right, asked.length);
  };
  add(
    judged.filter(({ kind }) => kind !== 'ordinary' && kind !== 'elsewhere'),
    '',
  );
  for (const kind of AMBIGUITY_KINDS) {
    const rows = judged.filter((each) => each.kind === kind);
    if (rows.length > 0) add(rows, `.${kind}`);
  }
  const ordinary = judged.filter(({ kind }) => kind === 'ordinary');
  figures.falseAlarmRate = shareOf(ordinary.filter(({ isAsked }) => isAsked).length, ordinary.length);
  const elsewhere = judged.filter(({ kind }) => kind === 'elsewhere');
  figures['falseAlarmRate.elsewhere'] = shareOf(
    elsewhere.filter(({ isAsked }) => isAsked).length,
    elsewhere.length,
  );
  return figures;
}

function shareOf(hits: number, total: number): AmbiguityShare {
  return { hits, total, share: total === 0 ? 0 : hits / total, ...wilsonInterval(hits, total) };
}
