import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { NEW_TALK } from '../../agent/index.ts';
import { CandorError } from '../../errors.ts';
import { ANSWER_MODE_NAMES } from '../../generation/index.ts';
import { type CommandContext, runCommand } from '../command-context.ts';
import type { Io } from '../io.ts';
import {
  addModelOptions,
  addOutputOptions,
  addProjectOptions,
  addPropertyOption,
  noonOf,
  parseDay,
  parseShare,
  readCommandConfig,
} from '../options.ts';
import { readTalk } from '../talk-file.ts';
import { withSession } from '../with-session.ts';
import { ChatLoop } from './chat-loop.ts';
import type { ChatOptions } from './chat-options.ts';

/** `candor chat`: a conversation, a line a turn; what is asked goes on from what was asked. */
export function addChatCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('chat')
    .description('Talk about a database: ask, follow up, find tables, have queries explained and mended.')
    .argument('[turns...]', 'what to say, one turn each; without any, lines of standard input')
    .option('--guided', 'show the tables of a question to choose from before its query is written')
    .option('--talk <file>', 'go on with the talk in this file, and keep it there; made where there is none')
    .option(
      '--hint <text>',
      'what the questions do not say themselves: definitions, formulas, meanings of codes',
    )
    .addOption(
      new Option('--mode <mode>', 'with a model: how much it may spend on a query').choices([
        ...ANSWER_MODE_NAMES,
      ]),
    )
    .option(
      '--target-risk <share>',
      'share of answers that may be wrong (default: targetRisk of candor.yml)',
      parseShare,
    )
    .option('--today <day>', 'the day that "today" and "this year" refer to, YYYY-MM-DD', parseDay);
  addModelOptions(command);
  addPropertyOption(command);
  addOutputOptions(addProjectOptions(command), ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor chat                                              at a terminal: a line is a turn, :quit ends it
  candor chat "how many orders per city?" "only 2024" "explain this query"
  candor chat --guided "revenue by region" ok              first its tables, then the query over the ticked ones
  candor chat "which tables hold revenue?" "fix: SELECT nmae FROM customers"
  candor chat --talk monday.json "and by month?"           goes on where the talk in the file ended
  candor chat --output json < turns.txt                    one reply a line, for scripts

Lines that begin with a colon: :guided on, :guided off, :new (forget what was said), :help, :quit. A line that ends with \\
goes on in the next one. A turn that fails is told on stderr and the talk goes on; the exit code is that of the first failure.`,
    )
    .action((turns: readonly string[], options: ChatOptions) =>
      runCommand(context, options.output, () => runChat(turns, options, context.io)),
    );
}

async function runChat(turns: readonly string[], options: ChatOptions, io: Io): Promise<number> {
  const lines = turns.length > 0 ? turns : io.readLines?.('> ');
  if (lines === undefined)
    throw new CandorError(
      'question.empty',
      'There is nothing to say: give turns, or lines on standard input.',
    );
  const config = await readCommandConfig(io, options, options.property);
  if (config.model === undefined && options.mode !== undefined)
    throw new CandorError(
      'model.none',
      'There is no model to choose a mode for: the built-in engine answers.',
    );
  const file = options.talk === undefined ? undefined : resolve(io.cwd, options.talk);
  const talk = file === undefined ? NEW_TALK : await readTalk(file);
  return withSession(config, io, options.quiet === true, (session) =>
    new ChatLoop(
      session,
      { io, options, file, now: options.today === undefined ? undefined : noonOf(options.today) },
      talk,
    ).run(lines),
  );
}
