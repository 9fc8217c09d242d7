/** Probabilities are kept so far off certainty, or one sure mistake would decide everything. */
const LEAST = 1e-4;

/** Mean negative log-likelihood of 0/1 labels under probabilities, in nats; NaN without rows. */
export function logLoss(probabilities: readonly number[], labels: readonly number[]): number {
  const sum = probabilities.reduce((total, p, row) => {
    const bounded = Math.min(1 - LEAST, Math.max(LEAST, p));
    return total - Math.log(labels[row] === 1 ? bounded : 1 - bounded);
  }, 0);
  return sum / probabilities.length;
}
