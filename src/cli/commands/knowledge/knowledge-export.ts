import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { CandorError } from '../../../errors.ts';
import { readExamples } from '../../../knowledge/authored/index.ts';
import {
  exportKnowledge,
  findFormat,
  isCompanion,
  readModelFiles,
} from '../../../knowledge/interchange/index.ts';
import { type CommandContext, runCommand, styleFor } from '../../context/command-context.ts';
import {
  addOutputOptions,
  addProjectOptions,
  type OutputOptions,
  type ProjectOptions,
  readCommandConfig,
} from '../../context/options.ts';
import { renderJson } from '../../render/index.ts';
import { renderLosses } from '../../render/render-losses.ts';
import type { Io } from '../../terminal/io.ts';
import { formatLines } from './knowledge-import.ts';

interface ExportOptions extends ProjectOptions, OutputOptions {
  readonly to?: string;
  readonly replace?: boolean;
}

/** `candor knowledge export`: writes semantics/ and examples/ in the format of another tool. */
export function addKnowledgeExportCommand(knowledge: Command, context: CommandContext): void {
  const command = knowledge
    .command('export')
    .description('Write semantics/ and examples/ in the format of another tool.')
    .argument('<format>', 'one of the formats below')
    .option('--to <folder>', 'folder to write to (default: stdout, where the format has one file)')
    .option('--replace', 'write over files that are in the folder already');
  addOutputOptions(addProjectOptions(command), ['table', 'json'])
    .addHelpText(
      'after',
      `
Formats:
${formatLines((format) => format.export !== undefined)}

Examples:
  candor knowledge export osi > shop.yml
  candor knowledge export cube --to cube/model

What the format has no place for goes into a companion file \`*.candor.yml\` beside the others; an import of the folder
puts it back. On stdout there is no companion: the report on stderr says what is left out.`,
    )
    .action((format: string, options: ExportOptions) =>
      runCommand(context, options.output, () => runExport(format, options, context.io)),
    );
}

async function runExport(name: string, options: ExportOptions, io: Io): Promise<number> {
  const format = findFormat(name);
  const config = await readCommandConfig(io, options);
  const models = await readModelFiles(config.semanticsDirectory);
  const examples = await readExamples(config.examplesDirectory);
  const { files, losses } = exportKnowledge(format, { models, examples });
  if (options.to === undefined) {
    const own = files.filter(({ path }) => !isCompanion(path));
    const [file, second] = own;
    if (options.output === 'json') {
      io.stdout.write(renderJson({ files, losses }));
      return 0;
    }
    if (file === undefined || second !== undefined)
      throw new CandorError(
        'interchange.would-overwrite',
        `${format.title} takes ${own.length} files; name a folder with --to.`,
      );
    io.stdout.write(file.text);
  } else {
    const folder = resolve(io.cwd, options.to);
    await writeFiles(folder, files, options.replace ?? false);
    if (options.output === 'json')
      io.stdout.write(renderJson({ files: files.map(({ path }) => path), losses }));
    else for (const { path } of files) io.stdout.write(`${path}\n`);
  }
  if (!options.quiet && options.output !== 'json')
    io.stderr.write(renderLosses(losses, styleFor(io, io.stderr)));
  return 0;
}

/** Refuses before the first file is written; each file is written whole. */
async function writeFiles(
  folder: string,
  files: readonly { readonly path: string; readonly text: string }[],
  mayReplace: boolean,
): Promise<void> {
  for (const { path, text } of files) {
    const before = await readFile(join(folder, path), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (before !== undefined && before !== text && !mayReplace)
      throw new CandorError('interchange.would-overwrite', `There is another ${path} in ${folder} already.`);
  }
  for (const { path, text } of files) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(`${file}.tmp`, text);
    await rename(`${file}.tmp`, file);
  }
}
