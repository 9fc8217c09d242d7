import type { Command } from 'commander';
import type { Catalog } from '../../catalog/index.ts';
import type { Config } from '../../config/index.ts';
import { connect, type Database } from '../../database/index.ts';
import { CandorError } from '../../errors.ts';
import {
  checkSemanticModel,
  checkSemanticSql,
  readExamples,
  readSemanticModel,
} from '../../knowledge/index.ts';
import { readOnboarded } from '../../onboard.ts';
import { parse } from '../../sql/index.ts';
import { type CommandContext, runCommand, styleFor } from '../command-context.ts';
import { ERROR_EXIT } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import {
  addOutputOptions,
  addProjectOptions,
  type OutputOptions,
  type ProjectOptions,
  readCommandConfig,
} from '../options.ts';
import { escapeControl, renderJson, type Style } from '../render/index.ts';

interface DoctorOptions extends ProjectOptions, OutputOptions {}

interface Finding {
  readonly name: string;
  readonly status: 'ok' | 'problem' | 'skipped';
  readonly detail: string;
  /** What to do about a problem. */
  readonly next?: string;
}

const MIN_NODE = [20, 19] as const;

/** `candor doctor`: checks everything an answer needs and says what to do about what is wrong. */
export function addDoctorCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('doctor')
    .description('Check Node, the SQL parser, candor.yml, the database, its catalog and the semantic model.');
  addOutputOptions(addProjectOptions(command), ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor doctor
  candor doctor --database sqlite:shop.db
  candor doctor --output json

Exit code 0: all well; ${ERROR_EXIT.environment}: at least one problem. Nothing is changed.`,
    )
    .action((options: DoctorOptions) =>
      runCommand(context, options.output, () => runDoctor(options, context.io)),
    );
}

async function runDoctor(options: DoctorOptions, io: Io): Promise<number> {
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

function checkNode(version: string): Finding {
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

function checkParser(): Promise<Finding> {
  return attempt('parser', async () => {
    const parsed = parse('SELECT 1', 'sqlite');
    if (!parsed.ok) throw new CandorError('internal.bug', parsed.error.message);
    return 'loads and parses';
  });
}

async function checkProject(options: DoctorOptions, io: Io): Promise<Finding[]> {
  let config: Config;
  try {
    config = await readCommandConfig(io, options);
  } catch (error) {
    const problem = findingOf('project', error);
    const isAbsent = error instanceof CandorError && error.code === 'config.not-found' && !options.project;
    return [isAbsent ? { ...problem, status: 'skipped' } : problem];
  }
  const findings: Finding[] = [{ name: 'project', status: 'ok', detail: config.root }];
  let database: Database | undefined;
  findings.push(
    await attempt('database', async () => {
      database = await connect(config.databaseUrl);
      await database.query('SELECT 1', config.limits, io.signal);
      return `${database.dialect}, opens read-only: ${database.url}`;
    }),
  );
  if (database === undefined) return findings;
  try {
    const { catalog, finding } = await checkCatalog(config, database);
    findings.push(finding, await checkSemantics(config, catalog), await checkExamples(config));
  } finally {
    await database.close();
  }
  return findings;
}

async function checkCatalog(
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

async function checkSemantics(config: Config, catalog: Catalog | undefined): Promise<Finding> {
  return attempt('semantic model', async () => {
    const model = await readSemanticModel(config.semanticsDirectory);
    const counts = `${model.metrics.length} metrics, ${model.dimensions.length} dimensions`;
    if (catalog === undefined) return `${counts}; not compared with the database, which has no fresh catalog`;
    const problems = [...checkSemanticModel(model, catalog), ...checkSemanticSql(model, catalog.dialect)];
    if (problems.length > 0) throw new CandorError('semantics.invalid', problems.join('\n'));
    return counts;
  });
}

function checkExamples(config: Config): Promise<Finding> {
  return attempt(
    'examples',
    async () => `${(await readExamples(config.examplesDirectory)).length} verified pairs`,
  );
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
  const sign = { ok: style.green('ok     '), problem: style.red('problem'), skipped: style.dim('skipped') }[
    status
  ];
  const lines = detail
    .split('\n')
    .map(escapeControl)
    .join(`\n${' '.repeat(25)}`);
  return `${sign}  ${name.padEnd(14)}  ${lines}${next === undefined ? '' : `\n${' '.repeat(25)}→ ${next}`}`;
}
