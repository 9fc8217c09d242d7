/** Compares an answer with what is due, as strictly as the case says it. */
import { type Answer, type Answered, isRun } from '../../answer.ts';
import type { QueryLimits } from '../../database/index.ts';
import { unreachable } from '../../errors.ts';
import type { ComparedResult, Verdict } from '../../results/index.ts';
import type { Session } from '../../session.ts';
import type { ExpectRow } from '../corpus/question-row.ts';
import { compareResults } from '../evaluation/index.ts';
import { runQuery } from '../evaluation/run-query.ts';
import { matchWithin } from './match-within.ts';
import { itemProblems } from './named-items.ts';
import { differRows } from './row-difference.ts';
import type { Problem } from './test-result.ts';

type DueAnswer = Extract<ExpectRow, { readonly kind: 'answered' }>;

export interface Judged {
  readonly problems: readonly Problem[];
  readonly isRightReason?: boolean;
}

/** Wide enough that results of reports are compared whole; a larger one is a failure that says so. */
const LIMITS: Omit<QueryLimits, 'timeoutMs'> = { rows: 500_000, bytes: 200_000_000 };

/** Everything that is not as it should be. Expected SQL goes through the same guard and row filters as the answer's. */
export async function judgeTurn(
  answer: Answer,
  expect: ExpectRow,
  session: Pick<Session, 'database' | 'catalog' | 'config'>,
  signal: AbortSignal,
): Promise<Judged> {
  if (answer.kind !== expect.kind)
    return { problems: [{ what: 'outcome', text: `${expect.kind} was expected, ${answer.kind} came` }] };
  if (answer.kind !== 'answered' || expect.kind !== 'answered') return judgeDetails(answer, expect);
  const names = itemProblems(answer.sql, expect, session.catalog);
  const rows = await judgeRows(answer, expect, session, signal);
  return { problems: [...rows, ...names.map((text): Problem => ({ what: 'names', text }))] };
}

function judgeDetails(answer: Answer, expect: ExpectRow): Judged {
  const details = detailsOf(answer, expect).filter(([, due]) => due !== undefined);
  const problems = details
    .filter(([name, due = '', came]) => !isSameDetail(name, due, came))
    .map(
      ([name, due, came]): Problem => ({
        what: 'detail',
        text: `the ${name} “${due}” was expected, “${came}” came`,
      }),
    );
  return { problems, ...(details.length > 0 && { isRightReason: problems.length === 0 }) };
}

type Detail = readonly [name: string, due: string | undefined, came: string];

function detailsOf(answer: Answer, expect: ExpectRow): readonly Detail[] {
  switch (expect.kind) {
    case 'reject':
      if (answer.kind !== 'reject') return [];
      return [
        ['reason', expect.reason, answer.reason],
        ['missing thing', expect.missing, answer.missing],
      ];
    case 'clarify':
      return answer.kind === 'clarify' ? [['gap', expect.gap, answer.gap]] : [];
    case 'follow_up':
      if (answer.kind !== 'follow_up') return [];
      return [
        ['metric', expect.metric, answer.metric],
        ['dimension', expect.dimension, answer.dimension],
      ];
    case 'answered':
    case 'abstain':
      return [];
    default:
      return unreachable(expect);
  }
}

/** Of what is missing, one wording may hold the other: “paint colour” and “colour”. */
function isSameDetail(name: string, due: string, came: string): boolean {
  const [one, other] = [due, came].map((text) =>
    text
      .toLowerCase()
      .replace(/[\s_]+/g, ' ')
      .trim(),
  );
  if (one === undefined || other === undefined || other === '') return false;
  return name === 'missing thing' ? other.includes(one) || one.includes(other) : one === other;
}

async function judgeRows(
  answer: Answered,
  expect: DueAnswer,
  { database, config }: Pick<Session, 'database' | 'config'>,
  signal: AbortSignal,
): Promise<readonly Problem[]> {
  if (expect.sql === undefined && expect.result === undefined) return [];
  const limits = { ...LIMITS, timeoutMs: config.limits.timeoutMs };
  const setting = { database, limits, signal };
  // The answer's own rows may be cut by the limits for people.
  const isWhole = answer.truncatedBy === null && isRun(answer);
  const came = isWhole ? { ok: true as const, result: answer } : await runQuery(answer.sql, setting);
  if (!came.ok) return [{ what: 'error', text: `the SQL of the answer failed: ${came.error.message}` }];
  const problems: Problem[] = [];
  if (expect.sql !== undefined) {
    const gold = await runQuery(expect.sql, setting);
    if (gold.ok) problems.push(...compare(gold.result, came.result, expect, 'the expected SQL'));
    else
      problems.push({ what: 'expected-sql', text: `the expected SQL itself fails: ${gold.error.message}` });
  }
  if (expect.result !== undefined) {
    const columns = (expect.result[0] ?? []).map((_, at) => `${at + 1}`);
    problems.push(...compare({ columns, rows: expect.result }, came.result, expect, 'the expected result'));
  }
  return problems;
}

function compare(
  due: ComparedResult,
  came: ComparedResult,
  expect: DueAnswer,
  dueName: string,
): readonly Problem[] {
  const verdict = verdictOf(due, came, expect);
  if (verdict === 'equal') return [];
  const difference = differRows(due, came, expect.tolerance);
  const text =
    verdict === 'undecided'
      ? `whether the rows are those of ${dueName} cannot be told: too many rows and columns are alike`
      : difference.outOfOrderFrom === undefined
        ? `the rows differ from those of ${dueName}`
        : `the rows are those of ${dueName}, but from row ${difference.outOfOrderFrom} on in another order`;
  return [{ what: 'rows', text, difference }];
}

function verdictOf(due: ComparedResult, came: ComparedResult, expect: DueAnswer): Verdict {
  const { orderMatters = false, tolerance } = expect;
  const verdict = compareResults(due, came, { policy: 'answer', orderMatters });
  return verdict === 'equal' || tolerance === undefined
    ? verdict
    : matchWithin(due, came, { orderMatters, tolerance });
}
