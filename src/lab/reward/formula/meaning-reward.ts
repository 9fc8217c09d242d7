/** Cosines from which an answer in words counts as the same, and as nearly the same. */
const SAME = 0.96;
const NEAR = 0.9;
const NEAR_WEIGHT = 0.8;

/** R_acc for gold in words: the cosine ρ from 0.96 on, 0.8·ρ from 0.90 on, else 0. */
export function meaningReward(cosine: number): number {
  if (cosine >= SAME) return Math.min(1, cosine);
  return cosine >= NEAR ? NEAR_WEIGHT * cosine : 0;
}
