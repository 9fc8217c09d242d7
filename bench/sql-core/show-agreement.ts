import type { Agreement, NodeDifference } from './agreement.ts';

const MOST_NODE_TYPES = 12;

/** One set in the table: shares in percent with two decimals, since agreement is told by the second one. */
export function rowOf(set: string, dialect: string, agreement: Agreement): Record<string, string | number> {
  const { classes } = agreement;
  const decided = classes.agree + classes.differ + classes['only-ours'] + classes['only-theirs'];
  return {
    set,
    dialect,
    queries: agreement.queries,
    'parsed ours': percent(agreement.ourParsed, agreement.queries),
    theirs: percent(agreement.theirParsed, agreement.queries),
    running: agreement.running,
    'of them ours': percent(agreement.ourRunningParsed, agreement.running),
    'of them theirs': percent(agreement.theirRunningParsed, agreement.running),
    compared: agreement.compared,
    references: agreement.theirReferences,
    agree: percent(classes.agree, decided),
    differ: classes.differ,
    'only ours': classes['only-ours'],
    'only theirs': classes['only-theirs'],
    unowned: agreement.theirUnowned,
    implied: percent(agreement.impliedAgree, agreement.impliedAgree + agreement.impliedDiffer),
    'ours unknown': classes['ours-unknown-theirs-accepts'],
    tables: percent(agreement.sameTables, agreement.compared),
    'same nodes': percent(agreement.sameNodes, agreement.nodeCompared),
    jaccard: percent(agreement.jaccard, agreement.nodeCompared),
    'ours threw': agreement.ourFailures,
    'theirs failed': agreement.theirFailures,
  };
}

/** Cut, not rounded: 100.00 says that there is no exception. */
function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : (Math.floor((10_000 * part) / whole) / 100).toFixed(2);
}

/** The node types that differ most, for whoever works on the tree. */
export function describeDifferences(agreements: readonly Agreement[]): string[] {
  const sums = new Map<string, NodeDifference>();
  for (const [type, { ours, theirs }] of agreements.flatMap(({ nodeDifferences }) => [...nodeDifferences])) {
    const sum = sums.get(type) ?? { ours: 0, theirs: 0 };
    sums.set(type, { ours: sum.ours + ours, theirs: sum.theirs + theirs });
  }
  const worst = [...sums].sort(([, left], [, right]) => right.ours + right.theirs - left.ours - left.theirs);
  return worst
    .slice(0, MOST_NODE_TYPES)
    .map(([type, { ours, theirs }]) => `nodes of ${type}: ${ours} only ours, ${theirs} only theirs`);
}
