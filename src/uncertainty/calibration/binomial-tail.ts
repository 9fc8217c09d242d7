/**
 * The chance of at most `wrong` errors among `shown` rows, each wrong with `probability` in (0, 1): the p-value of the
 * claim that the rate of errors is above it. One minus the confidence of the one-sided Clopper–Pearson bound
 * (Biometrika, 1934) that stands there. Summed from the likeliest term of the tail down, in logarithms.
 */
export function binomialTail(wrong: number, shown: number, probability: number): number {
  if (wrong >= shown) return 1;
  // Above its middle the tail is summed from the other end, where the terms fall.
  if (wrong + 1 > shown * probability) return 1 - fallingTail(shown - wrong - 1, shown, 1 - probability);
  return fallingTail(wrong, shown, probability);
}

/** The terms from `wrong` errors down to none. */
function fallingTail(wrong: number, shown: number, probability: number): number {
  const odds = probability / (1 - probability);
  let term = Math.exp(
    logChoose(shown, wrong) + wrong * Math.log(probability) + (shown - wrong) * Math.log1p(-probability),
  );
  let sum = term;
  for (let k = wrong; k > 0 && term > sum * Number.EPSILON; k--) {
    term *= k / ((shown - k + 1) * odds);
    sum += term;
  }
  return Math.min(1, sum);
}

function logChoose(n: number, k: number): number {
  return logFactorial(n) - logFactorial(k) - logFactorial(n - k);
}

/** Stirling's series; below 16 by multiplication, where the series is not exact enough. */
function logFactorial(n: number): number {
  if (n < 16) {
    let product = 1;
    for (let factor = 2; factor <= n; factor++) product *= factor;
    return Math.log(product);
  }
  const series = 1 / (12 * n) - 1 / (360 * n ** 3) + 1 / (1260 * n ** 5);
  return n * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI * n) + series;
}
