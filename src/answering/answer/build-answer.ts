import type {
  Answer,
  Answered,
  Chart,
  ChartKind,
  Check,
  Disagreement,
  ModelUse,
  Option,
  UnusedWords,
  VerifiedBy,
} from '../../answer.ts';
import type { Request } from '../../boundary/index.ts';
import type { QueryResult } from '../../database/index.ts';
import type { Candidate } from '../../generation/index.ts';
import type { VerifiedPair } from '../../knowledge/authored/index.ts';
import type { Boundary, Hypotheses } from '../../reasoning/roles/reading.ts';
import { figureOf } from '../../results/index.ts';
import { recordId, type Session } from '../../session/index.ts';
import type { Cell } from '../../sql/dialects/cell.ts';
import type { ScoredAnswer } from '../assess/assess-risk.ts';
import { comparingReadings } from '../assess/same-sql.ts';
import { type AskedWhen, unusedWords, wordsOf } from '../assess/word-ledger.ts';
import type { FoundRelated } from './find-related.ts';
import { deprecatedTables } from './find-related.ts';

/** How an answer ends before it is stamped with its question, time and record. */
export type Outcome = (
  | Boundary
  | {
      readonly kind: 'abstain';
      readonly reason: string;
      readonly candidates: readonly Candidate[];
      readonly missing?: string | undefined;
      readonly nearest?: readonly string[] | undefined;
      readonly disagreement?: Disagreement;
    }
  | Omit<Answered, 'question' | 'related' | 'recordId' | 'thinkMs' | 'model'>
) & { readonly model?: ModelUse };

export interface AnswerParts {
  readonly request: Request;
  readonly found: FoundRelated;
  readonly at: Date;
  readonly thinkMs: number;
  readonly session: Session;
  readonly when: AskedWhen;
}

/** An outcome as the answer to its question. */
export function buildAnswer(
  outcome: Outcome,
  { request, found, at, thinkMs, session, when }: AnswerParts,
): Answer {
  const { original: question, text } = request;
  const base = {
    question,
    ...(text !== question && { readAs: text }),
    ...found,
    thinkMs,
    recordId: recordId(question, at, session.nonce()),
  };
  if (outcome.kind === 'abstain') {
    const candidates = withoutRepeats(outcome.candidates.map(optionOf), [], session);
    const { kind, reason, model, disagreement, missing, nearest } = outcome;
    return {
      ...{ ...base, kind, reason, candidates },
      ...(missing !== undefined && { missing }),
      ...(nearest !== undefined && { nearest }),
      ...(disagreement !== undefined && { disagreement }),
      ...(model !== undefined && { model }),
    };
  }
  if (outcome.kind !== 'answered') return { ...base, ...outcome };
  const assumptions = [...deprecatedTables(outcome.sql, session), ...outcome.assumptions];
  const alternatives = withoutRepeats(outcome.alternatives, [outcome.sql], session);
  return { ...base, ...outcome, ...accounted(outcome, text, session, when), assumptions, alternatives };
}

/** What became of every word; a person has vouched for the words of a verified pair. */
function accounted(
  { sql, unused, verified }: Pick<Answered, 'sql' | 'unused' | 'verified'>,
  text: string,
  session: Session,
  when: AskedWhen,
): Pick<Answered, 'words' | 'unused'> {
  const words = wordsOf(text, sql, session, when);
  if (words === undefined) return {};
  const left = verified === undefined ? unusedWords(words, unused) : [];
  return { words, ...(left.length > 0 && { unused: left }) };
}

/** The SQL that was chosen and what came of it. */
export interface Chosen {
  readonly candidate: Candidate;
  /** Those before the run. */
  readonly checks: readonly Check[];
  readonly scored: ScoredAnswer;
  /** Null: it was not run. */
  readonly result: QueryResult | null;
  readonly chart: Hypotheses['chart'];
  /** Whose query it is. */
  readonly pair?: VerifiedPair | undefined;
  readonly unused?: readonly UnusedWords[] | undefined;
}

