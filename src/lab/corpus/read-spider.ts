/** Spider 1.0: questions over many small SQLite databases. */
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import type { Hardness } from '../../sql/compare/index.ts';
import { hardness, parse } from '../../sql/index.ts';
import { child, type SqlTree } from '../../sql/tree/index.ts';
import type { EvaluationCase, Suite } from './suite.ts';
import { requirePath } from './suite-places.ts';

const ROWS = z.array(z.object({ db_id: z.string(), question: z.string(), query: z.string() }));

const SPLITS = {
  spider: { file: 'dev.json', prefix: 'dev' },
  'spider-train': { file: 'train_spider.json', prefix: 'train' },
} as const;

/** The questions are of 2018; any fixed day makes runs repeatable. */
const NOW = '2018-09-24';

/** Reads one split; questions on a database that is not there are excluded and counted. */
export async function readSpider(name: keyof typeof SPLITS, dataDirectory: string): Promise<Suite> {
  const folder = join(dataDirectory, 'spider');
  const { file, prefix } = SPLITS[name];
  const path = await requirePath(join(folder, file), `The Spider data set (${file})`);
  const rows = ROWS.safeParse(JSON.parse(await readFile(path, 'utf8')));
  if (!rows.success) {
    throw new CandorError('eval.data-missing', `${path} is not Spider's ${file}: ${rows.error.message}`);
  }
  const databases = await findSpiderDatabases(new Set(rows.data.map((row) => row.db_id)), folder);
  const cases = rows.data.flatMap(({ db_id, question, query }, index): EvaluationCase[] => {
    const databasePath = databases.get(db_id);
    if (databasePath === undefined) return [];
    const sql = mendOperators(query);
    return [
      {
        id: `${prefix}-${index}`,
        index,
        database: db_id,
        databaseUrl: `sqlite:${databasePath}`,
        question,
        hardness: gradeHardness(sql),
        tags: [],
        now: NOW,
        expect: { kind: 'answered', sql, orderMatters: hasTopLevelOrder(sql) },
      },
    ];
  });
  const excluded = { cases: rows.data.length - cases.length, why: 'their database has no file' };
  return { name, cases, policy: 'spider', excluded };
}

/** The files of the named databases that are there. */
export async function findSpiderDatabases(
  names: ReadonlySet<string>,
  folder: string,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of names) {
    const path = join(folder, 'database', name, `${name}.sqlite`);
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (isThere) found.set(name, path);
  }
  return found;
}

// What a gold query says about how to score it.

/** True when the whole result is ordered; an ORDER BY inside brackets orders only a part. */
export function hasTopLevelOrder(sql: string): boolean {
  return child(treeOf(sql).root, 'order') !== undefined;
}

/** Spider's own grading: `gradeHardness('SELECT count(*) FROM singer')` → `'easy'`. */
export function gradeHardness(sql: string): Hardness {
  return hardness(treeOf(sql));
}

function treeOf(sql: string): SqlTree {
  const parsed = parse(sql, 'sqlite');
  if (!parsed.ok) throw new Error(`a gold query does not parse: ${parsed.error.message}: ${sql}`);
  return parsed.tree;
}

/** The gold text of Spider was joined from tokens, which splits some operators; the official script mends the same three. */
export function mendOperators(sql: string): string {
  return sql.replaceAll('> =', '>=').replaceAll('< =', '<=').replaceAll('! =', '!=');
}
