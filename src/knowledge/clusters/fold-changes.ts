/** New days and drifted tables into clusters that are there: what changed is placed by the model they were made with. */
import type { StateFile } from '../../store/index.ts';
import { marksOfTables, marksOfUsers } from './access-marks.ts';
import { type AccessMatrix, aboveThresholds, bucket } from './access-matrix.ts';
import type { ClusterSettings } from './clusters.ts';
import { chooseClusters } from './user-clusters.ts';

export interface Folded {
  readonly changedTables: number;
  /** Of them, those that are new, gone or have another best cluster. */
  readonly driftedTables: number;
  readonly changedUsers: number;
  /** Share of the tables of the last full run that drifted since then, with these. */
  readonly drift: number;
}

/**
 * Beyond this share of tables that came, went or moved since the last full run, or of users that it did not know, the
 * components themselves may be others: then everything is clustered anew.
 */
export const MOST_DRIFT = 0.1;

interface Placed {
  readonly tableId: string;
  /** Empty: the table is gone. */
  readonly scores: Float32Array;
  readonly best: number;
  readonly wasBest: number | undefined;
}

interface State {
  readonly state: StateFile;
  readonly settings: ClusterSettings;
  readonly components: number;
}

/**
 * Brings the stored clusters to these accesses, all of the window. Tables whose cells changed get new scores from the
 * stored weights of their users; then users whose own accesses changed, or whose tables moved, get their clusters anew
 * (algorithm 2). Changes nothing and gives undefined where too much has drifted, or nothing was stored to fold into.
 * One transaction of the caller's.
 */
export function foldChanges(
  state: StateFile,
  accesses: AccessMatrix,
  settings: ClusterSettings,
): Folded | undefined {
  const about = state.prepare('SELECT centre, table_count, drifted FROM clustering').get();
  if (!(about?.centre instanceof Uint8Array)) return undefined;
  const centre = floatsOf(about.centre);
  const fold: State = { state, settings, components: centre.length };
  const kept = aboveThresholds(accesses, settings);
  if (unknownUsers(state, kept) > MOST_DRIFT * kept.users.length) return undefined;
  const tables = changesOf(state, 'table', kept.tables, marksOfTables(kept));
  const users = changesOf(state, 'user', accesses.users, marksOfUsers(accesses));
  const placed = placeTables(fold, kept, { centre, ...tables });
  const drifted = placed.filter(({ best, wasBest }) => best !== wasBest).length;
  const allDrifted = Number(about.drifted) + drifted;
  const drift = allDrifted / Math.max(1, Number(about.table_count));
  if (drift > MOST_DRIFT) return undefined;
  const moved = writePlaces(fold, placed);
  const affected = new Set([...users.changed, ...usersOf(accesses, moved)]);
  writeUsers(state, accesses, { affected, kept: new Set(kept.tables) });
  const forget = state.prepare('DELETE FROM user_clusters WHERE user = ?');
  for (const user of users.gone) forget.run(user);
  writeMarks(state, 'table', tables);
  writeMarks(state, 'user', users);
  state.prepare('UPDATE clustering SET drifted = ?').run(allDrifted);
  return {
    changedTables: placed.length,
    driftedTables: drifted,
    changedUsers: affected.size + users.gone.length,
    drift,
  };
}

interface Changes {
  /** Places in the names given. */
  readonly changed: readonly number[];
  readonly names: readonly string[];
  readonly marks: Float64Array;
  readonly gone: readonly string[];
}

function changesOf(
  state: StateFile,
  kind: 'table' | 'user',
  names: readonly string[],
  marks: Float64Array,
): Changes {
  const known = new Map<string, number>();
  for (const { name, mark } of state.prepare('SELECT name, mark FROM marks WHERE kind = ?').iterate(kind))
    known.set(String(name), Number(mark));
  const changed: number[] = [];
  for (const [at, name] of names.entries()) {
    if (known.get(name) !== marks[at]) changed.push(at);
    known.delete(name);
  }
  return { changed, names, marks, gone: [...known.keys()] };
}

function writeMarks(
  state: StateFile,
  kind: 'table' | 'user',
  { changed, names, marks, gone }: Changes,
): void {
  const set = state.prepare(
    'INSERT INTO marks VALUES (?, ?, ?) ON CONFLICT (kind, name) DO UPDATE SET mark = excluded.mark',
  );
  for (const at of changed) set.run(kind, names[at] ?? '', marks[at] ?? 0);
  const drop = state.prepare('DELETE FROM marks WHERE kind = ? AND name = ?');
  for (const name of gone) drop.run(kind, name);
}

function unknownUsers(state: StateFile, { users }: AccessMatrix): number {
  const row = state
    .prepare(
      'SELECT COUNT(*) AS n FROM json_each(?) j WHERE NOT EXISTS (SELECT 1 FROM user_weights w WHERE w.user = j.value)',
    )
    .get(JSON.stringify(users));
  return Number(row?.n);
}

