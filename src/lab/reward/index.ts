/** The reward of BAR-SQL (TCHR, issue 10): what one output of a model deserves, computed offline or served to trainers. */
export {
  computeReward,
  REWARD_WEIGHTS,
  type Reward,
  type RewardDetail,
  type RewardFacts,
  type RewardOptions,
} from './formula/compute-reward.ts';
export { type GoldKind, REWARD_CATEGORIES, type RewardCategory } from './formula/reward-category.ts';
