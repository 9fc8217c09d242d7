/** Statements of the logs that others could learn from. */
import type { StateFile } from '../../store/index.ts';
import { daysBefore } from './logs/read-day.ts';
import type { ExampleCandidate } from './usage.ts';

export interface CandidateRules {
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
export function readExampleCandidates(file: StateFile, rules: CandidateRules): ExampleCandidate[] {
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
