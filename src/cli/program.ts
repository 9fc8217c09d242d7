import { Command } from 'commander';
import { VERSION } from '../version.ts';

import type { CommandContext } from './command-context.ts';
import { addAskCommand } from './commands/ask.ts';
import { addBenchCommand } from './commands/bench.ts';
import { addCatalogCommand } from './commands/catalog.ts';
import { addChatCommand } from './commands/chat.ts';
import { addDemoCommand } from './commands/demo.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addEvalCommand } from './commands/eval.ts';
import { addExplainCommand } from './commands/explain.ts';
import { addFixCommand } from './commands/fix.ts';
import { addInitCommand } from './commands/init.ts';
import { addJobsCommand } from './commands/jobs.ts';
import { addKnowledgeCommand } from './commands/knowledge.ts';
import { addLinkCommand } from './commands/link.ts';
import { addMcpCommand } from './commands/mcp.ts';
import { addOnboardCommand } from './commands/onboard.ts';
import { addProfileCommand } from './commands/profile.ts';
import { addProjectCommand } from './commands/project.ts';
import { addReplayCommand } from './commands/replay.ts';
import { addReviewCommand } from './commands/review.ts';
import { addRewardCommand } from './commands/reward.ts';
import { addSearchCommand } from './commands/search.ts';
import { addServeCommand } from './commands/serve.ts';
import { addSqlCommand } from './commands/sql.ts';
import { addTestCommand } from './commands/test.ts';
import { addTrainCommand } from './commands/train.ts';
import { addUsageCommand } from './commands/usage.ts';
import { addUsersCommand } from './commands/users.ts';
import { addWorkCommand } from './commands/work.ts';
import { EXIT_CODES } from './exit-codes.ts';

/** The whole command line as data: what `--help` prints and the reference is generated from. */
export function buildProgram(context: CommandContext): Command {
  const { io } = context;
  const program = new Command('candor')
    .description('Ask a database in plain words, and know when not to trust the answer.')
    .version(VERSION, '--version', 'print the version')
    .helpOption('--help', 'print help; after a command, the help of that command')
    .helpCommand(false)
    // An option behind a subcommand is the subcommand's, here and in `eval`: `eval link bird --limit 5`.
    .enablePositionalOptions()
    .configureHelp({ helpWidth: 100 })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
    })
    .showHelpAfterError('(add --help for examples)')
    .exitOverride()
    .addHelpText('after', overview());
  addDemoCommand(program, context);
  addInitCommand(program, context);
  addOnboardCommand(program, context);
  addAskCommand(program, context);
  addChatCommand(program, context);
  addExplainCommand(program, context);
  addSqlCommand(program, context);
  addServeCommand(program, context);
  addWorkCommand(program, context);
  addJobsCommand(program, context);
  addMcpCommand(program, context);
  addUsersCommand(program, context);
  addReviewCommand(program, context);
  addFixCommand(program, context);
  addCatalogCommand(program, context);
  addProfileCommand(program, context);
  addProjectCommand(program, context);
  addSearchCommand(program, context);
  addLinkCommand(program, context);
  addKnowledgeCommand(program, context);
  addUsageCommand(program, context);
  addTrainCommand(program, context);
  addReplayCommand(program, context);
  addDoctorCommand(program, context);
  addTestCommand(program, context);
  addEvalCommand(program, context);
  addBenchCommand(program, context);
  addRewardCommand(program, context);
  return program;
}

function overview(): string {
  return `
Start here:
  candor demo                                try it on a made-up car maker
  candor onboard sqlite:shop.db              read a database of yours (nothing in it is changed)
  candor ask "how many orders per month?"    ask it

Exit codes:
${EXIT_CODES.map(({ code, meaning }) => `  ${String(code).padStart(3)}  ${meaning}`).join('\n')}`;
}
