import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { Catalog } from '../../../catalog/index.ts';
import type { Config } from '../../../config/index.ts';
import {
  type AccessPolicy,
  type Database,
  guarded,
  readRedefined,
  restrictsTables,
  type ServerDescription,
  visibleTables,
} from '../../../database/index.ts';
import { CandorError } from '../../../errors.ts';
import { readExamples } from '../../../knowledge/authored/index.ts';
import {
  accessPolicyOf,
  checkSemanticModel,
  checkSemanticSql,
  checkSemanticValues,
  readSemanticModel,
} from '../../../knowledge/semantic/index.ts';
import { escapeControl } from '../../../lib/index.ts';
import { connectProject, readOnboarded } from '../../../onboarding/index.ts';
import { openRiskModels } from '../../../session/index.ts';
import { parse } from '../../../sql/index.ts';
import { isOpenToOthers } from '../../../store/index.ts';
import { PROJECT_RISK_FILE, readLabels } from '../../../uncertainty/index.ts';
import { type CommandContext, runCommand, styleFor } from '../../context/command-context.ts';
import {
  addModelOptions,
  addOutputOptions,
  addProjectOptions,
  type ModelOptions,
  type OutputOptions,
  type ProjectOptions,
  readCommandConfig,
} from '../../context/options.ts';
import { renderJson, type Style, shellQuote } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';
import { ERROR_EXIT } from '../../terminal/io.ts';
import { checkModel } from './check-model.ts';

export interface DoctorOptions extends ProjectOptions, OutputOptions, ModelOptions {
  readonly askModel?: boolean;
}

export const MIN_NODE = [20, 19] as const;
/** Of the tables that a policy refuses. */
export const MOST_REFUSED_SHOWN = 20;

/** `candor doctor`: checks everything an answer needs and says what to do about what is wrong. */
export function defineDoctorCommand(command: Command, context: CommandContext): void {
  addOutputOptions(addModelOptions(addProjectOptions(command)), ['table', 'json']);
  command
    .option('--ask-model', 'make one small call to the language model; without it nothing is sent to it')
    .addHelpText(
      'after',
      `
Examples:
  candor doctor
  candor doctor --database sqlite:shop.db
  candor doctor --model openai:gpt-4.1 --ask-model
  candor doctor --output json

Exit code 0: no problem (warnings count as none); ${ERROR_EXIT.environment}: at least one. Nothing is changed.`,
    )
    .action((options: DoctorOptions) =>
      runCommand(context, options.output, () => runDoctor(options, context.io)),
    );
}

export async function runDoctor(options: DoctorOptions, io: Io): Promise<number> {
  const findings = [
    checkNode(process.versions.node),
    await checkParser(),
    ...(await checkProject(options, io)),
  ];
  const style = styleFor(io, io.stdout);
  io.stdout.write(
    options.output === 'json'
      ? renderJson({ findings })
      : `${findings.map((finding) => findingLine(finding, style)).join('\n')}\n`,
  );
  return findings.some(({ status }) => status === 'problem') ? ERROR_EXIT.environment : 0;
}

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNewEnough = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
  return isNewEnough
    ? { name: 'node', status: 'ok', detail: version }
    : {
        name: 'node',
        status: 'problem',
        detail: version,
        next: `Install Node ${MIN_NODE.join('.')} or newer.`,
      };
}

export function checkParser(): Promise<Finding> {
  return attempt('parser', async () => {
    const parsed = parse('SELECT 1', 'sqlite');
    if (!parsed.ok) throw new CandorError('internal.bug', parsed.error.message);
    return 'loads and parses';
  });
}

export async function checkProject(options: DoctorOptions, io: Io): Promise<Finding[]> {
  let config: Config;
  try {
    config = await readCommandConfig(io, options);
  } catch (error) {
    const problem = findingOf('project', error);
    const isAbsent = error instanceof CandorError && error.code === 'config.not-found' && !options.project;
    return [isAbsent ? { ...problem, status: 'skipped' } : problem];
  }
  const findings: Finding[] = [
    { name: 'project', status: 'ok', detail: config.root },
    ...(await checkFiles(config.derivedDirectory)),
    await checkModelLine(config, options, io),
    await checkRisk(config),
  ];
  let database: Database | undefined;
  let server: ServerDescription | undefined;
  findings.push(
    await attempt('database', async () => {
      database = await connectProject(config);
      await database.query('SELECT 1', config.limits, io.signal);
      server = await database.describe(io.signal);
      return `${server.product}${server.user === undefined ? '' : ` as ${server.user}`}: ${database.url}`;
    }),
  );
  if (database === undefined) return findings;
  try {
    if (server !== undefined) findings.push(checkRights(server));
    findings.push(await checkOwnCode(config, database));
    const { catalog, finding } = await checkCatalog(config, database);
    findings.push(
      finding,
      await checkSemantics(config, catalog),
      ...(catalog === undefined ? [] : await checkAccessPolicy(config, catalog)),
      await checkExamples(config, catalog, database),
    );
  } finally {
    await database.close();
  }
  return findings;
}

