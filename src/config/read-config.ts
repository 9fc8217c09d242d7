/** From `candor.yml`, the environment and what the caller overrides to a `Config`. The only place that reads `process.env`. */

import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { type Document, isMap, isScalar, LineCounter, type Pair, parseDocument } from 'yaml';
import type { z } from 'zod';
import { filesUrl } from '../database/files/index.ts';
import { addEnvironmentSecret, fillUrl, redactUrl } from '../database/http/index.ts';
import type { PlanCaps } from '../database/index.ts';
import { CandorError } from '../errors.ts';
import { nearestNames } from '../language/index.ts';
import { orYamlFault } from '../lib/index.ts';
import type {
  Config,
  ConfigRequest,
  Environment,
  JobsConfig,
  ModelSettings,
  SearchSettings,
  ServerConfig,
  TerminalEnvironment,
  TracingSettings,
} from './config.ts';
import { CONFIG_DEFAULTS, CONFIG_FILE, CONFIG_SCHEMA } from './config-schema.ts';
import { readModelSettings, readTracingSettings, wantsTracedContent } from './read-settings.ts';

/** Folder of what can be made again. */
const DERIVED = '.candor';

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
    return adHocConfig(request, request.database);
  }
  const file = join(root, CONFIG_FILE);
  if (!(await stat(file)).isFile()) throw new CandorError('config.invalid', `${file} is not a regular file.`);
  const settings = readSettings(await readFile(file, 'utf8'), file, request);
  const { env = process.env } = request;
  const urlOf = (named: string, folder: string): string =>
    addEnvironmentSecret(resolveDatabaseUrl(settings.connections?.[named] ?? named, folder), env);
  const ownUrl = urlOf(settings.database, root);
  const isByName = request.database !== undefined && settings.connections?.[request.database] !== undefined;
  const databaseUrl =
    request.database === undefined ? ownUrl : urlOf(request.database, isByName ? root : request.cwd);
  const { maxPlanRows, maxPlanCost, maxPlanBytes, ...limits } = settings.limits ?? {};
  const derivedDirectory = databaseUrl === ownUrl ? join(root, DERIVED) : derivedFor(databaseUrl, root);
  const model = readModelSettings(settings.model, request, { root, derivedDirectory, env });
  return {
    ...projectConfig(root, databaseUrl),
    derivedDirectory,
    tables: settings.tables ?? {},
    impersonate: settings.impersonate ?? false,
    limits: { ...CONFIG_DEFAULTS.limits, ...limits },
    planCaps: withoutAbsent({ maxPlanRows, maxPlanCost, maxPlanBytes }),
    embedded: settings.embedded ?? {},
    allowedCode: settings.guard?.allow ?? {},
    profile: { ...CONFIG_DEFAULTS.profile, ...settings.profile },
    values: { ...CONFIG_DEFAULTS.values, ...settings.values },
    search: readSearch(settings.search, root, env),
    ...((settings.model?.traceContent ?? wantsTracedContent(env)) && { traceContent: true }),
    ...(model === undefined ? {} : { model }),
    ...(settings.user === undefined ? {} : { user: settings.user }),
    ...(settings.catalog === 'lake' && { catalog: settings.catalog }),
    areas: settings.areas ?? [],
    sessionProperties: { ...settings.session, ...request.sessionProperties },
    minProbability: settings.minProbability ?? CONFIG_DEFAULTS.minProbability,
    ...(settings.targetRisk === undefined ? {} : { targetRisk: settings.targetRisk }),
    ...(settings.today === undefined ? {} : { today: settings.today }),
    usageLogs: (settings.usage?.logs ?? []).map(({ connection, ...log }) => ({
      ...log,
      url: connection === undefined ? databaseUrl : urlOf(connection, root),
    })),
    server: readServer(settings.server, root),
    jobs: readJobs(settings.jobs, root),
  };
}

/**
 * The language model of a command that brings its own databases: the one it was given, with what the nearest `candor.yml` says of
 * it. Undefined where none was given: a project's model costs money, and is not asked a whole suite by accident.
 */
