import type { CaseChange, RunComparison } from './compare-runs.ts';

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
