import { type KernelSpace, PANEL } from './kernels/kernel-space.ts';
import { type PanelMatrix, placeOf, times, transposedTimes } from './kernels/panel-matrix.ts';

/** Three square matrices of the same size; which holds what changes with every step. */
export type SquarePlaces = readonly [PanelMatrix, PanelMatrix, PanelMatrix];

/** No product of two columns is further from what it should be. */
const ASKEW = 1e-5;
/** Even a matrix that is nearly singular needs fewer. */
const MOST_STEPS = 60;

/**
 * Symmetric decorrelation: W (W'W)^(-1/2), the orthogonal matrix nearest to W, by Newton and Schulz's iteration (Higham,
 * Functions of matrices, section 8.3). W is the first of the three; so is what comes of it.
 */
export async function orthogonalise(
  space: KernelSpace,
  [given, spare, gram]: SquarePlaces,
  size: number,
  signal?: AbortSignal,
): Promise<SquarePlaces> {
  let [matrix, next] = [given, spare];
  for (let step = 0; step < MOST_STEPS; step += 1) {
    await transposedTimes(space, { out: gram, a: matrix, b: matrix }, signal);
    const { askew, rowSum } = look(space, gram, size);
    if (askew < ASKEW) break;
    // Only singular values below √3 go to 1: at first all are made smaller than 1.
    const scale = step === 0 ? 1 / rowSum : 1;
    change(space, gram, size, scale);
    await times(space, { out: next, a: matrix, b: gram }, signal);
    [matrix, next] = [next, matrix];
  }
  return [matrix, next, gram];
}

/** How far a Gram matrix is from the identity, and the largest sum of a row, which no eigenvalue exceeds. */
function look({ floats }: KernelSpace, gram: PanelMatrix, size: number) {
  let [askew, rowSum] = [0, 0];
  for (let column = 0; column < size; column += 1) {
    const at = placeOf(gram, column);
    let sum = 0;
    for (let row = 0; row < size; row += 1) {
      const value = floats[at + row * PANEL]!;
      sum += Math.abs(value);
      askew = Math.max(askew, Math.abs(value - (row === column ? 1 : 0)));
    }
    rowSum = Math.max(rowSum, sum);
  }
  return { askew, rowSum };
}

/** gram ← (3 - scale · gram) / 2 · √scale: what a step multiplies with. */
function change({ floats }: KernelSpace, gram: PanelMatrix, size: number, scale: number): void {
  const root = Math.sqrt(scale);
  for (let column = 0; column < size; column += 1) {
    const at = placeOf(gram, column);
    for (let row = 0; row < size; row += 1) {
      const value = floats[at + row * PANEL]!;
      floats[at + row * PANEL] = (((row === column ? 3 : 0) - scale * value) / 2) * root;
    }
  }
}