/** What was derived of a database holds its values, and records hold questions. */
export async function checkFiles(directory: string): Promise<Finding[]> {
  if (!existsSync(directory)) return [];
  if (!(await isOpenToOthers(directory)))
    return [{ name: 'files', status: 'ok', detail: `${directory} is closed to other accounts` }];
  return [
    {
      name: 'files',
      status: 'warning',
      detail: `${directory} can be read by other accounts of this machine`,
      next: `chmod -R go-rwx ${shellQuote(directory)}; where a team shares it: chmod -R g+rwX,o-rwx, and chmod g+s on its folders.`,
    },
  ];
}

export async function checkModelLine(
  config: Config,
  { askModel = false }: DoctorOptions,
  io: Io,
): Promise<Finding> {
  try {
    const { detail, warning } = await checkModel(config, { asks: askModel, signal: io.signal });
    if (warning === undefined) return { name: 'model', status: 'ok', detail };
    return { name: 'model', status: 'warning', detail, next: warning };
  } catch (error) {
    return findingOf('model', error);
  }
}

/** Labels of answers, and whether what was learned of them fits the models of today. */
async function checkRisk({ derivedDirectory }: Config): Promise<Finding> {
  let isSetAside = false;
  const finding = await attempt('risk', async () => {
    const { labels } = await readLabels(derivedDirectory);
    const { known, modelId } = await openRiskModels(derivedDirectory);
    isSetAside = known.isOfOthers;
    const count = labels.filter(({ model }) => model === modelId).length;
    const moved = [...known.writers].filter(([, { shift }]) => shift !== undefined).map(([name]) => name);
    if (isSetAside) return `${PROJECT_RISK_FILE} was learned with other models and is set aside`;
    const state = moved.length === 0 ? 'as it ships' : `moved by labels for the ${moved.join(', ')}`;
    return `${state}; ${count} labelled answers`;
  });
  if (!isSetAside) return finding;
  return {
    ...finding,
    status: 'warning',
    next: 'Run candor train risk: it asks anew and learns with the models of today.',
  };
}

/** The engine holds writes back too; an account that may write leaves that to its session settings alone. */
export function checkRights({ readOnlyBy, excessRights }: ServerDescription): Finding {
  if (excessRights.length === 0) return { name: 'read-only', status: 'ok', detail: readOnlyBy };
  return {
    name: 'read-only',
    status: 'warning',
    detail: `${readOnlyBy}; but the account has rights that a reader does not need: ${excessRights.join(', ')}`,
    next: 'Give Candor an account that may only SELECT; docs/guides/databases.md has the statements.',
  };
}

/** Statements that name them are refused: an owner would else hear of it from those who ask. */
export async function checkOwnCode({ allowedCode }: Config, database: Database): Promise<Finding> {
  const name = 'own code';
  try {
    const redefined = await readRedefined(database, allowedCode);
    if (redefined === undefined) return { name, status: 'ok', detail: 'no name of the engine is redefined' };
    return {
      name,
      status: 'warning',
      detail: `the database redefines names of the engine; SQL that may run them is refused: ${redefined.names}`,
      next: `Read what they do. Those that you want to allow go into candor.yml: ${redefined.allow}`,
    };
  } catch (error) {
    return findingOf(name, error);
  }
}

export async function checkCatalog(
  config: Config,
  database: Database,
): Promise<{ catalog?: Catalog; finding: Finding }> {
  let catalog: Catalog | undefined;
  const finding = await attempt('catalog', async () => {
    const onboarded = await readOnboarded(config.derivedDirectory, database);
    if (onboarded === undefined)
      throw new CandorError('catalog.stale', `Nothing up to date lies in ${config.derivedDirectory}.`);
    catalog = onboarded.catalog;
    return `fresh: ${onboarded.catalog.tables.length} tables, ${onboarded.values.size} values indexed`;
  });
  return catalog === undefined ? { finding } : { catalog, finding };
}

