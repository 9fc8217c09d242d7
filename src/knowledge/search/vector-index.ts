/** Nearest vectors by dot product: 1-bit codes choose candidates, exact products order them. */
import { CandorError } from '../../errors.ts';
import { kthLargest } from '../../lib/index.ts';

export interface VectorHit {
  readonly row: number;
  readonly score: number;
}

export interface VectorIndexOptions {
  /** Rows of a search that the codes choose and that are compared exactly. */
  readonly candidates?: number;
  /** Indexes of fewer rows have no codes: comparing all rows is as fast. */
  readonly codesFrom?: number;
}

/**
 * Measured on 12,034 names of a warehouse as the built-in encoder sees them, 266 questions as queries: of the 10 nearest
 * 1,000 candidates hold .999 (400: .986, 200: .956), of the 50 nearest .997. `bench/embeddings.ts` measures it again.
 */
const LEAST_CANDIDATES = 1_000;
const CANDIDATES_PER_HIT = 10;
/** Of larger indexes: more rows lie between two neighbours there. */
const CANDIDATE_SHARE = 0.01;
/** Below, comparing all rows takes as long as choosing some. */
const CODES_FROM = 4_000;

export class VectorIndex {
  readonly dimensions: number;
  readonly rowCount: number;
  readonly #vectors: Float32Array;
  readonly #codes: SignCodes | undefined;
  readonly #candidates: number | undefined;

  private constructor(dimensions: number, vectors: Float32Array, options: VectorIndexOptions) {
    this.dimensions = dimensions;
    this.rowCount = vectors.length / dimensions;
    this.#vectors = vectors;
    this.#candidates = options.candidates;
    const isLarge = this.rowCount >= (options.codesFrom ?? CODES_FROM);
    this.#codes = isLarge ? new SignCodes(dimensions, vectors) : undefined;
  }

  /**
   * Over vectors that lie one after another; row 0 is the first. The array is used as it is, not copied. Rows are
   * compared by dot product, which is the cosine for vectors of unit length.
   */
  static build(dimensions: number, vectors: Float32Array, options: VectorIndexOptions = {}): VectorIndex {
    if (!Number.isInteger(dimensions) || dimensions < 1 || vectors.length % dimensions !== 0)
      throw new CandorError(
        'internal.bug',
        `${vectors.length} numbers are no vectors of ${dimensions} dimensions`,
      );
    return new VectorIndex(dimensions, vectors, options);
  }

  /** Memory for codes beside that of the vectors. */
  get codeBytes(): number {
    return this.#codes?.bytes ?? 0;
  }

  /** The `k` accepted rows with the largest dot product, best first, ties by row. */
  search(query: Float32Array, k: number, accept?: (row: number) => boolean): VectorHit[] {
    if (query.length !== this.dimensions)
      throw new CandorError('internal.bug', `a query of ${query.length} dimensions, not ${this.dimensions}`);
    if (k < 1) return [];
    const rows =
      this.#codes === undefined ? this.#accepted(accept) : this.#nearest(this.#codes, query, { k, accept });
    return this.#best(query, rows, k);
  }

  #accepted(accept: ((row: number) => boolean) | undefined): Int32Array {
    const rows = new Int32Array(this.rowCount);
    let count = 0;
    for (let row = 0; row < this.rowCount; row++)
      if (accept === undefined || accept(row)) rows[count++] = row;
    return rows.subarray(0, count);
  }

  /** Accepted rows in the order of their codes' distance, as many as are worth an exact comparison. */
  #nearest(
    codes: SignCodes,
    query: Float32Array,
    { k, accept }: { readonly k: number; readonly accept: ((row: number) => boolean) | undefined },
  ): Int32Array {
    const rows = this.#accepted(accept);
    const usual = Math.max(LEAST_CANDIDATES + CANDIDATES_PER_HIT * k, CANDIDATE_SHARE * this.rowCount);
    const wanted = Math.max(k, this.#candidates ?? Math.ceil(usual));
    if (rows.length <= wanted) return rows;
    const code = codes.encode(query);
    const distances = new Uint16Array(rows.length);
    const histogram = new Int32Array(this.dimensions + 1);
    for (let place = 0; place < rows.length; place++) {
      const distance = codes.distance(code, rows[place]!);
      distances[place] = distance;
      histogram[distance]! += 1;
    }
    let farthest = 0;
    for (let count = histogram[0]!; count < wanted; count += histogram[farthest]!) farthest += 1;
    return rows.filter((_, place) => distances[place]! <= farthest);
  }

  #best(query: Float32Array, rows: Int32Array, k: number): VectorHit[] {
    const scores = new Float64Array(rows.length);
    for (let place = 0; place < rows.length; place++) scores[place] = this.#product(query, rows[place]!);
    const least = kthLargest(scores, k);
    const hits: VectorHit[] = [];
    for (let place = 0; place < rows.length; place++)
      if (scores[place]! >= least) hits.push({ row: rows[place]!, score: scores[place]! });
    return hits.sort((a, b) => b.score - a.score || a.row - b.row).slice(0, k);
  }

  #product(query: Float32Array, row: number): number {
    const vectors = this.#vectors;
    const length = query.length;
    const start = row * length;
    // Four sums, so that an addition need not wait for the one before it.
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    let i = 0;
    for (; i + 3 < length; i += 4) {
      a += query[i]! * vectors[start + i]!;
      b += query[i + 1]! * vectors[start + i + 1]!;
      c += query[i + 2]! * vectors[start + i + 2]!;
      d += query[i + 3]! * vectors[start + i + 3]!;
    }
    for (; i < length; i++) a += query[i]! * vectors[start + i]!;
    return a + b + (c + d);
  }
}

// One bit per dimension: on which side of the mean a vector lies. Vectors that point the same way have equal bits, so
// that the number of unequal ones orders rows roughly, from a thirty-second of the memory.

const WORD_BITS = 32;

class SignCodes {
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
