/** Products of dense row-major matrices, four rows at a time: a loop of the engine's own would do one. */

/** a · b, where both have `size` columns and b is square. */
export function times(a: Float64Array, b: Float64Array, size: number): Float64Array {
  const product = new Float64Array(a.length);
  for (let row = 0; row < a.length; row += size) {
    let k = 0;
    for (; k + 3 < size; k += 4) {
      const [w0, w1, w2, w3] = [a[row + k]!, a[row + k + 1]!, a[row + k + 2]!, a[row + k + 3]!];
      for (let column = 0, at = k * size; column < size; column += 1, at += 1)
        product[row + column]! +=
          w0 * b[at]! + w1 * b[at + size]! + w2 * b[at + 2 * size]! + w3 * b[at + 3 * size]!;
    }
    for (; k < size; k += 1) {
      const w = a[row + k]!;
      for (let column = 0; column < size; column += 1) product[row + column]! += w * b[k * size + column]!;
    }
  }
  return product;
}

/** a · b', where both have `size` columns and b is square. */
export function timesTransposed(a: Float64Array, b: Float64Array, size: number): Float64Array {
  const transposed = new Float64Array(size * size);
  for (let row = 0; row < size; row += 1)
    for (let column = 0; column < size; column += 1)
      transposed[column * size + row] = b[row * size + column]!;
  return times(a, transposed, size);
}

/** a' · b, where both have `size` columns and equally many rows. */
export function transposedTimes(a: Float64Array, b: Float64Array, size: number): Float64Array {
  const product = new Float64Array(size * size);
  let row = 0;
  for (; row + 3 * size < a.length; row += 4 * size) {
    for (let i = 0; i < size; i += 1) {
      const from = row + i;
      const [w0, w1, w2, w3] = [a[from]!, a[from + size]!, a[from + 2 * size]!, a[from + 3 * size]!];
      for (let j = i * size, at = row; at < row + size; j += 1, at += 1)
        product[j]! += w0 * b[at]! + w1 * b[at + size]! + w2 * b[at + 2 * size]! + w3 * b[at + 3 * size]!;
    }
  }
  for (; row < a.length; row += size)
    for (let i = 0; i < size; i += 1)
      for (let j = 0; j < size; j += 1) product[i * size + j]! += a[row + i]! * b[row + j]!;
  return product;
}

/** Adds a multiple of one row of `source` to one row of `target`; places are those of their first numbers. */
export type AddRow = (targetAt: number, sourceAt: number, factor: number) => void;

export function rowAdder(target: Float64Array, source: Float64Array, length: number): AddRow {
  const whole = length - (length % 4);
  return (targetAt, sourceAt, factor) => {
    let at = 0;
    for (; at < whole; at += 4) {
      const [to, from] = [targetAt + at, sourceAt + at];
      target[to]! += factor * source[from]!;
      target[to + 1]! += factor * source[from + 1]!;
      target[to + 2]! += factor * source[from + 2]!;
      target[to + 3]! += factor * source[from + 3]!;
    }
    for (; at < length; at += 1) target[targetAt + at]! += factor * source[sourceAt + at]!;
  };
}
