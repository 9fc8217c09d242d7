/** From the runs in the usage file to who uses what: popularity, joins, candidates for verified pairs. */
import { compareText } from '../../lib/index.ts';
import type { StateFile } from '../../store/index.ts';
import { daysBefore } from './logs/lines/read-day.ts';
import { AccessPairs, type TableAccesses } from './table-accesses.ts';
import type { ColumnUsage, CoQueried, ExampleCandidate, TableUsage, Usage, UsedJoin } from './usage.ts';

export interface UsageOptions {
  /** Last day of the window, YYYY-MM-DD. */
  readonly asOf: string;
  readonly days?: number;
  /** Who reads more tables than these on one day is taken for a program. */
  readonly serviceTablesPerDay?: number;
  /** Users that are programs in any case. */
  readonly serviceAccounts?: readonly string[];
  /** Keys of examples that somebody has certified: they pass whatever their age, runs and names. */
  readonly certified?: ReadonlySet<string>;
  /** Examples at most, most runs first. */
  readonly exampleLimit?: number;
}

interface ServiceAccount {
  readonly user: string;
  readonly because: string;
}

/** Of a window of days, without programs, which are told. */
export interface WindowUsage extends Usage {
  readonly serviceAccounts: readonly ServiceAccount[];
  /** Tables in statements that the catalog did not have when they were read, most runs first. */
  readonly unknownTables: readonly { readonly name: string; readonly runs: number }[];
}

const DAYS = 90;
/** Source: LinkedIn, section 13. */
const SERVICE_TABLES_PER_DAY = 200;
const EXAMPLES = 500;
const UNKNOWN_SHOWN = 100;
/** Statements of more tables say little about any two of them, and their pairs are too many. */
const MOST_PAIRED = 50;

/**
 * Usage of the days up to `asOf`. Popularity is log1p(distinct users) + 0.3·log1p(runs), of tables and of columns.
 * Source: LinkedIn, section 3 (usage index).
 */
export function readUsage(file: StateFile, options: UsageOptions): WindowUsage {
  return overWindow(file, options, (from, serviceAccounts) => {
    const { asOf } = options;
    return {
      ...{ from, to: asOf },
      tables: readTables(file),
      columns: readColumns(file),
      joins: readJoins(file),
      coQueried: readPairs(file),
      accesses: readAccesses(file),
      examples: readExampleCandidates(file, {
        asOf,
        without: serviceAccounts.map(({ user }) => user),
        certified: options.certified ?? new Set(),
        limit: options.exampleLimit ?? EXAMPLES,
      }),
      serviceAccounts,
      unknownTables: readUnknown(file),
    };
  });
}

/** The tables of `readUsage` alone, most popular first: of a company's logs the rest takes several times as long. */
function readTableUsage(
  file: StateFile,
  options: Pick<UsageOptions, 'asOf' | 'days'>,
): readonly TableUsage[] {
  return overWindow(file, options, () => readTables(file));
}

/** Reads while `window_runs` holds the sums of the window, without those of programs. */
function overWindow<Result>(
  file: StateFile,
  options: UsageOptions,
  read: (from: string, serviceAccounts: readonly ServiceAccount[]) => Result,
): Result {
  const { asOf, days = DAYS } = options;
  const from = daysBefore(asOf, days - 1);
  fillWindow(file, { from, to: asOf });
  const serviceAccounts = findServiceAccounts(file, { ...options, from });
  leaveOut(file, serviceAccounts);
  try {
    return read(from, serviceAccounts);
  } finally {
    file.exec('DROP TABLE IF EXISTS temp.window_runs');
  }
}

/** Sums of each shape and user over the window, so that the runs are walked over once. */
function fillWindow(file: StateFile, { from, to }: Pick<Usage, 'from' | 'to'>): void {
  file.exec('DROP TABLE IF EXISTS temp.window_runs');
  file.exec(
    'CREATE TEMP TABLE window_runs (shape_id INTEGER, user_id INTEGER, runs INTEGER, last_day TEXT, PRIMARY KEY (shape_id, user_id)) WITHOUT ROWID',
  );
  file
    .prepare(
      `INSERT INTO window_runs
       SELECT s.shape_id, r.user_id, SUM(r.runs), MAX(r.day)
       FROM runs r JOIN statements s ON s.id = r.statement_id
       WHERE r.day BETWEEN ? AND ? GROUP BY 1, 2 HAVING SUM(r.runs) > 0`,
    )
    .run(from, to);
}

