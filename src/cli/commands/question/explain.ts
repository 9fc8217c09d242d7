import type { Command } from 'commander';
import { type ExplainedQuestion, explainQuestion } from '../../../answering/index.ts';
import { type CommandContext, runCommand, styleFor } from '../../context/command-context.ts';
import {
  addOutputOptions,
  addProjectOptions,
  collectText,
  noonOf,
  type OutputOptions,
  type ProjectOptions,
  parseDay,
  readCommandConfig,
} from '../../context/options.ts';
import { withSession } from '../../context/with-session.ts';
import { renderExplained, renderJson } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';
import { OUTCOME_EXIT } from '../../terminal/io.ts';

interface ExplainOptions extends ProjectOptions, OutputOptions {
  readonly hint?: string;
  readonly after: readonly string[];
  readonly today?: string;
}

/** `candor explain`: which words name what, the readings with their rules, and what was not understood. */
export function defineExplainCommand(command: Command, context: CommandContext): void {
  command
    .argument('<question...>', 'the question; quote it where your shell gives a sign a meaning of its own')
    .option(
      '--hint <text>',
      'what the question does not say itself: definitions, formulas, meanings of codes',
    )
    .option(
      '--after <question>',
      'an earlier question that this one goes on from; may be given again',
      collectText,
      [],
    )
    .option('--today <day>', 'the day that "today" and "this year" refer to, YYYY-MM-DD', parseDay);
  addOutputOptions(addProjectOptions(command), ['table', 'json']);
  command
    .addHelpText(
      'after',
      `
Examples:
  candor explain "orders per city in 2024"
  candor explain --database sqlite:shop.db "top 5 customers by number of orders"
  candor explain --output json "orders without a customer"

Reads with the built-in engine; nothing is run, and no language model is asked. A word marked "not understood" is a name
that the database does not have: candor search looks for what it may mean, candor knowledge add teaches it.
The exit code is that of the outcome so far, see candor --help: checks of the SQL and a target risk may still withhold an
answer.`,
    )
    .action((words: string[], options: ExplainOptions) =>
      runCommand(context, options.output, () => runExplain(words.join(' '), options, context.io)),
    );
}

async function runExplain(text: string, options: ExplainOptions, io: Io): Promise<number> {
  const config = await readCommandConfig(io, options);
  return withSession(config, io, options.quiet === true, async (session) => {
    const now = options.today === undefined ? session.clock() : noonOf(options.today);
    const explained = explainQuestion(text, session, { now, hint: options.hint, after: options.after });
    if (options.output === 'json') io.stdout.write(renderJson(explained));
    else {
      const { columns: width } = io.stdout;
      const style = styleFor(io, io.stdout);
      io.stdout.write(
        renderExplained(explained, {
          ...{ style, dialect: session.catalog.dialect },
          ...(width !== undefined && { width }),
        }),
      );
    }
    return exitOf(explained);
  });
}

function exitOf({ decision }: ExplainedQuestion): number {
  return OUTCOME_EXIT[decision.kind === 'sql' ? 'answered' : decision.kind];
}