export async function readGivenModel(request: ConfigRequest): Promise<ModelSettings | undefined> {
  if (request.model === undefined) return undefined;
  const { cwd, env = process.env } = request;
  const root = await findProject(request);
  if (root === undefined)
    return readModelSettings(undefined, request, { root: cwd, derivedDirectory: join(cwd, DERIVED), env });
  const file = join(root, CONFIG_FILE);
  const { model } = readSettings(await readFile(file, 'utf8'), file, request);
  return readModelSettings(model, request, { root, derivedDirectory: join(root, DERIVED), env });
}

/** The configuration of a project folder whose `candor.yml` names only a database, before that file exists. */
export function projectConfig(root: string, databaseUrl: string): Config {
  return {
    root,
    databaseUrl,
    derivedDirectory: join(root, DERIVED),
    semanticsDirectory: join(root, 'semantics'),
    knowledgeDirectory: join(root, 'knowledge'),
    examplesDirectory: join(root, 'examples'),
    tables: {},
    impersonate: false,
    testsDirectory: join(root, 'tests'),
    limits: CONFIG_DEFAULTS.limits,
    planCaps: CONFIG_DEFAULTS.planCaps,
    embedded: {},
    allowedCode: {},
    profile: CONFIG_DEFAULTS.profile,
    values: CONFIG_DEFAULTS.values,
    search: CONFIG_DEFAULTS.search,
    areas: [],
    sessionProperties: {},
    minProbability: CONFIG_DEFAULTS.minProbability,
    usageLogs: [],
    server: { groups: {}, workspaces: {}, embedOrigins: [] },
    jobs: { schedule: {}, logs: [], live: false },
  };
}

function readServer(given: Settings['server'], root: string): ServerConfig {
  const groups = Object.entries(given?.groups ?? {}).map(([name, { session = {}, ...rights }]) => [
    name,
    { showSql: true, runSql: true, editKnowledge: false, approval: 'allow', ...rights, properties: session },
  ]);
  const { state, oidc, workspaces = {}, embedOrigins = [], questionsAtOnce, mostWaitMs } = given ?? {};
  const folders = Object.entries(workspaces).map(([name, folder]) => [name, resolve(root, folder)]);
  return {
    groups: Object.fromEntries(groups),
    workspaces: Object.fromEntries(folders),
    embedOrigins: embedOrigins.map((url) => new URL(url).origin),
    ...(mostWaitMs !== undefined && { mostWaitMs }),
    ...(questionsAtOnce !== undefined && { questionsAtOnce }),
    ...(state !== undefined && { state }),
    ...(oidc !== undefined && { oidc }),
  };
}

function readJobs(given: Settings['jobs'], root: string): JobsConfig {
  const { logs = [], live = false, ...times } = given ?? {};
  const schedule = Object.fromEntries(Object.entries(times).filter(([, cron]) => cron !== undefined));
  return { schedule, logs: logs.map((path) => resolve(root, path)), live };
}

