import { join } from 'node:path';
import type { Command } from 'commander';
import type { Catalog } from '../../../catalog/index.ts';
import type { Config } from '../../../config/index.ts';
import { CandorError } from '../../../errors.ts';
import {
  findFormat,
  type Imported,
  INTERCHANGE_FORMATS,
  importKnowledge,
  readForeignFiles,
  type WrittenImport,
  writeImported,
} from '../../../knowledge/interchange/index.ts';
import { escapeControl } from '../../../lib/index.ts';
import { readKnown } from '../../../onboarding/index.ts';
import { type CommandContext, runCommand, styleFor } from '../../context/command-context.ts';
import {
  addOutputOptions,
  addProjectOptions,
  type OutputOptions,
  type ProjectOptions,
  readCommandConfig,
} from '../../context/options.ts';
import { counted, renderJson } from '../../render/index.ts';
import { renderLosses } from '../../render/render-losses.ts';
import type { Io } from '../../terminal/io.ts';

interface ImportOptions extends ProjectOptions, OutputOptions {
  readonly dryRun?: boolean;
  readonly replace?: boolean;
  readonly name?: string;
  readonly unchecked?: boolean;
}

/** `candor knowledge import`: reads another tool's files into semantics/, examples/ and knowledge/. */
export function addKnowledgeImportCommand(knowledge: Command, context: CommandContext): void {
  const command = knowledge
    .command('import')
    .description('Read the semantic model of another tool into semantics/, examples/ and knowledge/.')
    .argument('<format>', 'one of the formats below')
    .argument('<files...>', 'files, or folders with files of the format')
    .option('--dry-run', 'show what would be written, and what is lost, and write nothing')
    .option('--replace', 'write over files of the same names')
    .option('--name <name>', 'name of the written files (default: the name of the model)')
    .option('--unchecked', 'write although names do not fit the database; `candor doctor` lists them');
  addOutputOptions(addProjectOptions(command), ['table', 'json'])
    .addHelpText(
      'after',
      `
Formats:
${formatLines(() => true)}

Examples:
  candor knowledge import cortex sales.yaml --dry-run
  candor knowledge import cube model/ --name shop
  candor knowledge import lookml looker/ --replace

What has no place here stays in \`custom_extensions\` and comes back on export; the report says what that is. Names
are compared with the database of the last onboarding. All files are written or none.`,
    )
    .action((format: string, files: readonly string[], options: ImportOptions) =>
      runCommand(context, options.output, () => runImport(format, files, { ...options, io: context.io })),
    );
}

/** The formats for help, one a line. */
export function formatLines(isShown: (format: (typeof INTERCHANGE_FORMATS)[number]) => boolean): string {
  const shown = INTERCHANGE_FORMATS.filter(isShown);
  const width = Math.max(...shown.map(({ name }) => name.length));
  return shown.map(({ name, title }) => `  ${name.padEnd(width)}  ${title}`).join('\n');
}

async function runImport(
  name: string,
  paths: readonly string[],
  options: ImportOptions & { readonly io: Io },
): Promise<number> {
  const { io, dryRun = false } = options;
  const format = findFormat(name);
  const config = await readCommandConfig(io, options);
  const files = await readForeignFiles(format, paths, io.cwd);
  const imported = importKnowledge(format, files);
  const catalog = await readCatalog(config);
  if (catalog === undefined && !options.quiet)
    io.stderr.write('Names are not compared with a database: nothing is onboarded yet.\n');
  const folders = { ...config, stateDirectory: join(config.root, '.candor') };
  const written = await writeImported(folders, imported, {
    mode: options.replace ? 'replace' : 'add',
    dryRun,
    origin: `${format.title}: ${shownFiles(files.map(({ path }) => path))}`,
    signal: io.signal,
    ...(options.name === undefined ? {} : { name: options.name }),
    ...(catalog === undefined ? {} : { catalog }),
    ...(options.unchecked ? { unchecked: true } : {}),
  });
  if (options.output === 'json') {
    const shown = written.files.map(({ text, ...file }) => (dryRun ? { ...file, text } : file));
    io.stdout.write(renderJson({ ...written, files: shown, losses: imported.losses, dryRun }));
    return 0;
  }
  printTable(written, imported, options);
  return 0;
}

/** What the last onboarding knows; a database that was never read, or has changed since, has no say. One that cannot be reached is said. */
async function readCatalog(config: Config): Promise<Catalog | undefined> {
  try {
    return (await readKnown(config)).catalog;
  } catch (error) {
    if (error instanceof CandorError && error.code === 'catalog.stale') return undefined;
    throw error;
  }
}

function shownFiles(paths: readonly string[]): string {
  const rest = paths.length > 3 ? ` and ${paths.length - 3} more` : '';
  return paths.slice(0, 3).map(escapeControl).join(', ') + rest;
}

function printTable(
  { files, problems }: WrittenImport,
  { losses }: Imported,
  { io, dryRun = false, quiet = false }: ImportOptions & { readonly io: Io },
): void {
  const style = styleFor(io, io.stdout);
  for (const { path, action } of files)
    io.stdout.write(`${dryRun ? `would be ${action}` : action}  ${escapeControl(path)}\n`);
  io.stdout.write(renderLosses(losses, style));
  for (const problem of problems) io.stdout.write(`${escapeControl(problem)}\n`);
  if (!quiet && !dryRun) io.stderr.write(`\n${counted(files.length, 'file')}. Next: ${io.program} doctor\n`);
}
