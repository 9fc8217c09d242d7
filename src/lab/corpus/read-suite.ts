import { createHash } from 'node:crypto';
import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { makeMotors } from '../../demo/index.ts';
import { CandorError, unreachable } from '../../errors.ts';
import { type CsvRow, readCsv } from '../../knowledge/interchange/index.ts';
import { readBird } from './read-bird.ts';
import { readCaseLines } from './read-case-lines.ts';
import { readQuestionFile } from './read-question-file.ts';
import { findSpiderDatabases, readSpider } from './read-spider.ts';
import { runOnPostgres } from './run-on-postgres.ts';
import { type EvaluationCase, SUITE_NAMES, type Suite, type SuiteName } from './suite.ts';
import { questionFile, requirePath, resolvePlaces, type SuitePlaces } from './suite-places.ts';

export interface ReadSuiteOptions extends SuitePlaces {
  /** PostgreSQL that databases may be created on; only `defog` needs it. */
  readonly serverUrl?: string;
  /** Called while a database is made. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  readonly signal?: AbortSignal;
}

const NO_EXCLUSIONS = { cases: 0, why: '' } as const;

/** The last day that each database has data of, so that "this year" means what its users would mean. */
const LAST_DAYS = { chinook: '2025-12-31', sakila: '2006-02-15', motors: '2024-12-31' } as const;

const DEMO_FILES = { chinook: 'chinook.sqlite', sakila: 'sakila.db' } as const;

/** Reads a suite by name: `await readSuite('chinook')` → 48 cases on one database. */
export async function readSuite(name: string, options: ReadSuiteOptions = {}): Promise<Suite> {
  const known = SUITE_NAMES.find((suite) => suite === name);
  if (known === undefined) {
    throw new CandorError(
      'eval.unknown-suite',
      `There is no suite ${name}; there are ${SUITE_NAMES.join(', ')}.`,
    );
  }
  switch (known) {
    case 'spider':
    case 'spider-train':
      return readSpider(known, resolvePlaces(options).dataDirectory);
    case 'bird':
    case 'bird-proxy':
      return readBird(known, resolvePlaces(options).dataDirectory);
    case 'defog':
      return readDefog({ ...resolvePlaces(options), serverUrl: options.serverUrl });
    case 'chinook':
    case 'chinook-held-out':
    case 'chinook-held-out-2':
    case 'chinook-held-out-3':
      return readDemoSuite('chinook', known, options);
    case 'sakila':
    case 'sakila-held-out':
    case 'sakila-held-out-2':
    case 'sakila-held-out-3':
      return readDemoSuite('sakila', known, options);
    case 'motors':
    case 'motors-held-out':
    case 'motors-held-out-2':
    case 'motors-held-out-3':
    case 'motors-held-out-4':
      return readMotors(known, options);
    case 'everyday':
    case 'everyday-held-out':
    case 'everyday-2': {
      const { dataDirectory } = resolvePlaces(options);
      return readEveryday(known, { file: questionFile(`${known}.jsonl`, options), dataDirectory });
    }
    default:
      return unreachable(known);
  }
}

/** The suites on one database; a question file bears the name of its suite. */
type SuiteOf<Database extends string> = Extract<SuiteName, Database | `${Database}-held-out${string}`>;

/** The questions of one file about a demo database. */
async function readDemoSuite<Database extends keyof typeof DEMO_FILES>(
  database: Database,
  name: SuiteOf<Database>,
  options: ReadSuiteOptions,
): Promise<Suite> {
  const { dataDirectory } = resolvePlaces(options);
  const path = await requirePath(
    join(dataDirectory, 'demo', DEMO_FILES[database]),
    `The ${database} database`,
  );
  const context = { database, databaseUrl: `sqlite:${path}`, now: LAST_DAYS[database] };
  const cases = await readQuestionFile(questionFile(`${name}.yml`, options), context);
  return { name, cases, policy: 'answer', excluded: NO_EXCLUSIONS };
}

/** The database is made once and kept in the cache, until the code that makes it changes. */
async function readMotors(name: SuiteOf<'motors'>, options: ReadSuiteOptions): Promise<Suite> {
  const { checkoutDirectory, cacheDirectory } = resolvePlaces(options);
  const project = await requirePath(join(checkoutDirectory, 'examples', 'motors'), 'The Motors project');
  const path = join(cacheDirectory, 'databases', `motors-${await fingerprintGenerator()}.db`);
  const isMade = await access(path).then(
    () => true,
    () => false,
  );
  if (!isMade) {
    const { onProgress, signal } = options;
    await makeMotors(path, {
      engine: 'sqlite',
      ...(onProgress === undefined ? {} : { onProgress }),
      ...(signal === undefined ? {} : { signal }),
    });
  }
  const context = { database: 'motors', databaseUrl: `sqlite:${path}`, now: LAST_DAYS.motors };
  // Users read the project's own questions as examples; the held-out ones stay with the other fixtures.
  const file =
    name === 'motors' ? join(project, 'tests', 'motors.yml') : questionFile(`${name}.yml`, options);
  const cases = await readQuestionFile(file, context);
  return { name, cases, policy: 'answer', excluded: NO_EXCLUSIONS, project };
}

async function fingerprintGenerator(): Promise<string> {
  const folder = fileURLToPath(new URL('../../demo/', import.meta.url));
  const files = (await readdir(folder, { recursive: true })).filter((name) =>
    /(?<!\.d|\.test)\.[jt]s$/.test(name),
  );
  const hash = createHash('sha256');
  for (const name of files.sort()) hash.update(await readFile(join(folder, name)));
  return hash.digest('hex').slice(0, 8);
}

// defog's `gen` questions: eleven small databases on a real PostgreSQL.

const COLUMNS = ['question', 'query', 'db_name', 'query_category', 'instructions'];

/** defog's own rule for when the order of rows counts. */
const ASKS_FOR_ORDER = /\b(?:order|sort|arrange)\b/i;

interface DefogPlaces {
  readonly dataDirectory: string;
  /** PostgreSQL that databases may be created on. */
  readonly serverUrl: string | undefined;
}

/** Reads the questions and loads their databases. Throws `eval.server-missing` where no server is named. */
async function readDefog({ dataDirectory, serverUrl }: DefogPlaces): Promise<Suite> {
  const folder = join(dataDirectory, 'defog');
  const path = join(folder, 'questions', 'questions_gen_postgres.csv');
  const text = await readFile(await requirePath(path, 'The defog question file'), 'utf8');
  const [header, ...rows] = readCsv(mendQuotes(text), path);
  if (header?.cells.join() !== COLUMNS.join())
    throw new CandorError('eval.data-missing', `${path} does not have the columns ${COLUMNS.join(', ')}`);
  if (serverUrl === undefined)
    throw new CandorError('eval.server-missing', 'The suite defog needs a PostgreSQL server.');
  const names = [...new Set(rows.map(({ cells }) => cells[2] ?? ''))];
  const urls = await loadDefog(names, { folder, serverUrl });
  // Gold queries ask the server for the day.
  const now = new Date().toISOString().slice(0, 10);
  const cases = rows.map((row, index) => toCase(row, { index, urls, now }));
  return { name: 'defog', cases, policy: 'defog', excluded: { cases: 0, why: '' } };
}

/** One question of the file quotes a phrase without doubling the quotes, as CSV asks for. */
function mendQuotes(text: string): string {
  return text.replace(/(?<= )"(\w[^",\n]*)"(?= )/g, '""$1""');
}

