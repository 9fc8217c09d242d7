/** Whether derived files that went through chaos say the same as those of one quiet run. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { doJob } from '../../src/jobs/do-job.ts';
import type { ChaosProject } from './installation.ts';

/** What each SQLite file knows, whatever the numbers of its rows and pages. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  'usage.sqlite': [
    'SELECT s.key, u.name, r.day, r.runs FROM runs r JOIN statements s ON s.id = r.statement_id JOIN users u ON u.id = r.user_id',
    'SELECT h.key, t.table_id FROM shape_tables t JOIN shapes h ON h.id = t.shape_id',
    'SELECT h.key, c.column_id FROM shape_columns c JOIN shapes h ON h.id = c.shape_id',
    'SELECT h.key, j.left_table, j.right_table, j.pairs FROM shape_joins j JOIN shapes h ON h.id = j.shape_id',
    'SELECT head_hash, offset, line, counts FROM logs',
    'SELECT count(*) FROM rejected',
  ],
  'search.sqlite': [
    'SELECT d.kind, d.id, d.tables, c.title, c.body FROM documents d JOIN contents c ON c.key = d.content',
    'SELECT e.kind, e.trigrams, c.hash FROM entries e JOIN contents c ON c.key = e.content',
    'SELECT n.kind, n.trigram, c.hash FROM name_trigrams n JOIN contents c ON c.key = n.content',
    'SELECT m.id, v.hash, hex(v.vector) FROM vectors v JOIN models m ON m.key = v.model JOIN contents c ON c.hash = v.hash',
  ],
};
const TEXTS = ['manifest.json', 'tables.jsonl', 'values.jsonl', 'values.index', 'clusters.json'];

export interface Comparison {
  /** Files that say something else than after a quiet run, or are damaged. */
  readonly differs: readonly string[];
  /** Runs of statements counted, by hand and by the query log. */
  readonly countedRuns: number;
  readonly loggedRuns: number;
  /** Files that killed processes have left half-written. */
  readonly leftovers: number;
}

/** Makes the derived files once more beside those that are there, in one quiet run, and compares. */
export async function compareDerived(project: ChaosProject): Promise<Comparison> {
  const config = await project.readConfig();
  const { derivedDirectory: here } = config;
  const aside = `${here}-after-chaos`;
  renameSync(here, aside);
  try {
    const signal = new AbortController().signal;
    for (const kind of ['onboard', 'usage', 'clusters', 'onboard'] as const)
      await doJob(kind, { config, signal, report: () => undefined });
    const differs = [
      ...TEXTS.filter((file) => textOf(join(here, file)) !== textOf(join(aside, file))),
      ...Object.keys(QUERIES).filter(
        (file) => contentOf(join(here, file), file) !== contentOf(join(aside, file), file),
      ),
    ];
    return {
      differs,
      countedRuns: runsIn(join(aside, 'usage.sqlite')),
      loggedRuns: project.logLines,
      leftovers: readdirSync(aside).filter((file) => file.endsWith('.unfinished')).length,
    };
  } finally {
    rmSync(here, { recursive: true, force: true });
    renameSync(aside, here);
  }
}

function textOf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function contentOf(path: string, file: string): string {
  if (!existsSync(path)) return 'absent';
  const database = new DatabaseSync(path);
  try {
    const whole = database.prepare('PRAGMA integrity_check').all();
    const rows = (QUERIES[file] ?? []).map((query) =>
      database
        .prepare(query)
        .all()
        .map((row) => JSON.stringify(row))
        .sort(),
    );
    return JSON.stringify([whole, rows]);
  } finally {
    database.close();
  }
}

function runsIn(path: string): number {
  const database = new DatabaseSync(path);
  try {
    return Number(database.prepare('SELECT coalesce(sum(runs), 0) AS runs FROM runs').get()?.runs);
  } finally {
    database.close();
  }
}
