import { resolve } from 'node:path';
import type { Command } from 'commander';
import { questionFile } from '../../../lab/corpus/index.ts';
import {
  renderConversations,
  runConversations,
  summariseConversations,
} from '../../../lab/suites/conversation/index.ts';
import { type CommandContext, runCommand } from '../../context/command-context.ts';
import { addRunOptions, type EvalRunOptions, modeOption, runAndPrint } from './eval-options.ts';

/** `candor eval conversation`: whether each turn of a talk is served by the right agent, with the right reply. */
export function addEvalConversationCommand(parent: Command, context: CommandContext): void {
  const command = parent
    .command('conversation')
    .description(
      'Hold conversations turn by turn, and measure right agents, right replies, and whether what was taught is used.',
    )
    .argument('[file]', 'JSON lines, one conversation each (default: 64 conversations, 234 turns)');
  addRunOptions(command).addOption(modeOption());
  command
    .addHelpText(
      'after',
      `
Examples:
  candor eval conversation                                     the built-in engine
  candor eval conversation --model openai:gpt-4.1 --record out/replies
  candor eval conversation talks.jsonl --model openai:gpt-4.1  conversations of your own

Each conversation is held by itself, with its own notes and records: what one teaches, no other knows. Replies that neither rows nor texts can judge
are counted as "to read" and stand in the JSON lines file.
Databases are read from the folder in CANDOR_DATA, else from ../shared/data beside the package; a file such as shop.sqlite lies beside [file].
With --output json the last line on stdout is {suite, cases, turns, toRead, metrics, seconds}.`,
    )
    .action((file: string | undefined, options: EvalRunOptions) =>
      runCommand(context, options.output, () =>
        runAndPrint(options, context.io, {
          stage: 'holding conversations',
          run: (settings) =>
            runConversations({
              ...settings,
              file: file === undefined ? questionFile('conversation.jsonl') : resolve(context.io.cwd, file),
            }),
          summarise: summariseConversations,
          render: renderConversations,
        }),
      ),
    );
}