export function answeredOutcome(
  { candidate, checks, scored, result, chart, pair, unused = [] }: Chosen,
  others: readonly Candidate[],
): Outcome {
  const executed: Check =
    result === null
      ? { name: 'execute', passed: false, detail: 'not run' }
      : { name: 'execute', passed: true, detail: `${result.rows.length} rows` };
  return {
    kind: 'answered',
    sql: candidate.sql,
    columns: result?.columns ?? [],
    rows: result?.rows ?? [],
    truncatedBy: result?.truncatedBy ?? null,
    ...(result?.notices && { notices: result.notices }),
    ...(result !== null && chart !== undefined && suggestChart(chart, result)),
    explanation: candidate.explanation,
    ...probabilityOf(candidate, scored),
    ...(scored.kind === 'scored' && { risk: scored.risk }),
    ...(scored.kind === 'unassessed' && { unassessed: scored.because }),
    ...(pair !== undefined && { verified: verifiedBy(pair) }),
    ...(unused.length > 0 && { unused }),
    evidence: candidate.evidence,
    assumptions: candidate.assumptions,
    checks: [...checks, executed],
    alternatives: others.map(optionOf),
  };
}

/** One figure for how sure an answer is: what its writer thinks of it is taken into the risk. */
function probabilityOf({ probability }: Candidate, scored: ScoredAnswer): { readonly probability?: number } {
  if (scored.kind === 'scored') return { probability: 1 - scored.risk.queryRisk };
  return probability === undefined ? {} : { probability };
}

/** No question leads to one reading of several: the one that was asked does not. */
function optionOf({ explanation: label, sql }: Candidate): Option {
  return { label, question: '', sql };
}

/** Each reading once, and none that is `told` already. */
function withoutRepeats(
  options: readonly Option[],
  told: readonly string[],
  { catalog: { dialect } }: Session,
): readonly Option[] {
  const isSame = comparingReadings(dialect);
  const queries = [...told];
  return options.filter(({ sql = '' }) => {
    if (queries.some((one) => isSame(one, sql))) return false;
    queries.push(sql);
    return true;
  });
}

function verifiedBy({ question, verifiedBy: by, verifiedAt: at, file: place }: VerifiedPair): VerifiedBy {
  return { question, ...(by !== undefined && { by }), ...(at !== undefined && { at }), place };
}

/** A chart of rows, or why they make none. */
export type SuggestedChart = { readonly chart: Chart } | { readonly undrawn: string };

/** A period as text: `2024`, `2024-03`, `2024-Q1`, `2024-W07`, `2024-03-31 10:00`. */
const PERIOD = /^\d{4}(?:-(?:\d\d|Q[1-4]|W\d\d)(?:-\d\d(?:[T ].*)?)?)?$/;

/**
 * How the rows of an answer may be drawn in the way that was asked for: the period or the first name along the axis,
 * every figure against it, a second name as one series each.
 */
export function suggestChart(
  asked: ChartKind | 'fitting',
  { columns, rows }: Pick<QueryResult, 'columns' | 'rows'>,
): SuggestedChart {
  if (rows.length === 0) return { undrawn: 'there are no rows' };
  const cells = columns.map((_column, place) => rows.map((row) => row[place] ?? null));
  const isPeriod = columns.map((name, place) => holdsPeriods(name, cells[place] ?? []));
  const isFigure = columns.map((_column, place) => !isPeriod[place] && isFigureColumn(cells[place] ?? []));
  const names = columns.filter((_column, place) => !isFigure[place]);
  const figures = columns.filter((_column, place) => isFigure[place]);
  const period = columns.find((_column, place) => isPeriod[place]);
  if (asked === 'scatter' && figures.length >= 2) {
    const [x = '', ...y] = figures;
    return { chart: { kind: 'scatter', x, y } };
  }
  const x = period ?? names[0] ?? (figures.length > 1 ? figures[0] : undefined);
  const y = figures.filter((name) => name !== x);
  if (y.length === 0) return { undrawn: 'there is no figure to draw' };
  if (x === undefined) return { undrawn: 'there is nothing to set the figure against' };
  const series = names.find((name) => name !== x);
  const kind = asked === 'fitting' ? (period === undefined ? 'bar' : 'line') : asked;
  return { chart: { kind, x, y, ...(series !== undefined && { series }) } };
}

function isFigureColumn(cells: readonly Cell[]): boolean {
  const present = cells.filter((cell) => cell !== null);
  return present.length > 0 && present.every((cell) => figureOf(cell) !== undefined);
}

/** Years as numbers need the name of the column to tell them from figures. */
function holdsPeriods(name: string, cells: readonly Cell[]): boolean {
  if (/year/i.test(name) && cells.every((cell) => cell === null || /^\d{4}$/.test(String(cell)))) return true;
  return cells.every((cell) => typeof cell === 'string' && PERIOD.test(cell));
}
