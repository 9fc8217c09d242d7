import type { Command } from 'commander';
import { startRewardServer } from '../../lab/index.ts';
import { type CommandContext, runCommand } from '../command-context.ts';
import type { Io } from '../io.ts';
import { parsePort } from '../options.ts';
import { renderJson } from '../render/index.ts';
import { untilAborted } from '../until-aborted.ts';
import { addScorerOptions, type ScorerOptions, withScorer } from '../with-scorer.ts';

interface ServeOptions extends ScorerOptions {
  readonly host: string;
  readonly port: number;
}

const DEFAULT_PORT = 8712;

/** `candor reward serve`: the reward over HTTP. */
export function addRewardServeCommand(reward: Command, context: CommandContext): void {
  const command = reward
    .command('serve')
    .description('Serve the reward to trainers on this machine: POST /v1/score, GET /healthz.')
    .option('--host <name>', '127.0.0.1, ::1 or localhost', '127.0.0.1')
    .option('--port <n>', '0 for any that is free', parsePort, DEFAULT_PORT);
  addScorerOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  candor reward serve --database sqlite:shop.db
  candor reward serve --port 0 --output json --embedding hashed

The address is printed on stdout once it answers. Ctrl-C ends what is in work, at most 10 seconds long, and then the server.
docs/guides/reward.md has the contract.`,
    )
    .action((options: ServeOptions) => runCommand(context, options.output, () => serve(options, context.io)));
}

async function serve(options: ServeOptions, io: Io): Promise<number> {
  return withScorer(options, io, async (scorer) => {
    const { host, port, concurrency } = options;
    const server = await startRewardServer({ scorer, host, port, concurrency });
    try {
      io.stdout.write(options.output === 'json' ? renderJson({ url: server.url }, 0) : `${server.url}\n`);
      if (options.quiet !== true) io.stderr.write('serving the reward; Ctrl-C ends it\n');
      await untilAborted(io.signal);
    } finally {
      await server.close();
    }
    return 0;
  });
}
