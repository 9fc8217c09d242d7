/** What changed between two runs of one suite. */
import { CandorError } from '../../errors.ts';
import { type CaseRecord, type CaseVerdict, readRecords } from './case-record.ts';

interface CaseChange {
  readonly id: string;
  readonly database: string;
  readonly question: string;
  readonly before: CaseVerdict;
  readonly after: CaseVerdict;
  readonly gold?: string;
  readonly sqlBefore?: string;
  readonly sqlAfter?: string;
}

export interface RunComparison {
  readonly suite: string;
  /** Cases that both runs hold; only these are compared. */
  readonly cases: number;
  readonly rightBefore: number;
  readonly rightAfter: number;
  readonly newlyRight: readonly CaseChange[];
  readonly newlyWrong: readonly CaseChange[];
  /** Neither right before nor after, but not wrong in the same way. */
  readonly otherwiseChanged: readonly CaseChange[];
  readonly onlyBefore: number;
  readonly onlyAfter: number;
}

/** Compares two JSON lines files by case: which became right, which stopped being right. */
export async function compareRuns(beforePath: string, afterPath: string): Promise<RunComparison> {
  const before = await readRecords(beforePath);
  const after = await readRecords(afterPath);
  const suites = new Set([...before, ...after].map(({ suite }) => suite));
  const [suite] = suites;
  if (suite === undefined) {
    throw new CandorError('eval.run-invalid', `${beforePath} and ${afterPath} hold no case`);
  }
  if (suites.size > 1) {
    throw new CandorError('eval.run-invalid', `the runs are of different suites: ${[...suites].join(', ')}`);
  }
  const earlier = new Map(before.map((record) => [record.id, record]));
  const pairs = after.flatMap((record) => {
    const partner = earlier.get(record.id);
    return partner === undefined ? [] : [{ before: partner, after: record }];
  });
  const changes = pairs.filter((pair) => pair.before.verdict !== pair.after.verdict);
  const pick = (wasRight: boolean, isRight: boolean): CaseChange[] =>
    changes
      .filter((pair) => pair.before.correct === wasRight && pair.after.correct === isRight)
      .map((pair) => toChange(pair.before, pair.after));
  return {
    suite,
    cases: pairs.length,
    rightBefore: pairs.filter((pair) => pair.before.correct).length,
    rightAfter: pairs.filter((pair) => pair.after.correct).length,
    newlyRight: pick(false, true),
    newlyWrong: pick(true, false),
    otherwiseChanged: pick(false, false),
    onlyBefore: before.length - pairs.length,
    onlyAfter: after.length - pairs.length,
  };
}

function toChange(before: CaseRecord, after: CaseRecord): CaseChange {
  return {
    id: after.id,
    database: after.database,
    question: after.question,
    before: before.verdict,
    after: after.verdict,
    ...(after.gold === undefined ? {} : { gold: after.gold }),
    ...(before.sql === undefined ? {} : { sqlBefore: before.sql }),
    ...(after.sql === undefined ? {} : { sqlAfter: after.sql }),
  };
}

/** The comparison of two runs as text: the balance, then every case that changed. */
export function renderComparison(comparison: RunComparison): string {
  const { suite, cases, rightBefore, rightAfter, newlyRight, newlyWrong, otherwiseChanged } = comparison;
  const alone = comparison.onlyBefore + comparison.onlyAfter;
  return [
    `${suite}: ${cases} cases in both runs, right ${rightBefore} → ${rightAfter}` +
      ` (${newlyRight.length} newly right, ${newlyWrong.length} newly wrong)`,
    alone > 0 ? `${alone} cases stand in one run only and are not compared` : '',
    renderChanges('newly wrong', newlyWrong),
    renderChanges('newly right', newlyRight),
    renderChanges('changed, not right either time', otherwiseChanged),
  ]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n');
}

function renderChanges(title: string, changes: readonly CaseChange[]): string {
  if (changes.length === 0) return '';
  const blocks = changes.map(({ id, database, question, before, after, gold, sqlBefore, sqlAfter }) =>
    [
      `  ${id} [${database}] ${before} → ${after}: ${question}`,
      gold === undefined ? '' : `    gold    ${gold}`,
      sqlBefore === undefined ? '' : `    before  ${sqlBefore}`,
      sqlAfter === undefined ? '' : `    after   ${sqlAfter}`,
    ]
      .filter(Boolean)
      .join('\n'),
  );
  return [`${title}:`, ...blocks].join('\n');
}
