import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { clientConfig, MCP_CLIENTS, type McpClient, serveMcpStdio, startServer } from '../../server/index.ts';
import type { SessionProperties } from '../../sql/index.ts';
import { type CommandContext, runCommand } from '../command-context.ts';
import type { Io } from '../io.ts';
import {
  addModelOptions,
  addProjectOptions,
  addPropertyOption,
  type ModelOptions,
  type ProjectOptions,
  parsePort,
  readCommandConfig,
} from '../options.ts';
import { escapeControl, renderJson } from '../render/index.ts';
import { untilAborted } from '../until-aborted.ts';
import { withSession } from '../with-session.ts';

interface McpOptions extends ProjectOptions, ModelOptions {
  readonly http?: boolean;
  readonly port: number;
  readonly printConfig?: McpClient;
  readonly property: SessionProperties;
}

const DEFAULT_PORT = 8714;

/** `candor mcp`: the tools for agents that speak the Model Context Protocol. */
export function addMcpCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('mcp')
    .description('Serve questions to agents as tools of the Model Context Protocol.')
    .option('--http', 'over HTTP at /mcp instead of standard input and output')
    .option('--port <n>', 'with --http; 0 for any that is free', parsePort, DEFAULT_PORT)
    .addOption(
      new Option('--print-config <client>', 'print the settings to paste into a client, and end').choices(
        MCP_CLIENTS,
      ),
    );
  addModelOptions(addProjectOptions(command));
  addPropertyOption(command)
    .addHelpText(
      'after',
      `
Examples:
  candor mcp --print-config claude      settings for Claude Desktop and Claude Code; cursor, vscode, generic
  candor mcp --project shop             what those settings start: the protocol on standard input and output
  candor mcp --http                     http://127.0.0.1:8714/mcp; candor serve has /mcp too

Tools: ask, link_schema, search_catalog, review_sql, run_sql, explain_answer. All of them only read. A question back is put to
the person where the client can show it, and comes as a result with options where it cannot.`,
    )
    .action((options: McpOptions) => runCommand(context, 'table', () => runMcp(options, context.io)));
}

async function runMcp(options: McpOptions, io: Io): Promise<number> {
  if (options.printConfig !== undefined) {
    io.stdout.write(renderJson(clientConfig(options.printConfig, commandOf(options, io))));
    return 0;
  }
  const config = await readCommandConfig(io, options, options.property);
  const onBug = (requestId: string, error: Error): void =>
    io.stderr.write(`request ${requestId}: ${escapeControl(error.stack ?? error.message)}\n`);
  // Agents start it by themselves: progress would fill their logs.
  return withSession(config, io, true, async (session) => {
    const shared = { newId: randomUUID, onBug };
    if (options.http !== true && io.streams !== undefined) {
      await serveMcpStdio({ session, ...shared }, io.streams, io.signal);
      return 0;
    }
    const server = await startServer(session, { host: '127.0.0.1', port: options.port, ...shared });
    try {
      io.stdout.write(`${server.url}/mcp\n`);
      await untilAborted(io.signal);
    } finally {
      await server.close();
    }
    return 0;
  });
}

/** How this very project is served, from any folder. */
function commandOf({ project, database, model }: McpOptions, { cwd, program }: Io): readonly string[] {
  return [
    ...program.split(' '),
    ...['mcp', '--project', resolve(cwd, project ?? '.')],
    ...(database === undefined ? [] : ['--database', database]),
    ...(model === undefined ? [] : ['--model', model]),
  ];
}
