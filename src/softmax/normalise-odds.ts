/** Turns log-odds into probabilities that sum to 1, in place. */
export function normaliseOdds(odds: Float64Array): void {
  let most = Number.NEGATIVE_INFINITY;
  for (let place = 0; place < odds.length; place++) if (odds[place]! > most) most = odds[place]!;
  let sum = 0;
  for (let place = 0; place < odds.length; place++) {
    const power = Math.exp(odds[place]! - most);
    odds[place] = power;
    sum += power;
  }
  for (let place = 0; place < odds.length; place++) odds[place]! /= sum;
}
