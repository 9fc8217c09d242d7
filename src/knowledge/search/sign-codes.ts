/**
 * One bit per dimension: on which side of the mean a vector lies. Vectors that point the same way have equal bits, so
 * that the number of unequal ones orders rows roughly, from a thirty-second of the memory.
 */

const WORD_BITS = 32;

export class SignCodes {
  readonly #codes: Int32Array;
  readonly #wordsPerRow: number;
  /** Encoders leave a common part in all vectors; without it a bit would say little. */
  readonly #mean: Float32Array;

  constructor(dimensions: number, vectors: Float32Array) {
    const rowCount = vectors.length / dimensions;
    this.#wordsPerRow = Math.ceil(dimensions / WORD_BITS);
    this.#mean = meanOf(dimensions, vectors);
    this.#codes = new Int32Array(rowCount * this.#wordsPerRow);
    for (let row = 0; row < rowCount; row++) {
      const code = this.#codes.subarray(row * this.#wordsPerRow, (row + 1) * this.#wordsPerRow);
      this.#write(vectors.subarray(row * dimensions, (row + 1) * dimensions), code);
    }
  }

  get bytes(): number {
    return this.#codes.byteLength;
  }

  encode(vector: Float32Array): Int32Array {
    const code = new Int32Array(this.#wordsPerRow);
    this.#write(vector, code);
    return code;
  }

  /** Bits in which the row differs from the code. */
  distance(code: Int32Array, row: number): number {
    const codes = this.#codes;
    let place = row * this.#wordsPerRow;
    let sum = 0;
    for (let word = 0; word < code.length; word++, place++) {
      // Counts the ones of 32 bits in parallel (H. S. Warren, Hacker's Delight, 2nd edition, figure 5-2).
      let bits = codes[place]! ^ code[word]!;
      bits -= (bits >>> 1) & 0x55555555;
      bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
      sum += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
    }
    return sum;
  }

  #write(vector: Float32Array, code: Int32Array): void {
    for (let dimension = 0; dimension < vector.length; dimension++) {
      const isAbove = vector[dimension]! > this.#mean[dimension]!;
      if (isAbove) code[dimension >> 5]! |= 1 << (dimension & 31);
    }
  }
}

function meanOf(dimensions: number, vectors: Float32Array): Float32Array {
  const sums = new Float64Array(dimensions);
  for (let start = 0; start < vectors.length; start += dimensions)
    for (let dimension = 0; dimension < dimensions; dimension++)
      sums[dimension]! += vectors[start + dimension]!;
  const rowCount = Math.max(1, vectors.length / dimensions);
  return Float32Array.from(sums, (sum) => sum / rowCount);
}
