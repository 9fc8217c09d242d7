/** New days and drifted tables into clusters that are there: what changed is placed by the model they were made with. */
import type { StateFile } from '../../store/index.ts';
import type { ClusterSettings } from './accesses/access-matrix.ts';
import {
  type AccessMatrix,
  aboveThresholds,
  byUser,
  marksOfTables,
  marksOfUsers,
} from './accesses/access-matrix.ts';
import { clusterChooser, RowClusters } from './user-clusters.ts';

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
  const kept = aboveThresholds(accesses, settings);
  if (unknownUsers(state, kept) > MOST_DRIFT * kept.users.length) return undefined;
  const tables = changesOf(state, 'table', kept.tables, marksOfTables(kept));
  const users = changesOf(state, 'user', accesses.users, marksOfUsers(accesses));
  const placed = placeTables(state, kept, { centre, ...tables });
  const drifted = placed.filter(({ best, wasBest }) => best !== wasBest).length;
  const allDrifted = Number(about.drifted) + drifted;
  const drift = allDrifted / Math.max(1, Number(about.table_count));
  if (drift > MOST_DRIFT) return undefined;
  const moved = writePlaces(state, placed, { size: settings.size, components: centre.length });
  const affected = foldUsers(state, accesses, { changed: users.changed, moved });
  const forget = state.prepare('DELETE FROM user_clusters WHERE user = ?');
  for (const user of users.gone) forget.run(user);
  writeMarks(state, 'table', tables);
  writeMarks(state, 'user', users);
  state.prepare('UPDATE clustering SET drifted = ?').run(allDrifted);
  return {
    changedTables: placed.length,
    driftedTables: drifted,
    changedUsers: affected + users.gone.length,
    drift,
  };
}

/** Marks that one statement gives, as two lists: a row for each takes three times as long. */
const MARKS_AT_ONCE = 50_000;

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
  const read = state.prepare(
    `SELECT MAX(name) AS last, json_group_array(name) AS names, json_group_array(mark) AS marks
     FROM (SELECT name, mark FROM marks WHERE kind = ? AND name > ? ORDER BY name LIMIT ${MARKS_AT_ONCE})`,
  );
  for (let last = ''; ; ) {
    const found = read.get(kind, last);
    if (typeof found?.last !== 'string') break;
    last = found.last;
    // Two lists, made by the statement.
    const [these, values] = [JSON.parse(String(found.names)), JSON.parse(String(found.marks))];
    for (const [at, name] of these.entries()) known.set(name, values[at]);
  }
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

/** Tables into clusters that are there, by the model they were made with. */
interface Placed {
  readonly tableId: string;
  /** Empty: the table is gone. */
  readonly scores: Float32Array;
  readonly best: number;
  readonly wasBest: number | undefined;
}

/** Scores of every changed table in all components, from the weights of its users alone. */
function placeTables(
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
function writePlaces(
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
function floatsOf(bytes: Uint8Array): Float32Array {
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Float32Array(buffer, byteOffset, byteLength / 4);
}

/** Users of clusters whose tables, or whose own accesses, are others than before. Source: LinkedIn, section 4.2. */
interface UserChanges {
  /** Users whose own accesses changed: places in those of the matrix. */
  readonly changed: readonly number[];
  /** Ids of tables that are in other clusters than before. */
  readonly moved: ReadonlySet<string>;
}

/** Tables whose clusters one statement gives, as two lists: a row for each would take three times as long. */
const READ_AT_ONCE = 50_000;

/**
 * Algorithm 2 again for users that changed and for those who read a table that moved, over all accesses and the stored
 * clusters of tables. Writes what is other than before only: most keep their clusters. Gives how many users it looked at.
 */
function foldUsers(state: StateFile, matrix: AccessMatrix, changes: UserChanges): number {
  const affected = affectedUsers(matrix, changes);
  if (affected.length === 0) return 0;
  const { starts, rows, values } = byUser(matrix);
  const read = (user: number): Int32Array => rows.subarray(starts[user], starts[user + 1]);
  const readRows = distinct(affected.map(read), matrix.tables.length);
  const choose = clusterChooser(readClusters(state, matrix.tables, readRows));
  const find = state.prepare('SELECT cluster, weight FROM user_clusters WHERE user = ? ORDER BY place');
  const drop = state.prepare('DELETE FROM user_clusters WHERE user = ?');
  const add = state.prepare('INSERT INTO user_clusters VALUES (?, ?, ?, ?)');
  for (const at of affected) {
    const user = matrix.users[at] ?? '';
    const chosen = choose(read(at), values.subarray(starts[at], starts[at + 1]));
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
  return affected.length;
}

function affectedUsers(
  { tables, users, starts, columns }: AccessMatrix,
  { changed, moved }: UserChanges,
): number[] {
  const isAffected = new Uint8Array(users.length);
  for (const user of changed) isAffected[user] = 1;
  for (const [row, tableId] of tables.entries())
    if (moved.has(tableId))
      for (let cell = starts[row]!; cell < starts[row + 1]!; cell += 1) isAffected[columns[cell]!] = 1;
  return [...users.keys()].filter((user) => isAffected[user] === 1);
}

function distinct(parts: readonly Int32Array[], count: number): readonly number[] {
  const isThere = new Uint8Array(count);
  for (const part of parts) for (const row of part) isThere[row] = 1;
  return Array.from({ length: count }, (_, row) => row).filter((row) => isThere[row] === 1);
}

/** By row, the clusters that its table is stored in; a table below the thresholds is in none. */
function readClusters(state: StateFile, tables: readonly string[], rows: readonly number[]): RowClusters {
  const found = new RowClusters(tables.length);
  const find = state.prepare(
    `SELECT json_group_array(j.key) AS places, json_group_array(c.cluster) AS clusters
     FROM json_each(?) j CROSS JOIN cluster_tables c ON c.table_id = j.value`,
  );
  for (let from = 0; from < rows.length; from += READ_AT_ONCE) {
    const some = rows.slice(from, from + READ_AT_ONCE);
    const lists = find.get(JSON.stringify(some.map((row) => tables[row])));
    // Two lists of numbers, made by the statement.
    const places = JSON.parse(String(lists?.places)) as number[];
    const clusters = JSON.parse(String(lists?.clusters)) as number[];
    for (const [at, place] of places.entries()) found.add(some[place]!, clusters[at]!);
  }
  return found;
}