function leaveOut(file: StateFile, accounts: readonly ServiceAccount[]): void {
  if (accounts.length === 0) return;
  file
    .prepare(
      `DELETE FROM window_runs WHERE user_id IN
         (SELECT u.id FROM users u JOIN json_each(?) j ON j.value = u.name)`,
    )
    .run(JSON.stringify(accounts.map(({ user }) => user)));
}

/** Days are looked at of those alone who read so many tables in the window at all: they are few. */
function findServiceAccounts(
  file: StateFile,
  options: UsageOptions & { readonly from: string },
): ServiceAccount[] {
  const most = options.serviceTablesPerDay ?? SERVICE_TABLES_PER_DAY;
  const named = (options.serviceAccounts ?? []).map((user) => ({
    user,
    because: 'named as a service account',
  }));
  const names = new Set(named.map(({ user }) => user));
  const busy = file
    .prepare(
      `SELECT u.name, MAX(d.tables) AS tables FROM (
         SELECT r.user_id, r.day, COUNT(DISTINCT t.table_id) AS tables
         FROM runs r JOIN statements s ON s.id = r.statement_id JOIN shape_tables t ON t.shape_id = s.shape_id
         WHERE r.day BETWEEN ? AND ? AND r.runs > 0 AND r.user_id IN (
           SELECT w.user_id FROM window_runs w JOIN shape_tables o ON o.shape_id = w.shape_id
           GROUP BY w.user_id HAVING COUNT(*) > ?)
         GROUP BY r.user_id, r.day HAVING COUNT(DISTINCT t.table_id) > ?
       ) d JOIN users u ON u.id = d.user_id GROUP BY u.name ORDER BY u.name`,
    )
    .all(options.from, options.asOf, most, most);
  const found = busy.map(({ name, tables }) => ({
    user: String(name),
    because: `read ${Number(tables)} tables on one day, more than ${most}`,
  }));
  return [...named, ...found.filter(({ user }) => !names.has(user))];
}

function popularityOf(users: number, runs: number): number {
  return Math.log1p(users) + 0.3 * Math.log1p(runs);
}

function readTables(file: StateFile): TableUsage[] {
  const rows = file
    .prepare(
      `SELECT t.table_id AS id, SUM(w.runs) AS runs, COUNT(DISTINCT w.user_id) AS users, MAX(w.last_day) AS last
       FROM window_runs w JOIN shape_tables t ON t.shape_id = w.shape_id GROUP BY 1`,
    )
    .all();
  return rows
    .map(({ id, runs, users, last }) => ({
      tableId: String(id),
      ...weighed(users, runs),
      lastAt: String(last),
    }))
    .sort((a, b) => b.popularity - a.popularity || compareText(a.tableId, b.tableId));
}

function readColumns(file: StateFile): ColumnUsage[] {
  const rows = file
    .prepare(
      `SELECT c.column_id AS id, SUM(w.runs) AS runs, COUNT(DISTINCT w.user_id) AS users
       FROM window_runs w JOIN shape_columns c ON c.shape_id = w.shape_id GROUP BY 1`,
    )
    .all();
  return rows
    .map(({ id, runs, users }) => ({ columnId: String(id), ...weighed(users, runs) }))
    .sort((a, b) => b.popularity - a.popularity || compareText(a.columnId, b.columnId));
}

function weighed(users: unknown, runs: unknown) {
  const counts = { runs: Number(runs), users: Number(users) };
  return { ...counts, popularity: popularityOf(counts.users, counts.runs) };
}