/** Reads what the terminal and the evaluation need; NO_COLOR is honoured when it is set and not empty. */
export function readTerminalEnvironment(env: Environment = process.env): TerminalEnvironment {
  const isColourWanted = (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
  return {
    isColourWanted,
    ...(env.CANDOR_DATA && { dataDirectory: env.CANDOR_DATA }),
    ...(env.CANDOR_EVAL_POSTGRES && { evaluationServer: env.CANDOR_EVAL_POSTGRES }),
    ...(env.CANDOR_EVAL_MARIADB && { evaluationMariadb: env.CANDOR_EVAL_MARIADB }),
  };
}

/** Which exporter the environment asks for. */
export function readTracing(env: Environment = process.env): TracingSettings {
  return readTracingSettings(env);
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

function adHocConfig(request: ConfigRequest, database: string): Config {
  const { cwd, env = process.env, sessionProperties = {} } = request;
  const databaseUrl = addEnvironmentSecret(resolveDatabaseUrl(database, cwd), env);
  const derivedDirectory = derivedFor(databaseUrl, cwd);
  // Without a project nothing beside the database is read, so a stray `examples/` folder changes no answer.
  const model = readModelSettings(undefined, request, { root: cwd, derivedDirectory, env });
  return {
    ...projectConfig(derivedDirectory, databaseUrl),
    ...{ root: cwd, derivedDirectory, sessionProperties },
    ...(wantsTracedContent(env) && { traceContent: true }),
    ...(model === undefined ? {} : { model }),
  };
}

/** The folder of a model is named from the project; what is no folder there is the id of a hub. */
function readSearch(given: Settings['search'], root: string, env: Environment): SearchSettings {
  const { embedding = CONFIG_DEFAULTS.search.embedding, store, ...rest } = given ?? {};
  const [, folder] = /^onnx:(\.{0,2}\/.*)$/s.exec(embedding) ?? [];
  return {
    ...rest,
    embedding: folder === undefined ? embedding : `onnx:${resolve(root, folder)}`,
    ...(store === undefined ? {} : { store: addEnvironmentSecret(store, env) }),
  };
}

/** The folder for derived files of a database that is not its project's own; a new password changes nothing. */
function derivedFor(databaseUrl: string, root: string): string {
  const url = redactUrl(databaseUrl);
  const name = basename(url.replace(/[?#].*$/, '')).replace(/\.[^.]*$/, '');
  const hash = createHash('sha256').update(url).digest('hex').slice(0, 8);
  return join(root, DERIVED, `${name.replace(/[^\w-]+/g, '-') || 'database'}-${hash}`);
}

function withoutAbsent(limits: { [Key in keyof PlanCaps]: number | undefined }): PlanCaps {
  return Object.fromEntries(Object.entries(limits).filter(([, bound]) => bound !== undefined));
}

/** Makes the path of `sqlite:shop.db`, of a bare `shop.db` or of data files absolute; other URLs stay as they are. */
export function resolveDatabaseUrl(url: string, folder: string): string {
  const files = filesUrl(url.trim(), folder);
  if (files !== undefined) return files;
  const [, scheme, written = ''] = /^((?:sqlite|duckdb):)?(.*)$/s.exec(url.trim()) ?? [];
  // `sqlite://shop.db` and `sqlite:///srv/shop.db` are common spellings of the same thing.
  const path = scheme === undefined ? written : written.replace(/^\/\//, '');
  if (path === '' || /^[a-z][a-z0-9+.-]+:/i.test(path)) return url;
  return (scheme ?? '') + resolve(folder, path);
}

type Settings = z.infer<typeof CONFIG_SCHEMA>;

/** Settings of a hundred workspaces fit many times. */
const MOST_CHARACTERS = 1_000_000;

function readSettings(text: string, file: string, { cwd, env = process.env }: ConfigRequest): Settings {
  const lines = new LineCounter();
  const shown = relative(cwd, file) || file;
  if (text.length > MOST_CHARACTERS)
    throw invalid(`${shown}: has ${text.length} characters; at most ${MOST_CHARACTERS} are read.`);
  const faultOf = (why: string): CandorError => invalid(`${shown}: ${why}.`);
  const document = orYamlFault(
    () => parseDocument(text, { lineCounter: lines, prettyErrors: false }),
    faultOf,
  );
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${shown}:${line}:${col}`;
  };
  const [syntaxError] = document.errors;
  if (syntaxError) throw invalid(`${at(syntaxError.pos[0])}: ${syntaxError.message}`);
  if (!isMap(document.contents))
    throw invalid(`${at(0)}: expected keys such as \`database: sqlite:shop.db\`.`);

  const parsed = CONFIG_SCHEMA.safeParse(
    orYamlFault(() => fillVariables(document.toJS(), env, (name) => at(text.indexOf(name))), faultOf),
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
    return fillUrl(value, (name, written) => {
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
  const { shape } = CONFIG_SCHEMA;
  const [section] = path;
  if (section === 'limits' || section === 'profile' || section === 'model' || section === 'jobs')
    return Object.keys(shape[section].unwrap().shape);
  return Object.keys(shape);
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
