/** Tables into clusters that are there, by the model they were made with. */
import type { StateFile } from '../../store/index.ts';
import type { AccessMatrix } from './access-matrix.ts';

export interface Placed {
  readonly tableId: string;
  /** Empty: the table is gone. */
  readonly scores: Float32Array;
  readonly best: number;
  readonly wasBest: number | undefined;
}

/** Scores of every changed table in all components, from the weights of its users alone. */
export function placeTables(
  state: StateFile,
  { tables, users, starts, columns, values }: AccessMatrix,
  {
    centre,
    changed,
    gone,
  }: {
    readonly centre: Float32Array;
    /** Rows of the matrix. */
    readonly changed: readonly number[];
    readonly gone: readonly string[];
  },
): Placed[] {
  const weightsOf = weightsFinder(state, users);
  const findBest = state.prepare('SELECT cluster FROM cluster_tables WHERE table_id = ? AND is_best = 1');
  const wasBest = (tableId: string): number | undefined => {
    const row = findBest.get(tableId);
    return row === undefined ? undefined : Number(row.cluster);
  };
  const start = centre.map((value) => -value);
  const placed = changed.map((row) => {
    const sums = new Float64Array(start);
    for (let cell = starts[row]!; cell < starts[row + 1]!; cell += 1) {
      const weights = weightsOf(columns[cell]!);
      if (weights === undefined) continue;
      addTimes(sums, weights, Math.log1p(values[cell]!));
    }
    const scores = new Float32Array(sums);
    const tableId = tables[row] ?? '';
    return { tableId, scores, best: largest(scores), wasBest: wasBest(tableId) };
  });
  const left = gone.map((tableId) => ({
    ...{ tableId, scores: new Float32Array(0), best: -1 },
    wasBest: wasBest(tableId),
  }));
  return [...placed, ...left];
}

/** Gives the tables that are in other clusters than before. */
export function writePlaces(
  state: StateFile,
  placed: readonly Placed[],
  { size, components }: { readonly size: number; readonly components: number },
): ReadonlySet<string> {
  const findLeast = state.prepare(
    'SELECT score FROM cluster_tables WHERE cluster = ? ORDER BY score DESC, table_id LIMIT 1 OFFSET ?',
  );
  const least = Array.from({ length: components }, (_, cluster) =>
    Number(findLeast.get(cluster, size - 1)?.score ?? Number.NEGATIVE_INFINITY),
  );
  const findOwn = state.prepare('SELECT cluster, score FROM cluster_tables WHERE table_id = ?');
  const drop = state.prepare('DELETE FROM cluster_tables WHERE cluster = ? AND score = ? AND table_id = ?');
  const add = state.prepare('INSERT INTO cluster_tables VALUES (?, ?, ?, ?)');
  const crowded = new Set<number>();
  const moved = new Set<string>();
  for (const { tableId, scores, best } of placed) {
    const before = findOwn.all(tableId);
    for (const { cluster, score } of before) drop.run(Number(cluster), Number(score), tableId);
    const after: number[] = [];
    for (let cluster = 0; cluster < scores.length; cluster += 1) {
      const score = scores[cluster]!;
      if (cluster !== best && score <= least[cluster]!) continue;
      add.run(cluster, score, tableId, cluster === best ? 1 : 0);
      after.push(cluster);
      if (cluster !== best) crowded.add(cluster);
    }
    const isSame =
      before.length === after.length && before.every(({ cluster }) => after.includes(Number(cluster)));
    if (!isSame) moved.add(tableId);
  }
  for (const tableId of thinOut(state, crowded, size)) moved.add(tableId);
  return moved;
}

/** Of what is among the best of a cluster only, no more than so many stay. Gives the tables that left one. */
function thinOut(state: StateFile, clusters: Iterable<number>, size: number): string[] {
  const drop = state.prepare(
    `DELETE FROM cluster_tables WHERE cluster = ?1 AND is_best = 0 AND (score, table_id) IN
       (SELECT score, table_id FROM cluster_tables WHERE cluster = ?1 ORDER BY score DESC, table_id LIMIT -1 OFFSET ?2)
     RETURNING table_id`,
  );
  return [...clusters].flatMap((cluster) => drop.all(cluster, size).map(({ table_id }) => String(table_id)));
}

/** What a user weighs in each component, looked up once; undefined: the model does not know the user. */
function weightsFinder(
  state: StateFile,
  users: readonly string[],
): (user: number) => Float32Array | undefined {
  const find = state.prepare('SELECT weights FROM user_weights WHERE user = ?');
  const known = new Map<number, Float32Array | undefined>();
  return (user) => {
    if (known.has(user)) return known.get(user);
    const found = find.get(users[user] ?? '')?.weights;
    const weights = found instanceof Uint8Array ? floatsOf(found) : undefined;
    known.set(user, weights);
    return weights;
  };
}

function addTimes(sums: Float64Array, weights: Float32Array, factor: number): void {
  for (let at = 0; at < sums.length; at += 1) sums[at]! += factor * weights[at]!;
}

function largest(scores: Float32Array): number {
  let best = 0;
  for (let at = 1; at < scores.length; at += 1) if (scores[at]! > scores[best]!) best = at;
  return best;
}

/** What a database gives may start anywhere: then it is copied. */
export function floatsOf(bytes: Uint8Array): Float32Array {
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Float32Array(buffer, byteOffset, byteLength / 4);
}