/** Scores of every changed table in all components, from the weights of its users alone. */
function placeTables(
  { state, components }: State,
  kept: AccessMatrix,
  { centre, changed, gone }: Changes & { readonly centre: Float32Array },
): Placed[] {
  const { tables, users, starts, columns, values } = kept;
  const findWeights = state.prepare('SELECT weights FROM user_weights WHERE user = ?');
  const known = new Map<number, Float32Array | undefined>();
  const weightsOf = (user: number): Float32Array | undefined => {
    if (known.has(user)) return known.get(user);
    const found = findWeights.get(users[user] ?? '')?.weights;
    const weights = found instanceof Uint8Array ? floatsOf(found) : undefined;
    known.set(user, weights);
    return weights;
  };
  const findBest = state.prepare('SELECT cluster FROM cluster_tables WHERE table_id = ? AND is_best = 1');
  const wasBest = (tableId: string): number | undefined => {
    const row = findBest.get(tableId);
    return row === undefined ? undefined : Number(row.cluster);
  };
  const placed = changed.map((row) => {
    const scores = centre.map((value) => -value);
    for (let cell = starts[row]!; cell < starts[row + 1]!; cell += 1) {
      const weights = weightsOf(columns[cell]!);
      if (weights === undefined) continue;
      const value = Math.log1p(values[cell]!);
      for (let component = 0; component < components; component += 1)
        scores[component]! += value * weights[component]!;
    }
    const tableId = tables[row] ?? '';
    const best = scores.reduce((most, score, at) => (score > scores[most]! ? at : most), 0);
    return { tableId, scores, best, wasBest: wasBest(tableId) };
  });
  const left = gone.map((tableId) => ({
    ...{ tableId, scores: new Float32Array(0), best: -1 },
    wasBest: wasBest(tableId),
  }));
  return [...placed, ...left];
}

/** Gives the tables that are in other clusters than before. */
function writePlaces({ state, settings, components }: State, placed: readonly Placed[]): ReadonlySet<string> {
  const findLeast = state.prepare(
    'SELECT score FROM cluster_tables WHERE cluster = ? ORDER BY score DESC, table_id LIMIT 1 OFFSET ?',
  );
  const least = Array.from({ length: components }, (_, cluster) =>
    Number(findLeast.get(cluster, settings.size - 1)?.score ?? Number.NEGATIVE_INFINITY),
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
  for (const tableId of thinOut(state, crowded, settings.size)) moved.add(tableId);
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

/** Places of the users who read any of the tables. */
function usersOf({ tables, starts, columns }: AccessMatrix, moved: ReadonlySet<string>): number[] {
  if (moved.size === 0) return [];
  const found: number[] = [];
  for (const [row, tableId] of tables.entries())
    if (moved.has(tableId)) found.push(...columns.subarray(starts[row], starts[row + 1]));
  return found;
}

/** Only what is other than before is written: most users keep their clusters. */
function writeUsers(
  state: StateFile,
  matrix: AccessMatrix,
  { affected, kept }: { readonly affected: ReadonlySet<number>; readonly kept: ReadonlySet<string> },
): void {
  if (affected.size === 0) return;
  const { tables, users, starts, columns, values } = matrix;
  const rowOf = new Int32Array(columns.length);
  for (const row of tables.keys()) rowOf.fill(row, starts[row], starts[row + 1]);
  const byUser = bucket(columns.length, users.length, (cell) => columns[cell]!);
  const clustersOf = clusterFinder(state, tables, kept);
  const find = state.prepare('SELECT cluster, weight FROM user_clusters WHERE user = ? ORDER BY place');
  const drop = state.prepare('DELETE FROM user_clusters WHERE user = ?');
  const add = state.prepare('INSERT INTO user_clusters VALUES (?, ?, ?, ?)');
  for (const at of affected) {
    const user = users[at] ?? '';
    const cells = byUser.items.subarray(byUser.starts[at], byUser.starts[at + 1]);
    const own = Array.from(cells, (cell) => ({ runs: values[cell]!, ids: clustersOf(rowOf[cell]!) }));
    const chosen = chooseClusters(own);
    const before = find.all(user);
    const isSame =
      before.length === chosen.length &&
      chosen.every(
        ({ id, weight }, place) => before[place]?.cluster === id && before[place]?.weight === weight,
      );
    if (isSame) continue;
    drop.run(user);
    for (const [place, { id, weight }] of chosen.entries()) add.run(user, place, id, weight);
  }
}

/** Clusters of a table by its row, looked up once; tables below the thresholds are in none. */
function clusterFinder(
  state: StateFile,
  tables: readonly string[],
  kept: ReadonlySet<string>,
): (row: number) => readonly number[] {
  const find = state.prepare('SELECT cluster FROM cluster_tables WHERE table_id = ?');
  const known = new Map<number, readonly number[]>();
  const none: readonly number[] = [];
  return (row) => {
    const found = known.get(row);
    if (found !== undefined) return found;
    const tableId = tables[row] ?? '';
    const ids = kept.has(tableId) ? find.all(tableId).map(({ cluster }) => Number(cluster)) : none;
    known.set(row, ids);
    return ids;
  };
}

/** A copy: what a database gives may start anywhere. */
function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer);
}
