/** Runs the Python side on a set of queries and reads what it writes. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { isThere } from '../python-environment.ts';
import type { QuerySet } from './query-set.ts';
import type { SqlglotEnvironment } from './sqlglot-environment.ts';

const SCRIPT = fileURLToPath(new URL('./sqlglot_oracle.py', import.meta.url));

/** See `sqlglot_references.py` for what the owners mean. */
const REFERENCE = z.object({
  start: z.number(),
  owner: z.enum(['owned', 'output', 'replaced', 'using', 'bare']),
  physical: z.array(z.string()),
  /** Those of them that the schema lacks. */
  missing: z.array(z.string()),
  marks: z.array(z.string()),
});

/** `ok` is for text that parses to one query. */
const ANSWER = z.discriminatedUnion('ok', [
  z.object({ id: z.string(), ok: z.literal(false), error: z.string() }),
  z.object({
    id: z.string(),
    ok: z.literal(true),
    nodes: z.array(z.string()),
    /** Why there are no references. */
    unresolved: z.string().optional(),
    columns: z.array(REFERENCE).default([]),
    /** References whose place SQLGlot does not know. */
    placeless: z.number().default(0),
    tables: z.array(z.string()).default([]),
  }),
]);

const TIME = z.discriminatedUnion('ok', [
  z.object({ id: z.string(), ok: z.literal(false), loadMs: z.number() }),
  z.object({
    id: z.string(),
    ok: z.literal(true),
    loadMs: z.number(),
    parseMs: z.number(),
    scopeMs: z.number(),
  }),
]);

export type SqlglotReference = z.infer<typeof REFERENCE>;
export type SqlglotAnswer = z.infer<typeof ANSWER>;
export type SqlglotTime = z.infer<typeof TIME>;

type OnProgress = (line: string) => void;

/** One answer for each query, in their order; kept, so that the same queries cost nothing the next time. */
export async function* askSqlglot(
  name: string,
  set: QuerySet,
  environment: SqlglotEnvironment,
  onProgress: OnProgress,
): AsyncGenerator<SqlglotAnswer> {
  const folder = join(environment.folder, 'answers');
  const path = join(folder, `${name}-${await fingerprint(set)}.jsonl`);
  if (!(await isThere(path))) {
    await mkdir(folder, { recursive: true });
    await runOracle('answer', set, environment, path, onProgress);
    await removeOlder(folder, name, path);
  }
  for await (const line of linesOf(path)) yield ANSWER.parse(JSON.parse(line));
}

/** How long SQLGlot takes over each query. */
export async function timeSqlglot(
  set: QuerySet,
  environment: SqlglotEnvironment,
  onProgress: OnProgress,
): Promise<SqlglotTime[]> {
  const folder = await mkdtemp(join(tmpdir(), 'candor-sql-core-'));
  try {
    const path = join(folder, 'times.jsonl');
    await runOracle('time', set, environment, path, onProgress);
    const times: SqlglotTime[] = [];
    for await (const line of linesOf(path)) times.push(TIME.parse(JSON.parse(line)));
    return times;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runOracle(
  mode: 'answer' | 'time',
  { queries, schemas }: QuerySet,
  { python }: SqlglotEnvironment,
  answersPath: string,
  onProgress: OnProgress,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'candor-sql-core-'));
  try {
    const schemasPath = join(folder, 'schemas.jsonl');
    const tasksPath = join(folder, 'tasks.jsonl');
    await writeFile(schemasPath, toLines(schemas));
    await writeFile(
      tasksPath,
      toLines(queries.map(({ id, sql, dialect, databaseId }) => ({ id, sql, dialect, databaseId }))),
    );
    const unfinished = `${answersPath}.${process.pid}.tmp`;
    await runPython(python, [SCRIPT, mode, schemasPath, tasksPath, unfinished], onProgress);
    await rename(unfinished, answersPath);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function runPython(python: string, args: readonly string[], onProgress: OnProgress): Promise<void> {
  return new Promise((resolve, reject) => {
    // Python would keep compiled copies of the scripts beside them, in the repository.
    const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
    const child = spawn(python, [...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let lastLines: string[] = [];
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (/^[\d,]+ of [\d,]+$/.test(line)) onProgress(line);
      else lastLines = [...lastLines, line].slice(-20);
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`SQLGlot's side ended with code ${code}:\n${lastLines.join('\n')}`));
    });
  });
}

/** Changes with the queries, their schemas and the scripts that judge them. */
async function fingerprint({ queries, schemas }: QuerySet): Promise<string> {
  const hash = createHash('sha256');
  const folder = fileURLToPath(new URL('./', import.meta.url));
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.py')).sort())
    hash.update(await readFile(join(folder, file)));
  hash.update(toLines(queries)).update(toLines(schemas));
  return hash.digest('hex').slice(0, 16);
}

async function removeOlder(folder: string, name: string, kept: string): Promise<void> {
  const isOfSet = new RegExp(`^${name}-[0-9a-f]{16}\\.jsonl$`);
  for (const file of await readdir(folder))
    if (isOfSet.test(file) && join(folder, file) !== kept) await rm(join(folder, file), { force: true });
}

function toLines(rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

function linesOf(path: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY });
}