function toCase(
  { cells }: CsvRow,
  { index, urls, now }: { index: number; urls: ReadonlyMap<string, string>; now: string },
): EvaluationCase {
  const [question = '', query = '', database = '', category = '', instructions = ''] = cells;
  const [sql = '', ...alternatives] = expandGold(query);
  const hint = instructions.trim();
  return {
    id: `defog-${index}`,
    index,
    // Spider has databases of the same names.
    database: `defog-${database}`,
    databaseUrl: urls.get(database) ?? '',
    question,
    ...(hint === '' ? {} : { hint }),
    category,
    tags: [],
    now,
    expect: {
      kind: 'answered',
      sql,
      alternatives,
      orderMatters: category === 'order_by' || ASKS_FOR_ORDER.test(question),
    },
  };
}

// Puts the databases of defog into a PostgreSQL server.

/**
 * Makes each database anew on the server, as `candor_defog_<name>`, and returns their URLs by name: rows that are
 * dated from today are then of this run. The account of the URL must be allowed to create databases.
 */
async function loadDefog(
  names: readonly string[],
  { folder, serverUrl }: { readonly folder: string; readonly serverUrl: string },
): Promise<Map<string, string>> {
  const urls = new Map<string, string>();
  for (const name of names) {
    const path = join(folder, 'databases', name, `${name}.sql`);
    const statements = await readFile(await requirePath(path, `The defog database ${name}`), 'utf8');
    const database = `candor_defog_${name}`;
    await runOnPostgres(serverUrl, [
      `DROP DATABASE IF EXISTS "${database}" WITH (FORCE)`,
      `CREATE DATABASE "${database}"`,
    ]);
    const url = new URL(serverUrl);
    url.pathname = `/${database}`;
    await runOnPostgres(url.href, [statements]);
    urls.set(name, url.href);
  }
  return urls;
}

