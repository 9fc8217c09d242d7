/** The reward of BAR-SQL (TCHR, issue 10): what one output of a model deserves, computed offline or served to trainers. */
export { startRewardServer } from './endpoint/start-reward-server.ts';

export {
  type RewardMeans,
  type RewardReport,
  scoreRows,
} from './offline/score-rows.ts';
export { openScorer, type Scorer } from './scorer/open-scorer.ts';
export type { ScoreItem } from './scorer/virtual-schema.ts';