function readJoins(file: StateFile): UsedJoin[] {
  const rows = file
    .prepare(
      `SELECT j.left_table, j.right_table, j.pairs, SUM(w.runs) AS runs, COUNT(DISTINCT w.user_id) AS users
       FROM window_runs w JOIN shape_joins j ON j.shape_id = w.shape_id
       GROUP BY 1, 2, 3 ORDER BY runs DESC, 1, 2, 3`,
    )
    .all();
  return rows.map(({ left_table, right_table, pairs, runs, users }) => ({
    leftTable: String(left_table),
    rightTable: String(right_table),
    // As it was written by ourselves.
    on: JSON.parse(String(pairs)) as UsedJoin['on'],
    runs: Number(runs),
    users: Number(users),
  }));
}

function readPairs(file: StateFile): CoQueried[] {
  const rows = file
    .prepare(
      `SELECT a.table_id AS l, b.table_id AS r, SUM(w.runs) AS runs
       FROM (SELECT shape_id, SUM(runs) AS runs FROM window_runs GROUP BY 1) w
       JOIN shape_tables a ON a.shape_id = w.shape_id
       JOIN shape_tables b ON b.shape_id = w.shape_id AND a.table_id < b.table_id
       WHERE (SELECT COUNT(*) FROM shape_tables n WHERE n.shape_id = w.shape_id) <= ${MOST_PAIRED}
       GROUP BY 1, 2 ORDER BY runs DESC, 1, 2`,
    )
    .all();
  return rows.map(({ l, r, runs }) => ({ leftTable: String(l), rightTable: String(r), runs: Number(runs) }));
}

/** Pairs by number: each name is read once, not with every pair of millions. */
function readAccesses(file: StateFile): TableAccesses {
  file.exec('DROP TABLE IF EXISTS temp.window_tables');
  file.exec('CREATE TEMP TABLE window_tables (id INTEGER PRIMARY KEY, table_id TEXT NOT NULL UNIQUE)');
  try {
    file.exec(
      `INSERT INTO window_tables (table_id) SELECT DISTINCT table_id FROM shape_tables
       WHERE shape_id IN (SELECT shape_id FROM window_runs)`,
    );
    const tables = file.prepare('SELECT table_id FROM window_tables ORDER BY id').all();
    const users = file
      .prepare(
        'SELECT id, name FROM users WHERE id IN (SELECT user_id FROM window_runs w JOIN shape_tables USING (shape_id))',
      )
      .all();
    const userOf = new Map(users.map(({ id }, at) => [Number(id), at]));
    const pairs = new AccessPairs();
    const rows = file
      .prepare(
        `SELECT w.user_id, n.id AS table_number, SUM(w.runs) AS runs
         FROM window_runs w JOIN shape_tables t ON t.shape_id = w.shape_id JOIN window_tables n ON n.table_id = t.table_id
         GROUP BY 1, 2`,
      )
      .iterate();
    for (const { user_id, table_number, runs } of rows)
      pairs.add(userOf.get(Number(user_id)) ?? 0, Number(table_number) - 1, Number(runs));
    return pairs.inOrder(
      users.map(({ name }) => String(name)),
      tables.map(({ table_id }) => String(table_id)),
    );
  } finally {
    file.exec('DROP TABLE IF EXISTS temp.window_tables');
  }
}

function readUnknown(file: StateFile): WindowUsage['unknownTables'] {
  const rows = file
    .prepare(
      `SELECT name, runs FROM unknown_tables WHERE runs > 0 ORDER BY runs DESC, name LIMIT ${UNKNOWN_SHOWN}`,
    )
    .all();
  return rows.map(({ name, runs }) => ({ name: String(name), runs: Number(runs) }));
}

// Popularity of tables as it was when logs were last read: a session over a lake has no time to count a company's runs.

/** Counts it over the window, as `readUsage` does, and keeps it in place of what was kept. */
export function keepPopularity(file: StateFile, options: Pick<UsageOptions, 'asOf' | 'days'>): void {
  const tables = readTableUsage(file, options);
  file.transaction(() => {
    file.exec('DELETE FROM popularity');
    const add = file.prepare('INSERT INTO popularity VALUES (?, ?)');
    for (const { tableId, popularity } of tables) add.run(tableId, popularity);
  });
}

