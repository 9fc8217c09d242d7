import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { startServer } from '../../server/index.ts';
import type { SessionProperties } from '../../sql/index.ts';
import { type CommandContext, runCommand } from '../command-context.ts';
import type { Io } from '../io.ts';
import {
  addModelOptions,
  addOutputOptions,
  addProjectOptions,
  addPropertyOption,
  type ModelOptions,
  type OutputOptions,
  type ProjectOptions,
  parsePort,
  readCommandConfig,
} from '../options.ts';
import { escapeControl, renderJson } from '../render/index.ts';
import { untilAborted } from '../until-aborted.ts';
import { withSession } from '../with-session.ts';

interface ServeOptions extends ProjectOptions, OutputOptions, ModelOptions {
  readonly host: string;
  readonly port: number;
  readonly property: SessionProperties;
}

const DEFAULT_PORT = 8713;

/** `candor serve`: questions and conversations over HTTP. */
export function addServeCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('serve')
    .description('Serve questions and conversations over HTTP to programs on this machine.')
    .option('--host <name>', '127.0.0.1, ::1 or localhost', '127.0.0.1')
    .option('--port <n>', '0 for any that is free', parsePort, DEFAULT_PORT);
  addModelOptions(command);
  addPropertyOption(command);
  addOutputOptions(addProjectOptions(command), ['table', 'json'])
    .addHelpText(
      'after',
      `
Examples:
  candor serve
  candor serve --database sqlite:shop.db --port 9000
  candor serve --port 0 --output json --quiet     prints {"url": …} once it answers

  curl -s localhost:8713/v1/ask -H 'content-type: application/json' -d '{"question": "how many orders in 2024?"}'

/openapi.json describes every route. Conversations and feedback are kept in .candor/server.db, rows of results are not. Ctrl-C
cancels what is in work and ends the server. docs/guides/http-api.md has the events of a conversation.`,
    )
    .action((options: ServeOptions) =>
      runCommand(context, options.output, () => runServe(options, context.io)),
    );
}

async function runServe(options: ServeOptions, io: Io): Promise<number> {
  const config = await readCommandConfig(io, options, options.property);
  return withSession(config, io, options.quiet === true, async (session) => {
    const server = await startServer(session, {
      ...{ host: options.host, port: options.port, newId: randomUUID },
      onBug: (requestId, error) =>
        io.stderr.write(`request ${requestId}: ${escapeControl(error.stack ?? error.message)}\n`),
    });
    try {
      io.stdout.write(options.output === 'json' ? renderJson({ url: server.url }, 0) : `${server.url}\n`);
      if (options.quiet !== true) io.stderr.write('serving; Ctrl-C ends it\n');
      await untilAborted(io.signal);
    } finally {
      await server.close();
    }
    return 0;
  });
}
