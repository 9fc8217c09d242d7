import { setTimeout as wait } from 'node:timers/promises';
import { Argument, type Command } from 'commander';
import { CandorError } from '../../errors.ts';
import { JOB_KINDS, type Job, type JobKind, type JobQueue } from '../../jobs/index.ts';
import { type CommandContext, runCommand } from '../command-context.ts';
import type { Io } from '../io.ts';
import { addOutputOptions, addProjectOption, readCommandConfig } from '../options.ts';

import { type JobsOptions, printJob, withJobs } from '../with-jobs.ts';
import { progressLine } from './jobs-lines.ts';

interface StartOptions extends JobsOptions {
  readonly workspace?: string;
  readonly watch?: boolean;
}

const WHO = 'command line';
const LOOK_MS = 1_000;
/** As a replay that came out differently: the job has ended, and not as it should. */
const NOT_DONE = 1;

/** `jobs start`, `cancel`, `retry` and `watch`. */
export function addJobChangeCommands(jobs: Command, context: CommandContext): void {
  addStart(jobs, context);
  const add = (
    { usage, description, example }: { usage: string; description: string; example: string },
    work: (queue: JobQueue, id: string, options: JobsOptions) => Promise<number>,
  ): void => {
    const command = jobs.command(usage).description(description).argument('<id>', 'its id');
    addOutputOptions(addProjectOption(command), ['table', 'json'])
      .addHelpText('after', `\nExamples:\n  ${example}`)
      .action((id: string, options: JobsOptions) =>
        runCommand(context, options.output, () =>
          withJobs(options, context.io, (queue) => work(queue, id, options)),
        ),
      );
  };
  const { io } = context;
  add(
    {
      usage: 'cancel',
      description:
        'End a job: at once where it waits, within seconds where it runs. What it has done is kept.',
      example: 'candor jobs cancel 0198c1f2-…',
    },
    async (queue, id, options) => printJob(await queue.cancel(id, WHO), options, io),
  );
  add(
    {
      usage: 'retry',
      description: 'Let a failed or cancelled job go on where it stopped.',
      example: 'candor jobs retry 0198c1f2-…',
    },
    async (queue, id, options) => printJob(await queue.retry(id), options, io),
  );
  add(
    {
      usage: 'watch',
      description: 'Show the progress of a job until it ends; the exit code is 0 where it is done.',
      example: 'candor jobs watch 0198c1f2-… && candor ask "how many orders?"',
    },
    (queue, id, options) => watch(queue, id, options, io),
  );
}

function addStart(jobs: Command, context: CommandContext): void {
  const command = jobs
    .command('start')
    .description('Start a job; where one of its kind waits already, that one is meant.')
    .addArgument(new Argument('<kind>', 'what to do').choices([...JOB_KINDS]))
    .option('--workspace <name>', 'of a workspace that server.workspaces names')
    .option('--watch', 'show its progress until it ends');
  addOutputOptions(addProjectOption(command), ['table', 'json'])
    .addHelpText(
      'after',
      '\nExamples:\n  candor jobs start refresh\n  candor jobs start onboard --watch\n  candor jobs start usage --workspace hr --output json',
    )
    .action((kind: JobKind, options: StartOptions) =>
      runCommand(context, options.output, () =>
        withJobs(options, context.io, async (queue) => {
          const project = await projectOf(options, context.io);
          const { job } = await queue.start(project, kind, { by: WHO });
          if (options.watch === true) return watch(queue, job.id, options, context.io);
          return printJob(job, options, context.io);
        }),
      ),
    );
}

async function projectOf(options: StartOptions, io: Io): Promise<string> {
  const { workspace } = options;
  const { server } = await readCommandConfig(io, options);
  if (workspace === undefined || workspace in server.workspaces) return workspace ?? '';
  throw new CandorError(
    'jobs.unknown-project',
    `candor.yml names no workspace ${JSON.stringify(workspace)}.`,
  );
}

async function watch(queue: JobQueue, id: string, options: JobsOptions, io: Io): Promise<number> {
  let told = '';
  let job: Job = await queue.show(id);
  while (!isEnded(job)) {
    const line = job.progress === undefined ? job.state : `${job.state}: ${progressLine(job.progress)}`;
    if (line !== told && options.quiet !== true) io.stderr.write(`${line}\n`);
    told = line;
    await wait(LOOK_MS, undefined, { signal: io.signal });
    job = await queue.show(id);
  }
  printJob(job, options, io);
  return job.state === 'done' ? 0 : NOT_DONE;
}

function isEnded({ state }: Job): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled';
}