export async function checkSemantics(config: Config, catalog: Catalog | undefined): Promise<Finding> {
  const name = 'semantic model';
  let unstored: readonly string[] = [];
  const finding = await attempt(name, async () => {
    const model = await readSemanticModel(config.semanticsDirectory);
    const counts = `${model.metrics.length} metrics, ${model.dimensions.length} dimensions`;
    if (catalog === undefined) return `${counts}; not compared with the database, which has no fresh catalog`;
    const problems = [...checkSemanticModel(model, catalog), ...checkSemanticSql(model, catalog.dialect)];
    unstored = checkSemanticValues(model, catalog);
    if (problems.length > 0)
      throw new CandorError('semantics.invalid', [...problems, ...unstored].join('\n'));
    return counts;
  });
  if (finding.status !== 'ok' || unstored.length === 0) return finding;
  return {
    ...{ name, status: 'warning', detail: [finding.detail, ...unstored].join('\n') },
    next: 'Spell the values as they are stored, or leave them where they are still to come.',
  };
}

/** What a policy refuses beside what it says: an owner would else hear of it from those who may not read a table. */
export async function checkAccessPolicy(config: Config, catalog: Catalog): Promise<Finding[]> {
  let policy: AccessPolicy;
  try {
    policy = accessPolicyOf(await readSemanticModel(config.semanticsDirectory), catalog);
  } catch (error) {
    // The check of the semantic model has told it.
    if (error instanceof CandorError && error.code === 'semantics.invalid') return [];
    throw error;
  }
  if (!restrictsTables(policy)) return [];
  const { rowFilters, columnMasks } = policy;
  const counts = `${rowFilters?.size ?? 0} row filters, ${columnMasks?.size ?? 0} masks`;
  const visible = new Set(visibleTables(policy, catalog).map(({ id }) => id));
  const refused = catalog.tables.flatMap(({ id }) => (visible.has(id) ? [] : [id]));
  if (refused.length === 0) return [{ name: 'access policy', status: 'ok', detail: counts }];
  const shown = refused.slice(0, MOST_REFUSED_SHOWN).join(', ');
  const more = refused.length > MOST_REFUSED_SHOWN ? ` and ${refused.length - MOST_REFUSED_SHOWN} more` : '';
  const detail = `${counts}; refused, since they may show rows of other tables: ${shown}${more}`;
  const next =
    'Where their rows may be read, give their datasets `trusted_view: true`, and filters of their own.';
  return [{ name: 'access policy', status: 'ok', detail, next }];
}

/** Each pair is planned by the engine, as it stands today. */
export function checkExamples(
  config: Config,
  catalog: Catalog | undefined,
  database: Database,
): Promise<Finding> {
  return attempt('examples', async () => {
    const pairs = await readExamples(config.examplesDirectory);
    const count = `${pairs.length} verified pairs`;
    if (catalog === undefined) return `${count}; not planned, since the database has no fresh catalog`;
    const reader = guarded(database, {
      kind: 'caller-queries',
      catalog,
      properties: config.sessionProperties,
      allowedCode: config.allowedCode,
    });
    const problems: string[] = [];
    for (const { file, sql } of pairs) {
      const error = await reader.explain(sql).then(
        () => undefined,
        (caught: unknown) => caught,
      );
      if (error instanceof CandorError) problems.push(`${file}: ${error.message}`);
      else if (error !== undefined) throw error;
    }
    if (problems.length > 0) throw new CandorError('examples.invalid', problems.join('\n'));
    return pairs.length === 0 ? count : `${count}, all of them can be planned`;
  });
}

/** What `candor doctor` finds, one line each. */
interface Finding {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'problem' | 'skipped';
  readonly detail: string;
  /** What to do about a problem or a warning. */
  readonly next?: string;
}

async function attempt(name: string, check: () => Promise<string>): Promise<Finding> {
  try {
    return { name, status: 'ok', detail: await check() };
  } catch (error) {
    return findingOf(name, error);
  }
}

/** A known failure is a finding; anything else is a bug and goes on upwards. */
function findingOf(name: string, error: unknown): Finding {
  if (!(error instanceof CandorError)) throw error;
  return { name, status: 'problem', detail: `${error.code}: ${error.message}`, next: error.next };
}

function findingLine({ name, status, detail, next }: Finding, style: Style): string {
  const sign = {
    ok: style.green('ok     '),
    warning: style.yellow('warning'),
    problem: style.red('problem'),
    skipped: style.dim('skipped'),
  }[status];
  const lines = detail
    .split('\n')
    .map(escapeControl)
    .join(`\n${' '.repeat(25)}`);
  return `${sign}  ${name.padEnd(14)}  ${lines}${next === undefined ? '' : `\n${' '.repeat(25)}→ ${next}`}`;
}
