import { aurcOfRanking, checkLabelledRows, rankRows } from '../../uncertainty/index.ts';
import type { Statistic } from './auc.ts';

/** The area under the risk–coverage curve for a bootstrap; weights are whole numbers. Sorts once. */
export function makeAurc(risks: ArrayLike<number>, labels: ArrayLike<number>): Statistic {
  checkLabelledRows({ scores: risks, labels });
  const ranking = rankRows(risks);
  return (weights) => aurcOfRanking(ranking, labels, weights);
}