/** By the ids of tables; empty where it was never kept. */
export function readPopularity(file: StateFile): ReadonlyMap<string, number> {
  const rows = file.prepare('SELECT table_id, popularity FROM popularity').iterate();
  const found = new Map<string, number>();
  for (const { table_id, popularity } of rows) found.set(String(table_id), Number(popularity));
  return found;
}

/** Statements of the logs that others could learn from. */
interface CandidateRules {
  readonly asOf: string;
  /** Users whose runs do not count. */
  readonly without: readonly string[];
  /** Keys that pass in any case. */
  readonly certified: ReadonlySet<string>;
  readonly limit: number;
}

/** 18 months. */
const OLDEST_DAYS = 548;
const FEWEST_RUNS = 3;
/** As a word of a name: `tmp_orders` and `order_test_2`, but not `latest_orders` or `contests`. */
const PASSING = /(?:^|[^a-z])(?:tmp|tests?|scratch|untitled)(?![a-z])/i;

/**
 * Queries that ran at least three times in the 18 months up to `asOf`, neither their tables nor the file they were saved
 * in named as passing, one for each normalised tree. Source: LinkedIn, section 3 (example filter). A statement has no
 * day on which it was written: the age is that of its last run.
 */
function readExampleCandidates(file: StateFile, rules: CandidateRules): ExampleCandidate[] {
  const tables = file.prepare('SELECT table_id FROM shape_tables WHERE shape_id = ? ORDER BY 1');
  const author = file.prepare(
    `SELECT u.name FROM runs r JOIN users u ON u.id = r.user_id WHERE r.statement_id = ? AND r.day BETWEEN ? AND ?
       AND u.name NOT IN (SELECT value FROM json_each(?))
     GROUP BY u.name ORDER BY SUM(r.runs) DESC, u.name LIMIT 1`,
  );
  const from = daysBefore(rules.asOf, OLDEST_DAYS);
  const found: ExampleCandidate[] = [];
  for (const row of candidateRows(file, rules, from)) {
    if (found.length === rules.limit) break;
    const ids = tables.all(Number(row.shape_id)).map(({ table_id }) => String(table_id));
    const key = String(row.key);
    const isPassing = [...ids, String(row.name ?? '')].some((name) => PASSING.test(name));
    if (isPassing && !rules.certified.has(key)) continue;
    const first = rules.certified.has(key) ? '0000-01-01' : from;
    found.push({
      key,
      sql: String(row.sql),
      tables: ids,
      runs: Number(row.runs),
      users: Number(row.users),
      author: String(author.get(Number(row.id), first, rules.asOf, JSON.stringify(rules.without))?.name),
      firstAt: String(row.first_at),
      lastAt: String(row.last_at),
    });
  }
  return found;
}

/** All that ran often enough, most runs first, one by one. */
function candidateRows(file: StateFile, { asOf, without, certified }: CandidateRules, from: string) {
  return file
    .prepare(
      `SELECT s.id, s.shape_id, s.key, s.sql, s.name, SUM(r.runs) AS runs, COUNT(DISTINCT r.user_id) AS users,
         MIN(r.day) AS first_at, MAX(r.day) AS last_at
       FROM statements s JOIN runs r ON r.statement_id = s.id
       WHERE s.sql <> '' AND r.runs > 0 AND r.day <= ?
         AND (r.day >= ? OR s.key IN (SELECT value FROM json_each(?)))
         AND r.user_id NOT IN (SELECT u.id FROM users u JOIN json_each(?) j ON j.value = u.name)
       GROUP BY s.id HAVING SUM(r.runs) >= ${FEWEST_RUNS} OR s.key IN (SELECT value FROM json_each(?))
       ORDER BY runs DESC, s.key`,
    )
    .iterate(
      asOf,
      from,
      JSON.stringify([...certified]),
      JSON.stringify(without),
      JSON.stringify([...certified]),
    );
}
