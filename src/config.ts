/**
 * One typed, resolved view of a project: `candor.yml`, the environment and what the caller overrides. The only
 * file that reads `process.env`.
 */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { type Document, isMap, isScalar, LineCounter, type Pair, parseDocument } from 'yaml';
import { z } from 'zod';
import type { QueryLimits } from './database/database.ts';
import { CandorError } from './errors.ts';
import { nearestNames } from './sql/index.ts';

export interface Config {
  /** The project folder, or the current folder when a database is used without a project. */
  readonly root: string;
  readonly databaseUrl: string;
  /** Where catalog, indexes and records lie; rebuilt by `candor onboard`. */
  readonly derivedDirectory: string;
  readonly semanticsDirectory: string;
  readonly knowledgeDirectory: string;
  readonly examplesDirectory: string;
  readonly limits: QueryLimits;
  /** Below this probability Candor abstains instead of answering. */
  readonly minProbability: number;
  /** The day that "today" means, YYYY-MM-DD, for data that has stopped growing; absent: the clock's day. */
  readonly today?: string;
}

/** Environment variables as a plain record; absent ones are undefined. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface ConfigRequest {
  readonly cwd: string;
  /** Project folder; without it Candor walks up from `cwd` to the first `candor.yml`. */
  readonly project?: string;
  /** Overrides the project's database, or stands alone without a project. */
  readonly database?: string;
  readonly env?: Environment;
}

/** What a terminal and the evaluation want to know of the environment. */
export interface TerminalEnvironment {
  readonly isColourWanted: boolean;
  /** Folder of the benchmark data, when CANDOR_DATA names one. */
  readonly dataDirectory?: string;
}

export const CONFIG_FILE = 'candor.yml';

/** What holds when `candor.yml` is silent. */
export const CONFIG_DEFAULTS = {
  limits: { rows: 1000, bytes: 10_000_000, timeoutMs: 30_000 },
  minProbability: 0.5,
} as const;

/** The keys of `candor.yml`; descriptions become docs/reference/config.md. */
export const CONFIG_SCHEMA = z.strictObject({
  database: z
    .string()
    .min(1)
    .describe('Database URL: `sqlite:path` or `duckdb:path`; a relative path starts at this file.'),
  limits: z
    .strictObject({
      rows: z.int().min(1).max(1_000_000).optional().describe('Rows kept of a result at most.'),
      bytes: z.int().min(1024).optional().describe('Bytes of all kept cells at most.'),
      timeoutMs: z
        .int()
        .min(1)
        .max(3_600_000)
        .optional()
        .describe('Milliseconds after which a query is stopped.'),
    })
    .optional()
    .describe('Bounds of every query.'),
  minProbability: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Candor abstains when it thinks an answer is right with less than this probability.'),
  today: z.iso
    .date()
    .optional()
    .describe(
      'The day that "today" and "this year" refer to, YYYY-MM-DD, for data that has stopped growing.',
    ),
});

/**
 * Reads the configuration that holds for a folder; relative paths come back absolute.
 * `await readConfig({ cwd: 'shop/reports' })` → `{ root: '…/shop', databaseUrl: 'sqlite:…/shop/shop.db', … }`
 */
export async function readConfig(request: ConfigRequest): Promise<Config> {
  const root = await findProject(request);
  if (root === undefined) {
    if (request.database === undefined)
      throw new CandorError(
        'config.not-found',
        `No ${CONFIG_FILE} in ${request.cwd} or any folder above it.`,
      );
    return adHocConfig(request.cwd, request.database);
  }
  const file = join(root, CONFIG_FILE);
  if (!(await stat(file)).isFile()) throw new CandorError('config.invalid', `${file} is not a regular file.`);
  const settings = readSettings(await readFile(file, 'utf8'), file, request);
  const ownUrl = resolveDatabaseUrl(settings.database, root);
  const databaseUrl =
    request.database === undefined ? ownUrl : resolveDatabaseUrl(request.database, request.cwd);
  return {
    ...projectConfig(root, databaseUrl),
    ...(databaseUrl === ownUrl ? {} : { derivedDirectory: derivedFor(databaseUrl, root) }),
    limits: { ...CONFIG_DEFAULTS.limits, ...settings.limits },
    minProbability: settings.minProbability ?? CONFIG_DEFAULTS.minProbability,
    ...(settings.today === undefined ? {} : { today: settings.today }),
  };
}

/** The configuration of a project folder whose `candor.yml` names only a database, before that file exists. */
export function projectConfig(root: string, databaseUrl: string): Config {
  return {
    root,
    databaseUrl,
    derivedDirectory: join(root, '.candor'),
    semanticsDirectory: join(root, 'semantics'),
    knowledgeDirectory: join(root, 'knowledge'),
    examplesDirectory: join(root, 'examples'),
    limits: CONFIG_DEFAULTS.limits,
    minProbability: CONFIG_DEFAULTS.minProbability,
  };
}

