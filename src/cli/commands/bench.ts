import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { addBenchBuildCommand } from './bench-build.ts';
import { addBenchExportCommand } from './bench-export.ts';
import { addBenchRefineCommand } from './bench-refine.ts';

/** `candor bench`: benchmarks and training data out of a database and its semantic model. */
export function addBenchCommand(program: Command, context: CommandContext): void {
  const bench = program
    .command('bench')
    .description('Make a benchmark, or training data, of a database and its semantic model.')
    .addHelpText(
      'after',
      '\nExamples:\n  candor bench build --out out/bench.jsonl\n  candor bench refine out/bench.jsonl --model openai:gpt-4.1 --out out/refined.jsonl\n  candor eval boundary out/bench.jsonl\n  candor bench export out/bench.jsonl --format training',
    );
  addBenchBuildCommand(bench, context);
  addBenchRefineCommand(bench, context);
  addBenchExportCommand(bench, context);
}
