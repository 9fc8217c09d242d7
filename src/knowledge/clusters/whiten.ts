/** Principal components of a sparse matrix that is centred in thought only: it never becomes dense. */
import type { AccessMatrix } from './access-matrix.ts';
import { rowAdder } from './dense-products.ts';
import { normalRandom } from './normal-random.ts';
import { tridiagonalEigen } from './symmetric-eigen.ts';
import { takeTurn } from './take-turn.ts';

/**
 * What turns a row of the matrix into whitened coordinates: (row - means) · projection has, over all rows, mean zero
 * and unit covariance.
 */
export interface Whitening {
  /** Of each user, over all tables. */
  readonly means: Float64Array;
  /** Row-major, users × components. */
  readonly projection: Float64Array;
  /** May be fewer than asked for: a matrix has no more components than its rank. */
  readonly components: number;
}

type Cells = Pick<AccessMatrix, 'starts' | 'columns' | 'values'>;

export interface WhitenOptions {
  readonly components: number;
  readonly seed: number;
  readonly signal?: AbortSignal | undefined;
}

/** A variance below this part of the sum of all squares is what rounding left of centring, not a component. */
const NO_VARIANCE = 1e-12;
/**
 * Krylov steps: so many find the components that stand out. Those in the noise are found nearly, which costs nothing:
 * whitened coordinates of any directions that the process gives have unit covariance.
 */
const STEPS_PER_COMPONENT = 2;
const MORE_STEPS = 60;
const STEPS_PER_TURN = 10;

/**
 * Whitens to the leading components: the thin SVD of the centred matrix, here from its Gram operator by the Lanczos
 * process with full reorthogonalisation (Golub and Van Loan, section 10.1). Where the steps reach the number of users
 * the result is exact. Throws `knowledge.cancelled`.
 */
export async function whiten(cells: AccessMatrix, options: WhitenOptions): Promise<Whitening> {
  const rows = cells.tables.length;
  const users = cells.users.length;
  const means = columnMeans(cells, users);
  const steps = Math.min(users, STEPS_PER_COMPONENT * options.components + MORE_STEPS);
  const { diagonal, below, basis } = await lanczos(
    (vector) => gramTimes(cells, means, vector),
    { size: users, steps },
    options,
  );
  const { values, vectors } = tridiagonalEigen(diagonal, below);
  const found = values.filter((value) => value > NO_VARIANCE * dot(cells.values, cells.values)).length;
  const components = Math.min(options.components, found);
  const projection = new Float64Array(users * components);
  const weights = new Float64Array(components);
  const addWeights = rowAdder(projection, weights, components);
  for (const [step, direction] of basis.entries()) {
    for (let component = 0; component < components; component += 1)
      weights[component] = vectors[step * basis.length + component]! * Math.sqrt(rows / values[component]!);
    for (let user = 0; user < users; user += 1) addWeights(user * components, 0, direction[user]!);
  }
  return { means, projection, components };
}

function columnMeans({ starts, columns, values }: Cells, users: number): Float64Array {
  const means = new Float64Array(users);
  for (let cell = 0; cell < columns.length; cell += 1) means[columns[cell]!]! += values[cell]!;
  return means.map((sum) => sum / (starts.length - 1));
}

/** (X - 1m')'(X - 1m')v = X'Xv - n·m(m'v), since the columns of X sum to n·m. */
function gramTimes(
  { starts, columns, values }: Cells,
  means: Float64Array,
  vector: Float64Array,
): Float64Array {
  const rows = starts.length - 1;
  const product = new Float64Array(vector.length);
  for (let row = 0; row < rows; row += 1) {
    const [from, to] = [starts[row]!, starts[row + 1]!];
    let sum = 0;
    for (let cell = from; cell < to; cell += 1) sum += values[cell]! * vector[columns[cell]!]!;
    for (let cell = from; cell < to; cell += 1) product[columns[cell]!]! += values[cell]! * sum;
  }
  const along = rows * dot(means, vector);
  for (let user = 0; user < product.length; user += 1) product[user]! -= along * means[user]!;
  return product;
}

interface Krylov {
  readonly diagonal: Float64Array;
  readonly below: Float64Array;
  readonly basis: readonly Float64Array[];
}

/** Where the operator sends nothing new, the process goes on from another random direction. */
async function lanczos(
  apply: (vector: Float64Array) => Float64Array,
  { size, steps }: { readonly size: number; readonly steps: number },
  { seed, signal }: WhitenOptions,
): Promise<Krylov> {
  const random = normalRandom(seed);
  const basis: Float64Array[] = [];
  const diagonal = new Float64Array(steps);
  const below = new Float64Array(steps);
  const fresh = (): Float64Array => {
    const vector = Float64Array.from({ length: size }, random.normal);
    scale(vector, 1 / Math.sqrt(dot(vector, vector)));
    removeParts(vector, basis);
    scale(vector, 1 / Math.sqrt(dot(vector, vector)));
    return vector;
  };
  let largest = 0;
  let next = fresh();
  for (let step = 0; step < steps; step += 1) {
    basis.push(next);
    const image = apply(next);
    diagonal[step] = dot(image, next);
    largest = Math.max(largest, Math.abs(diagonal[step]!));
    removeParts(image, basis);
    const length = Math.sqrt(dot(image, image));
    if (step === steps - 1) break;
    if (step % STEPS_PER_TURN === 0) await takeTurn(signal);
    if (length > largest * 1e-12) {
      below[step] = length;
      scale(image, 1 / length);
      next = image;
    } else {
      next = fresh();
    }
  }
  return { diagonal, below, basis };
}

/** A second time where much was taken: rounding then left something (Kahan and Parlett: twice is enough). */
function removeParts(vector: Float64Array, basis: readonly Float64Array[]): void {
  let before = dot(vector, vector);
  for (let time = 0; time < 2; time += 1) {
    for (const direction of basis) rowAdder(vector, direction, vector.length)(0, 0, -dot(vector, direction));
    const after = dot(vector, vector);
    if (after > before / 4) return;
    before = after;
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += a[at]! * b[at]!;
  return sum;
}

function scale(vector: Float64Array, factor: number): void {
  for (let at = 0; at < vector.length; at += 1) vector[at]! *= factor;
}
