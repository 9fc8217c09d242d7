import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { stringify } from 'yaml';
import {
  EXPORT_FORMATS,
  type ExportFormat,
  readBench,
  readInventory,
  toQuestion,
  toTrainingLine,
} from '../../lab/index.ts';
import { presentOf } from '../../session.ts';
import { writeWhole } from '../../store/index.ts';
import { type CommandContext, runCommand } from '../command-context.ts';
import type { Io } from '../io.ts';
import { addProjectOptions, type ProjectOptions, readCommandConfig } from '../options.ts';
import { withSession } from '../with-session.ts';

interface BenchExportOptions extends ProjectOptions {
  readonly format: ExportFormat;
  readonly out: string;
  readonly quiet?: boolean;
}

/** `candor bench export`: items as trainers or question files want them. */
export function addBenchExportCommand(bench: Command, context: CommandContext): void {
  const command = bench
    .command('export')
    .description('Write the items of a benchmark as training data, or as a question file.')
    .argument('<file>', 'what `candor bench build` wrote')
    .addOption(
      new Option('--format <format>', 'training: prompts with what to write; questions: YAML for tests/')
        .choices([...EXPORT_FORMATS])
        .default('training'),
    )
    .requiredOption('--out <file>', 'file to write; one that is there is replaced')
    .option('--quiet', 'no progress and no notices on stderr; errors are still printed');
  addProjectOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  candor bench export out/train.jsonl --out out/sft.jsonl
  candor bench export out/bench.jsonl --format questions --out tests/bench.yml

A prompt holds what is known of the metric and its tables, a few others beside it, rules, stored values and the question. Items
whose context differs from the project's own are left out of a question file: there another answer is due.`,
    )
    .action((file: string, options: BenchExportOptions) =>
      runCommand(context, undefined, () => runBenchExport(file, options, context.io)),
    );
}

async function runBenchExport(file: string, options: BenchExportOptions, io: Io): Promise<number> {
  const items = await readBench(resolve(io.cwd, file));
  const out = resolve(io.cwd, options.out);
  if (options.format === 'questions') {
    const questions = items.flatMap((item) => toQuestion(item) ?? []);
    await writeWhole(out, stringify(questions));
    io.stdout.write(`${questions.length} of ${items.length} items: ${out}\n`);
    return 0;
  }
  const config = await readCommandConfig(io, options);
  const lines = await withSession(config, io, options.quiet === true, async (session) => {
    const now = presentOf(config).toISOString().slice(0, 10);
    const inventory = await readInventory({ ...session, now });
    return items.map((item) => JSON.stringify(toTrainingLine(item, inventory)));
  });
  await writeWhole(out, `${lines.join('\n')}\n`);
  io.stdout.write(`${lines.length} items: ${out}\n`);
  return 0;
}
