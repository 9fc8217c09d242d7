import { randomBytes, randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import type { Config } from '../../config/index.ts';
import { openProject } from '../../open-project.ts';
import { pathOfWorkspace, startServer, type Workspace } from '../../server/index.ts';
import type { Session } from '../../session.ts';
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
  readonly publicUrl: readonly string[];
  readonly signIn?: boolean;
  readonly property: SessionProperties;
}

const DEFAULT_PORT = 8713;

/** `candor serve`: questions and conversations over HTTP. */
export function addServeCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('serve')
    .description('Serve the web chat, questions and conversations over HTTP.')
    .option(
      '--host <name>',
      'where to listen; other than this machine needs --public-url and users',
      '127.0.0.1',
    )
    .option('--public-url <url>', 'what people open from elsewhere; may be given again', collectUrl, [])
    .option('--sign-in', 'whoever asks must be signed in, on this machine as well')
    .option('--port <n>', '0 for any that is free', parsePort, DEFAULT_PORT);
  addModelOptions(command);
  addPropertyOption(command);
  addOutputOptions(addProjectOptions(command), ['table', 'json'])
    .addHelpText(
      'after',
      `
Examples:
  candor serve                                    open the printed address in a browser
  candor serve --database sqlite:shop.db --port 9000
  candor serve --port 0 --output json --quiet     prints {"url": …} once it answers

  curl -s localhost:8713/v1/ask -H 'content-type: application/json' -d '{"question": "how many orders in 2024?"}'

  candor users add ann --admin                    then, for people elsewhere, behind a proxy that speaks HTTPS:
  candor serve --public-url https://candor.example

Other projects named under server.workspaces in candor.yml are served as well, each at /w/NAME/, to the same people.

/openapi.json describes every route. Conversations and feedback are kept in .candor/server.db, rows of results are not. Ctrl-C
cancels what is in work and ends the server. docs/guides/http-api.md has the events of a conversation.`,
    )
    .action((options: ServeOptions) =>
      runCommand(context, options.output, () => runServe(options, context.io)),
    );
}

async function runServe(options: ServeOptions, io: Io): Promise<number> {
  const config = await readCommandConfig(io, options, options.property);
  const isQuiet = options.quiet === true;
  return withWorkspaces(config, { io, options, isQuiet }, async (session, workspaces) => {
    const server = await startServer(session, {
      ...{ host: options.host, port: options.port, publicUrls: options.publicUrl, workspaces },
      needsSignIn: options.signIn === true,
      reopen: async () => openProject(await readCommandConfig(io, options, options.property)),
      newId: randomUUID,
      newSecret: () => randomBytes(32).toString('base64url'),
      onBug: (requestId, error) =>
        io.stderr.write(`request ${requestId}: ${escapeControl(error.stack ?? error.message)}\n`),
    });
    try {
      io.stdout.write(whereServed(server.url, workspaces, options.output));
      if (!isQuiet) io.stderr.write('serving; Ctrl-C ends it\n');
      await untilAborted(io.signal);
    } finally {
      await server.close();
    }
    return 0;
  });
}

interface Opening {
  readonly io: Io;
  readonly options: ServeOptions;
  readonly isQuiet: boolean;
}

/** Opens the project and the others it names, one after the other, and closes them whatever happens. */
function withWorkspaces<T>(
  config: Config,
  { io, options, isQuiet }: Opening,
  use: (session: Session, workspaces: readonly Workspace[]) => Promise<T>,
): Promise<T> {
  const { database: _, ...shared } = options;
  const openRest = async (
    [next, ...rest]: readonly (readonly [string, string])[],
    session: Session,
    opened: readonly Workspace[],
  ): Promise<T> => {
    if (next === undefined) return use(session, opened);
    const [name, folder] = next;
    const read = () => readCommandConfig(io, { ...shared, project: folder }, options.property);
    return withSession(await read(), io, isQuiet, (another) => {
      const workspace = { name, session: another, reopen: async () => openProject(await read()) };
      return openRest(rest, session, [...opened, workspace]);
    });
  };
  return withSession(config, io, isQuiet, (session) =>
    openRest(Object.entries(config.server.workspaces), session, []),
  );
}

/** An address for people, or all of them for a program. */
function whereServed(url: string, workspaces: readonly Workspace[], output: ServeOptions['output']): string {
  const others = workspaces.map(({ name }) => [name, `${url}${pathOfWorkspace(name)}`] as const);
  if (output === 'json')
    return renderJson({ url, ...(others.length > 0 && { workspaces: Object.fromEntries(others) }) }, 0);
  return [url, ...others.map(([, other]) => other)].map((line) => `${line}\n`).join('');
}

function collectUrl(value: string, before: readonly string[]): readonly string[] {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
    throw new InvalidArgumentError('Name it as https://candor.example.');
  return [...before, value];
}
