import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Command, Option } from 'commander';
import type { Config } from '../../../config/index.ts';
import { redactUrl } from '../../../database/http/index.ts';
import { escapeControl, untilAborted } from '../../../lib/index.ts';
import { serveMcpStdio, startServer } from '../../../server/index.ts';
import type { Session } from '../../../session/index.ts';
import type { SessionProperties } from '../../../sql/rewrite/index.ts';
import { type CommandContext, runCommand } from '../../context/command-context.ts';
import {
  addModelOptions,
  addProjectOptions,
  addPropertyOption,
  type ModelOptions,
  type ProjectOptions,
  parsePort,
  readCommandConfig,
} from '../../context/options.ts';
import { withSession } from '../../context/with-session.ts';
import { renderJson } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';
import { MCP_CLIENTS, MCP_CONFIG_PLACES, type McpClient, mcpClientConfig } from './mcp-client-config.ts';

export interface McpOptions extends ProjectOptions, ModelOptions {
  readonly http?: boolean;
  readonly port: number;
  readonly printConfig?: McpClient;
  readonly quiet?: boolean;
  readonly property: SessionProperties;
}

export const DEFAULT_PORT = 8714;
export const HOST = '127.0.0.1';

/** `candor mcp`: the tools of Candor for agents, over the Model Context Protocol. */
export function defineMcpCommand(command: Command, context: CommandContext): void {
  command
    .option('--http', 'streamable HTTP on this machine, at /mcp, in place of standard input and output')
    .option('--port <n>', 'with --http: 0 for any that is free', parsePort, DEFAULT_PORT)
    .addOption(
      new Option('--print-config <client>', 'print what to paste into a client, and end').choices([
        ...MCP_CLIENTS,
      ]),
    )
    .option('--quiet', 'no progress and no notices on stderr; errors are still printed');
  addModelOptions(command);
  addPropertyOption(command);
  addProjectOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  candor mcp --print-config claude           JSON for .mcp.json, with absolute paths
  candor mcp --print-config cursor > .cursor/mcp.json
  candor mcp --http --port 8714              http://127.0.0.1:8714/mcp, for several clients at once
  candor mcp --project ~/shop                what a client starts: stdout carries the protocol alone

Tools: ask, link_schema, search_catalog, review_sql, run_sql, explain_answer. All of them only read. A question back goes to
the person through the client where it can show a form, and to the model as a typed result where it cannot.
candor serve has /mcp too. docs/guides/mcp.md tells what each tool replies.`,
    )
    .action((options: McpOptions) => runCommand(context, undefined, () => runMcp(options, context.io)));
}

export async function runMcp(options: McpOptions, io: Io): Promise<number> {
  if (options.printConfig !== undefined) return printConfig(options.printConfig, options, io);
  const config = await readCommandConfig(io, options, options.property);
  return withSession(config, io, options.quiet === true, async (session) => {
    await (options.http === true ? serveHttp(session, options, io) : serveStreams(session, options, io));
    return 0;
  });
}

export const onBugOf =
  (io: Io) =>
  (requestId: string, error: Error): void =>
    io.stderr.write(`request ${requestId}: ${escapeControl(error.stack ?? error.message)}\n`);

export async function serveStreams(session: Session, { quiet }: McpOptions, io: Io): Promise<void> {
  if (quiet !== true) io.stderr.write('MCP on standard input and output; it ends with its client\n');
  await serveMcpStdio({ session, newId: randomUUID, onBug: onBugOf(io) }, io.signal);
}

export async function serveHttp(session: Session, { port, quiet }: McpOptions, io: Io): Promise<void> {
  const server = await startServer(session, { host: HOST, port, newId: randomUUID, onBug: onBugOf(io) });
  try {
    io.stdout.write(`${server.url}/mcp\n`);
    if (quiet !== true) io.stderr.write('serving; Ctrl-C ends it\n');
    await untilAborted(io.signal);
  } finally {
    await server.close();
  }
}

/** Needs the project and nothing of its database. */
export async function printConfig(client: McpClient, options: McpOptions, io: Io): Promise<number> {
  const { database, ...project } = options;
  const { root } = await readCommandConfig(io, project, options.property);
  const config = await readCommandConfig(io, options, options.property);
  const reach =
    options.http === true
      ? { url: `http://${HOST}:${options.port}/mcp` }
      : ownCommand(['mcp', '--quiet', '--project', root, ...namedFlags(options, config)]);
  io.stdout.write(renderJson(mcpClientConfig(client, 'candor', reach)));
  if (options.quiet !== true) io.stderr.write(`Paste it into ${MCP_CONFIG_PLACES[client]}.\n`);
  return 0;
}

/** What was named on this command line, so that the client starts the same; a password is left to the environment. */
export function namedFlags(
  { database, model, private: isPrivate, property }: McpOptions,
  { databaseUrl }: Config,
): string[] {
  const isFile = /^(?:sqlite|duckdb):/.test(databaseUrl);
  const isName = database !== undefined && /^[\w-]+$/.test(database);
  return [
    ...(database === undefined ? [] : ['--database', isFile && !isName ? databaseUrl : redactUrl(database)]),
    ...(model === undefined ? [] : ['--model', model]),
    ...(isPrivate === true ? ['--private'] : []),
    ...Object.entries(property).flatMap(([name, value]) => ['--property', `${name}=${value}`]),
  ];
}

/** This program as another one starts it from any folder: absolute paths, no shell. */
function ownCommand(args: readonly string[]): {
  readonly command: string;
  readonly args: readonly string[];
} {
  const isSource = import.meta.url.endsWith('.ts');
  const main = fileURLToPath(new URL(isSource ? '../../main.ts' : '../../main.js', import.meta.url));
  const loader = isSource ? ['--import', `file://${createRequire(import.meta.url).resolve('tsx')}`] : [];
  return { command: process.execPath, args: [...loader, main, ...args] };
}
