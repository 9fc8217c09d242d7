/** How a signature is cut into bands so that texts above a similarity are likely to meet. */

export interface Bands {
  readonly bands: number;
  /** Components of the signature in each band. */
  readonly rows: number;
}

const STEP = 0.001;

/**
 * The bands and rows with the least 0.5·FP + 0.5·FN over all that fit the permutations, as datasketch chooses them:
 * FP is the area under the chance to meet below the threshold, FN the one above it to miss.
 * `chooseBands(100, 0.01)` → 100 bands of 1 row.
 */
export function chooseBands(permutations: number, threshold: number): Bands {
  let best = { bands: 1, rows: 1 };
  let least = Number.POSITIVE_INFINITY;
  for (let bands = 1; bands <= permutations; bands += 1) {
    for (let rows = 1; rows * bands <= permutations; rows += 1) {
      const cut = { bands, rows };
      const falsePositive = integral((s) => chanceToMeet(s, cut), 0, threshold);
      const falseNegative = integral((s) => 1 - chanceToMeet(s, cut), threshold, 1);
      const error = 0.5 * falsePositive + 0.5 * falseNegative;
      if (error < least) {
        least = error;
        best = cut;
      }
    }
  }
  return best;
}

/** How likely two texts of a Jaccard similarity share a band: 1 − (1 − s^rows)^bands. */
export function chanceToMeet(similarity: number, { bands, rows }: Bands): number {
  return 1 - (1 - similarity ** rows) ** bands;
}

function integral(of: (x: number) => number, from: number, to: number): number {
  let area = 0;
  for (let x = from; x < to; x += STEP) area += of(x + STEP / 2) * STEP;
  return area;
}
