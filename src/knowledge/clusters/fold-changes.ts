/** New days and drifted tables into clusters that are there: what changed is placed by the model they were made with. */
import type { StateFile } from '../../store/index.ts';
import { marksOfTables, marksOfUsers } from './access-marks.ts';
import { type AccessMatrix, aboveThresholds } from './access-matrix.ts';
import type { ClusterSettings } from './clusters.ts';
import { foldUsers } from './fold-users.ts';
import { floatsOf, placeTables, writePlaces } from './place-tables.ts';

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
