import { randomBytes, randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import type { Config } from '../../../config/index.ts';
import { JobQueue, JobWorker } from '../../../jobs/index.ts';
import { escapeControl, untilAborted } from '../../../lib/index.ts';
import {
  openInstallation,
  pathOfWorkspace,
  type SharedInstallation,
  startServer,
  type Workspace,
} from '../../../server/index.ts';
import { openProject, type Session } from '../../../session/index.ts';
import type { SessionProperties } from '../../../sql/rewrite/index.ts';
import { type CommandContext, runCommand } from '../../context/command-context.ts';
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
} from '../../context/options.ts';
import { withSession } from '../../context/with-session.ts';
import { renderJson } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';
import { sharedWork } from './shared-work.ts';
import { projectsOf, workerName } from './work.ts';

interface ServeOptions extends ProjectOptions, OutputOptions, ModelOptions {
  readonly host: string;
  readonly port: number;
  readonly grace?: number;
  readonly publicUrl: readonly string[];
  readonly signIn?: boolean;
  readonly work?: boolean;
  readonly property: SessionProperties;
}

const DEFAULT_PORT = 8713;

/** `candor serve`: questions and conversations over HTTP. */
export function defineServeCommand(command: Command, context: CommandContext): void {
  command
    .option(
      '--host <name>',
      'where to listen; other than this machine needs --public-url and users',
      '127.0.0.1',
    )
    .option('--public-url <url>', 'what people open from elsewhere; may be given again', collectUrl, [])
    .option('--sign-in', 'whoever asks must be signed in, on this machine as well')
    .option('--work', 'also do background jobs, in place of a `candor work` beside it')
    .option('--port <n>', '0 for any that is free', parsePort, DEFAULT_PORT)
    .option(
      '--grace <seconds>',
      'how long runs in work may go on when the server is ended; 10 with server.state, else 0',
      parseSeconds,
    );
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

  candor serve --work                             a small installation: background jobs in the same process

Other projects named under server.workspaces in candor.yml are served as well, each at /w/NAME/, to the same people.

/openapi.json describes every route. Conversations and feedback are kept in .candor/server.db, rows of results are not. Ctrl-C
cancels what is in work and ends the server. With server.state in PostgreSQL several servers are one: docs/guides/shared.md. docs/guides/http-api.md has the events of a conversation.`,
    )
    .action((options: ServeOptions) =>
      runCommand(context, options.output, () => runServe(options, context.io)),
    );
}

async function runServe(options: ServeOptions, io: Io): Promise<number> {
  const config = await readCommandConfig(io, options, options.property);
  const isQuiet = options.quiet === true;
  const installation = await openInstallation(config);
  try {
    const opening = { io, options, isQuiet, installation };
    return await withWorkspaces(config, opening, async ([home, ...workspaces]) => {
      const { session, reopen, shared } = home;
      const server = await startServer(session, {
        ...{ host: options.host, port: options.port, publicUrls: options.publicUrl, workspaces },
        needsSignIn: options.signIn === true,
        ...(options.grace !== undefined && { runGraceMs: options.grace * 1_000 }),
        ...(installation !== undefined && { state: installation.state }),
        ...(reopen !== undefined && { reopen }),
        ...(shared !== undefined && { shared }),
        newId: randomUUID,
        newSecret: () => randomBytes(32).toString('base64url'),
        onBug: (requestId, error) =>
          io.stderr.write(`request ${requestId}: ${escapeControl(error.stack ?? error.message)}\n`),
      });
      try {
        io.stdout.write(whereServed(server.url, workspaces, options.output));
        if (!isQuiet) io.stderr.write('serving; Ctrl-C ends it\n');
        await (options.work === true ? work(config, opening) : untilAborted(io.signal));
      } finally {
        await server.close();
      }
      return 0;
    });
  } finally {
    await installation?.close();
  }
}

/** Does jobs in this process until it ends; all servers hear what one has changed, this one too. */
async function work(config: Config, { io, options, installation }: Opening): Promise<void> {
  const queue = await JobQueue.open(config.server.state);
  try {
    const worker = new JobWorker(queue, {
      name: workerName(),
      ...sharedWork(projectsOf(config, options, io), installation),
      onEvent: (event) => {
        if (event.kind !== 'trouble') return;
        const { code, message } = event.error;
        io.stderr.write(`${code}: ${escapeControl(message)}\n`);
      },
    });
    await worker.run(io.signal);
  } finally {
    await queue.close();
  }
}

interface Opening {
  readonly io: Io;
  readonly options: ServeOptions;
  readonly isQuiet: boolean;
  readonly installation: SharedInstallation | undefined;
}

type Opened = readonly [Workspace, ...Workspace[]];

/** Opens the project and the others it names, one after the other, and closes them whatever happens. */
function withWorkspaces<T>(
  config: Config,
  opening: Opening,
  use: (opened: Opened) => Promise<T>,
): Promise<T> {
  const { io, options } = opening;
  const { database: _, ...others } = options;
  const openRest = ([next, ...rest]: readonly (readonly [string, string])[], opened: Opened): Promise<T> => {
    if (next === undefined) return use(opened);
    const [name, folder] = next;
    const read = () => readCommandConfig(io, { ...others, project: folder }, options.property);
    return withWorkspace(name, read, opening, (another) => openRest(rest, [...opened, another]));
  };
  const read = () => readCommandConfig(io, options, options.property);
  return withWorkspace('', read, opening, (home) =>
    openRest(Object.entries(config.server.workspaces), [home]),
  );
}

/** Opens one: as it lies here or, where several servers have it in common, as it lies there. */
async function withWorkspace<T>(
  name: string,
  read: () => Promise<Config>,
  { io, isQuiet, installation }: Opening,
  use: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  const own = await read();
  const shared = await installation?.open(name, own, (config) =>
    withSession(config, io, isQuiet, async ({ base }) => void (await base.open())),
  );
  const placed = (config: Config): Config => shared?.placed(config) ?? config;
  const reopen = async (): Promise<Session> => openProject(placed(await read()));
  return withSession(placed(own), io, isQuiet, (session) =>
    use({ name, session, reopen, ...(shared && { shared }) }),
  );
}

/** An address for people, or all of them for a program. */
function whereServed(url: string, workspaces: readonly Workspace[], output: ServeOptions['output']): string {
  const others = workspaces.map(({ name }) => [name, `${url}${pathOfWorkspace(name)}`] as const);
  if (output === 'json')
    return renderJson({ url, ...(others.length > 0 && { workspaces: Object.fromEntries(others) }) }, 0);
  return [url, ...others.map(([, other]) => other)].map((line) => `${line}\n`).join('');
}

function parseSeconds(value: string): number {
  const seconds = Number(value);
  if (!/^\d{1,4}$/.test(value)) throw new InvalidArgumentError('Name a whole number of seconds.');
  return seconds;
}

function collectUrl(value: string, before: readonly string[]): readonly string[] {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
    throw new InvalidArgumentError('Name it as https://candor.example.');
  return [...before, value];
}
