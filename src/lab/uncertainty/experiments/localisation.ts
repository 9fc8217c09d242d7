/** Whether the marks of a query point at what is wrong in it. */
import { type Calibrator, calibrate } from '../../../uncertainty/index.ts';
import { type Interval, wilsonInterval } from '../../metrics/intervals.ts';
import type { LabelledNodes, RowQuery } from '../data/node-rows.ts';

/** What a person can point at: columns, tables, literals. */
const UNITS: ReadonlySet<string> = new Set(['Column', 'Table', 'Literal']);

export interface Localisation {
  /** Queries with at least one wrong unit; of those, how often the riskiest unit is wrong. */
  readonly wrongQueries: number;
  readonly topUnit: number;
  readonly topUnitInterval: Interval;
  /** The same where the query's result is wrong as well. */
  readonly wronglyAnswered: number;
  readonly topUnitOfWronglyAnswered: number;
  /** How often a unit drawn at random would be wrong. */
  readonly chance: number;
  readonly marks: readonly MarkFigures[];
}

/** All units of all queries at a threshold. */
export interface MarkFigures {
  readonly threshold: number;
  readonly marked: number;
  readonly precision: number;
  readonly recall: number;
}

export const MARK_THRESHOLDS = [0.3, 0.6] as const;

export function localisation(
  rows: LabelledNodes,
  queries: readonly RowQuery[],
  logOdds: Float64Array,
  calibrator: Calibrator,
): Localisation {
  const judged = queries.map((query) => unitsOf(rows, query, logOdds, calibrator));
  const wrong = judged.filter(({ units }) => units.some(({ isWrong }) => isWrong));
  const wronglyAnswered = wrong.filter(({ query }) => query.isRight === false);
  const hits = wrong.filter(isHit).length;
  const all = judged.flatMap(({ units }) => units);
  const chances = wrong.map(({ units }) => units.filter(({ isWrong }) => isWrong).length / units.length);
  return {
    wrongQueries: wrong.length,
    topUnit: hits / wrong.length,
    topUnitInterval: wilsonInterval(hits, wrong.length),
    wronglyAnswered: wronglyAnswered.length,
    topUnitOfWronglyAnswered: wronglyAnswered.filter(isHit).length / wronglyAnswered.length,
    chance: chances.reduce((sum, share) => sum + share, 0) / chances.length,
    marks: MARK_THRESHOLDS.map((threshold) => {
      const marked = all.filter(({ probability }) => probability >= threshold);
      const right = marked.filter(({ isWrong }) => isWrong).length;
      return {
        threshold,
        marked: marked.length,
        precision: right / marked.length,
        recall: right / all.filter(({ isWrong }) => isWrong).length,
      };
    }),
  };
}

interface JudgedUnit {
  readonly probability: number;
  readonly isWrong: boolean;
}

interface JudgedQuery {
  readonly query: RowQuery;
  readonly units: readonly JudgedUnit[];
}

/** A column or table counts once for all its nodes: it is its Column or Table node. */
function unitsOf(
  rows: LabelledNodes,
  query: RowQuery,
  logOdds: Float64Array,
  calibrator: Calibrator,
): JudgedQuery {
  const units: JudgedUnit[] = [];
  for (let row = query.start; row < query.end; row += 1) {
    const type = rows.typeAt(row);
    if (!UNITS.has(type)) continue;
    const probability = calibrate(calibrator, type, logOdds[row] ?? 0);
    units.push({ probability, isWrong: rows.labelAt(row) === 1 });
  }
  return { query, units };
}

function isHit({ units }: JudgedQuery): boolean {
  const top = units.reduce((best, unit) => (unit.probability > best.probability ? unit : best));
  return top.isWrong;
}