// Gold queries of defog: several in one text, and braces around columns of which any may be given.

const BRACES = /\{([^{}]+)\}/;

/**
 * Every query that is right, with the columns of the braces chosen in every way that leaves at least one; `GROUP BY {}`
 * stands for the chosen ones. `SELECT {name, id} FROM t` → by `name`, by `id`, by both.
 */
export function expandGold(text: string): string[] {
  return text
    .split(';')
    .map((query) => query.trim())
    .filter((query) => query !== '')
    .flatMap(expandQuery);
}

function expandQuery(query: string): string[] {
  const found = BRACES.exec(query);
  if (found === null) return [query];
  const columns = found[1]!.split(',').map((column) => column.trim());
  return subsets(columns).map((chosen) => {
    const list = chosen.join(', ');
    const before = query.slice(0, found.index);
    const after = query.slice(found.index + found[0].length);
    return before + list + after.replace('GROUP BY {}', `GROUP BY ${chosen.map(withoutAlias).join(', ')}`);
  });
}

/** All of them first, then the smaller ones, in their order. */
function subsets(columns: readonly string[]): string[][] {
  const all = Array.from({ length: 2 ** columns.length - 1 }, (_, i) =>
    columns.filter((_column, at) => ((i + 1) >> at) & 1),
  );
  return all.sort((one, other) => other.length - one.length);
}

function withoutAlias(column: string): string {
  return column.replace(/\s+AS\s+\w+$/i, '');
}

// Everyday questions over Spider's training databases, of our own: the databases stay where the benchmark lies.

const ROW = z.strictObject({
  id: z.string(),
  database: z.string(),
  question: z.string(),
  /** What is asked, for people who look for a kind. */
  category: z.string(),
  /** Gold queries: the plainest first, then those whose rows a reasonable person would also accept. */
  sql: z.array(z.string()).min(1),
  orderMatters: z.boolean().optional(),
});

/** "Last year" is before it, and all the rows are older. */
const NOW = '2025-10-01';

/** Reads one of the files; `eval.case-invalid` names the line that is wrong, `eval.data-missing` the folder of the databases. */
async function readEveryday(
  name: Extract<SuiteName, `everyday${string}`>,
  { file, dataDirectory }: { readonly file: string; readonly dataDirectory: string },
): Promise<Suite> {
  const folder = await requirePath(join(dataDirectory, 'spider'), 'The Spider data set');
  const rows = await readCaseLines(file, ROW);
  const databases = await findSpiderDatabases(new Set(rows.map(({ database }) => database)), folder);
  const cases = rows.flatMap(
    ({ id, database, question, category, sql, orderMatters = false }, index): EvaluationCase[] => {
      const path = databases.get(database);
      const [gold = '', ...alternatives] = sql;
      if (path === undefined) return [];
      const expect = { kind: 'answered', sql: gold, orderMatters, alternatives } as const;
      const databaseUrl = `sqlite:${path}`;
      return [{ id, index, database, databaseUrl, question, category, tags: [], now: NOW, expect }];
    },
  );
  const excluded = { cases: rows.length - cases.length, why: 'their database has no file' };
  return { name, cases, policy: 'answer', excluded };
}
