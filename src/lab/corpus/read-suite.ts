import { createHash } from 'node:crypto';
import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeMotors } from '../../demo/index.ts';
import { CandorError, unreachable } from '../../errors.ts';
import { readBird } from './read-bird.ts';
import { readDefog } from './read-defog.ts';
import { readEveryday } from './read-everyday.ts';
import { readQuestionFile } from './read-question-file.ts';
import { readSpider } from './read-spider.ts';
import { SUITE_NAMES, type Suite, type SuiteName } from './suite.ts';
import { requirePath, resolvePlaces, type SuitePlaces } from './suite-places.ts';

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

/** Folder of question files inside the checkout. */
const QUESTIONS = join('test', 'fixtures', 'questions');

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
      const { checkoutDirectory, dataDirectory } = resolvePlaces(options);
      const file = join(checkoutDirectory, QUESTIONS, `${known}.jsonl`);
      return readEveryday(known, { file, dataDirectory });
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
  const { checkoutDirectory, dataDirectory } = resolvePlaces(options);
  const path = await requirePath(
    join(dataDirectory, 'demo', DEMO_FILES[database]),
    `The ${database} database`,
  );
  const context = { database, databaseUrl: `sqlite:${path}`, now: LAST_DAYS[database] };
  const file = join(checkoutDirectory, QUESTIONS, `${name}.yml`);
  const cases = await readQuestionFile(file, context);
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
  const folder = name === 'motors' ? join(project, 'tests') : join(checkoutDirectory, QUESTIONS);
  const cases = await readQuestionFile(join(folder, `${name}.yml`), context);
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
