import { resolve } from 'node:path';
import type { Command } from 'commander';
import { questionFile } from '../../../lab/corpus/index.ts';
import { renderReadings, runReadingsSuite, summariseReadings } from '../../../lab/suites/readings/index.ts';
import { type CommandContext, runCommand } from '../../context/command-context.ts';
import { addRunOptions, type EvalRunOptions, modeOption, runAndPrint } from './eval-options.ts';

/** `candor eval readings`: what comes of questions whose words leave several readings open. */
export function addEvalReadingsCommand(parent: Command, context: CommandContext): void {
  const command = parent
    .command('readings')
    .description(
      'Ask questions with several readings, and measure whether the one that was meant comes, can be chosen, or is asked about.',
    )
    .argument(
      '[file]',
      'JSON lines, one question with its readings each (default: 40 ambiguous and 20 clear ones)',
    );
  addRunOptions(command).addOption(modeOption());
  command
    .addHelpText(
      'after',
      `
Examples:
  candor eval readings                                       the built-in engine
  candor eval readings --model openai:gpt-4.1 --record out/replies
  candor eval readings questions.jsonl --model openai:gpt-4.1

Two bars are told: of wrong answers at least 80 % let the reading that was meant be chosen, and at most 5 % of the ambiguous
questions are asked back in a way that settles nothing. Clear questions count those that are asked back all the same.
Databases are read from the folder in CANDOR_DATA, else from ../shared/data beside the package; a file such as shop.sqlite lies beside [file].
With --output json the last line on stdout is {suite, cases, metrics, bars, seconds}.`,
    )
    .action((file: string | undefined, options: EvalRunOptions) =>
      runCommand(context, options.output, () =>
        runAndPrint(options, context.io, {
          stage: 'asking questions with readings',
          run: (settings) =>
            runReadingsSuite({
              ...settings,
              file: file === undefined ? questionFile('readings.jsonl') : resolve(context.io.cwd, file),
            }),
          summarise: summariseReadings,
          render: renderReadings,
        }),
      ),
    );
}