/** Reads what the terminal and the evaluation need; NO_COLOR is honoured when it is set and not empty. */
export function readTerminalEnvironment(env: Environment = process.env): TerminalEnvironment {
  const isColourWanted = (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
  return env.CANDOR_DATA ? { isColourWanted, dataDirectory: env.CANDOR_DATA } : { isColourWanted };
}

async function findProject({ cwd, project, database }: ConfigRequest): Promise<string | undefined> {
  if (project !== undefined) {
    const root = resolve(cwd, project);
    if (await exists(join(root, CONFIG_FILE))) return root;
    // A named project must exist even when a database is named: taking another one would surprise.
    const hint = database === undefined ? '' : ' (leave out --project to use the database alone)';
    throw new CandorError('config.not-found', `There is no ${CONFIG_FILE} in ${root}${hint}.`);
  }
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    if (await exists(join(folder, CONFIG_FILE))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

function adHocConfig(cwd: string, database: string): Config {
  const databaseUrl = resolveDatabaseUrl(database, cwd);
  const derivedDirectory = derivedFor(databaseUrl, cwd);
  // Without a project nothing beside the database is read, so a stray `examples/` folder changes no answer.
  return { ...projectConfig(derivedDirectory, databaseUrl), root: cwd, derivedDirectory };
}

/** The folder for derived files of a database that is not its project's own. */
function derivedFor(databaseUrl: string, root: string): string {
  const name = basename(databaseUrl.replace(/[?#].*$/, '')).replace(/\.[^.]*$/, '');
  const hash = createHash('sha256').update(databaseUrl).digest('hex').slice(0, 8);
  return join(root, '.candor', `${name.replace(/[^\w-]+/g, '-') || 'database'}-${hash}`);
}

/** Makes the path of `sqlite:shop.db`, or of a bare `shop.db`, absolute; other URLs stay as they are. */
export function resolveDatabaseUrl(url: string, folder: string): string {
  const [, scheme, written = ''] = /^((?:sqlite|duckdb):)?(.*)$/s.exec(url.trim()) ?? [];
  // `sqlite://shop.db` and `sqlite:///srv/shop.db` are common spellings of the same thing.
  const path = scheme === undefined ? written : written.replace(/^\/\//, '');
  if (path === '' || /^[a-z][a-z0-9+.-]+:/i.test(path)) return url;
  return (scheme ?? '') + resolve(folder, path);
}

type Settings = z.infer<typeof CONFIG_SCHEMA>;

function readSettings(text: string, file: string, { cwd, env = process.env }: ConfigRequest): Settings {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${relative(cwd, file) || file}:${line}:${col}`;
  };
  const [syntaxError] = document.errors;
  if (syntaxError) throw invalid(`${at(syntaxError.pos[0])}: ${syntaxError.message}`);
  if (!isMap(document.contents))
    throw invalid(`${at(0)}: expected keys such as \`database: sqlite:shop.db\`.`);

  const parsed = CONFIG_SCHEMA.safeParse(
    fillVariables(document.toJS(), env, (name) => at(text.indexOf(name))),
  );
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0]!;
    const known = knownKeys(issue.path);
    const [nearest] = nearestNames(key, known, 1);
    const hint = nearest ? `did you mean \`${nearest}\`?` : `known keys: ${known.join(', ')}.`;
    throw invalid(`${at(offsetOf(document, [...issue.path, key]))}: unknown key \`${key}\`; ${hint}`);
  }
  throw invalid(`${at(offsetOf(document, issue.path))}: ${issue.path.join('.')}: ${issue.message}`);
}

function invalid(message: string): CandorError {
  return new CandorError('config.invalid', message);
}

/** Puts environment variables in place of `${VAR}` in every text. */
function fillVariables(value: unknown, env: Environment, at: (name: string) => string): unknown {
  if (typeof value === 'string')
    return value.replace(/\$\{([^}]*)\}/g, (written, name: string) => {
      const found = env[name];
      if (found !== undefined) return found;
      throw new CandorError('config.missing-variable', `${at(written)}: the variable ${name} is not set.`, {
        data: { variable: name },
      });
    });
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, fillVariables(inner, env, at)]),
  );
}

function knownKeys(path: readonly PropertyKey[]): string[] {
  return Object.keys(path[0] === 'limits' ? CONFIG_SCHEMA.shape.limits.unwrap().shape : CONFIG_SCHEMA.shape);
}

/** Where the key of a path stands; the start of the file for a key that is missing. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const step of path) {
    if (!isMap(node)) break;
    const pair: Pair | undefined = node.items.find(({ key }) => isScalar(key) && key.value === step);
    if (!pair || !isScalar(pair.key)) break;
    offset = pair.key.range?.[0] ?? offset;
    node = pair.value;
  }
  return offset;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
