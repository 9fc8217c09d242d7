/** The reward of BAR-SQL (TCHR, issue 10): what one output of a model deserves, computed offline or served to trainers. */
export {
  type RewardServer,
  type RewardServerSettings,
  startRewardServer,
} from './endpoint/start-reward-server.ts';
export {
  computeReward,
  REWARD_WEIGHTS,
  type Reward,
  type RewardDetail,
  type RewardFacts,
  type RewardOptions,
} from './formula/compute-reward.ts';
export { type GoldKind, REWARD_CATEGORIES, type RewardCategory } from './formula/reward-category.ts';
export {
  type RewardMeans,
  type RewardReport,
  type ScoreRowsOptions,
  scoreRows,
} from './offline/score-rows.ts';
export { type ItemScore, openScorer, type Scorer, type ScorerSetting } from './scorer/open-scorer.ts';
export type { ScoreItem, VirtualTable } from './scorer/score-item.ts';
