import { resolve } from 'node:path';
import type { Command } from 'commander';
import { readTerminalEnvironment } from '../../../config/index.ts';
import { questionFile } from '../../../lab/corpus/index.ts';
import { renderBroken, runBroken, summariseBroken } from '../../../lab/suites/broken/index.ts';
import { type CommandContext, runCommand } from '../../context/command-context.ts';
import { addRunOptions, type EvalRunOptions, runAndPrint } from './eval-options.ts';

/** `candor eval broken`: whether queries that an engine refuses are mended as their writer would have them. */
export function addEvalBrokenCommand(parent: Command, context: CommandContext): void {
  const command = parent
    .command('broken')
    .description(
      'Mend broken queries of four engines, each with the message of its engine, and measure whether they then give the right rows.',
    )
    .argument(
      '[file]',
      'JSON lines, one query each (default: 60 over Northwind on SQLite, DuckDB, PostgreSQL, MariaDB)',
    );
  addRunOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  candor eval broken                                  rules alone
  candor eval broken --model openai:gpt-4.1           the model mends what rules cannot
  npx tsx scripts/eval-broken.ts --model openai:gpt-4.1

PostgreSQL and MariaDB need servers that databases may be made on: URLs in CANDOR_EVAL_POSTGRES and CANDOR_EVAL_MARIADB. Northwind is made there
anew, as candor_northwind; the queries of an engine without a server are left out, which is told. scripts/eval-broken.ts starts both servers for the run.
Northwind is read from the folder in CANDOR_DATA, else from ../shared/data beside the package.
With --output json the last line on stdout is {suite, cases, leftOut, metrics, seconds}.`,
    )
    .action((file: string | undefined, options: EvalRunOptions) => {
      const { evaluationServer: postgres, evaluationMariadb: mariadb } = readTerminalEnvironment(
        context.io.env,
      );
      return runCommand(context, options.output, () =>
        runAndPrint(options, context.io, {
          stage: 'mending queries',
          run: (settings) =>
            runBroken({
              ...settings,
              servers: { postgres, mariadb },
              file: file === undefined ? questionFile('broken.jsonl') : resolve(context.io.cwd, file),
            }),
          summarise: summariseBroken,
          render: renderBroken,
        }),
      );
    });
}
