import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Command } from 'commander';
import type { Config } from '../../../config/index.ts';
import { JobQueue, JobWorker, type WorkerEvent, type WorkerProject } from '../../../jobs/index.ts';
import { escapeControl } from '../../../lib/index.ts';
import { openInstallation } from '../../../server/index.ts';
import { type CommandContext, runCommand } from '../../context/command-context.ts';
import { keepHeapSmall } from '../../context/keep-heap-small.ts';
import {
  addOutputOptions,
  addProjectOption,
  type OutputOptions,
  type ProjectOptions,
  parseCount,
  readCommandConfig,
} from '../../context/options.ts';
import { renderJson } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';
import { sharedWork } from './shared-work.ts';

interface WorkOptions extends ProjectOptions, OutputOptions {
  readonly atOnce: number;
  readonly grace: number;
}

const DEFAULT_GRACE_S = 10;

/** `candor work`: a process that does background jobs until it is told to end. */
export function defineWorkCommand(command: Command, context: CommandContext): void {
  command
    .option('--at-once <n>', 'jobs at the same time', parseCount, 1)
    .option(
      '--grace <s>',
      'seconds that a job may go on once the worker is to end',
      parseCount,
      DEFAULT_GRACE_S,
    );
  addOutputOptions(addProjectOption(command), ['table', 'json'])
    .addHelpText(
      'after',
      `
Examples:
  candor work                       in the folder of a project whose candor.yml names server.state
  candor work --at-once 2           two jobs side by side; of each kind one at a time
  candor jobs start refresh         in another terminal: gives it something to do

Start as many as you like, on one machine or several: each job is done by one of them. Ctrl-C or SIGTERM lets a job go on for
--grace seconds, then gives it back, and another worker goes on where it stopped. The jobs of a worker that dies are taken up
within seconds. Schedules stand under \`jobs\` in candor.yml; docs/guides/jobs.md has more.`,
    )
    .action((options: WorkOptions) =>
      runCommand(context, options.output, () => runWork(options, context.io)),
    );
}

async function runWork(options: WorkOptions, io: Io): Promise<number> {
  keepHeapSmall();
  const config = await readCommandConfig(io, options);
  const queue = await JobQueue.open(config.server.state);
  const installation = await openInstallation(config);
  try {
    const worker = new JobWorker(queue, {
      name: workerName(),
      ...sharedWork(projectsOf(config, options, io), installation),
      ...{ atOnce: options.atOnce, graceMs: options.grace * 1_000 },
      onEvent: (event) => print(event, options, io),
    });
    if (options.quiet !== true) io.stderr.write('working; Ctrl-C ends it\n');
    await worker.run(io.signal);
  } finally {
    await installation?.close();
    await queue.close();
  }
  return 0;
}

/** Unlike that of any other worker, also of one that had our process id before. */
export function workerName(): string {
  return `${hostname()}:${process.pid}:${randomBytes(3).toString('hex')}`;
}

/** The project and the workspaces it names. */
export function projectsOf({ server }: Config, options: ProjectOptions, io: Io): WorkerProject[] {
  return [
    { name: '', readConfig: () => readCommandConfig(io, options) },
    ...Object.entries(server.workspaces).map(([name, project]) => ({
      name,
      readConfig: () => readCommandConfig(io, { project }),
    })),
  ];
}

function print(event: WorkerEvent, { output, quiet }: OutputOptions, io: Io): void {
  if (event.kind === 'trouble') {
    const { code, message } = event.error;
    io.stderr.write(`${code}: ${escapeControl(message)}\n`);
  } else if (output === 'json') io.stdout.write(renderJson(event, 0));
  else if (quiet !== true) io.stdout.write(`${lineOf(event)}\n`);
}

function lineOf(event: Exclude<WorkerEvent, { kind: 'trouble' }>): string {
  const { id, queue, attempt } = event.job;
  const about = `${queue}  ${id}  attempt ${attempt}`;
  if (event.kind !== 'ended') return `${about}  ${event.kind}`;
  const { end } = event;
  return `${about}  ${end.outcome}${end.outcome === 'failed' ? `: ${end.error.code}: ${escapeControl(end.error.message)}` : ''}`;
}
