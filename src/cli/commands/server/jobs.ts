import { setTimeout as wait } from 'node:timers/promises';
import { Argument, type Command, Option } from 'commander';
import { CandorError } from '../../../errors.ts';
import {
  JOB_KINDS,
  JOB_STATES,
  type Job,
  type JobAttempt,
  type JobKind,
  type JobProgress,
  JobQueue,
  type JobState,
} from '../../../jobs/index.ts';
import { escapeControl } from '../../../lib/index.ts';
import { type CommandContext, runCommand, styleFor } from '../../context/command-context.ts';
import {
  addOutputOptions,
  addProjectOption,
  type OutputOptions,
  type ProjectOptions,
  parseCount,
  readCommandConfig,
} from '../../context/options.ts';
import { counted, renderJson, renderTable } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';

export interface ListOptions extends JobsOptions {
  readonly kind?: JobKind;
  readonly state?: JobState;
  readonly limit: number;
}

export const DEFAULT_SHOWN = 30;

/** `candor jobs`: background jobs of an installation. */
export function defineJobsCommand(jobs: Command, context: CommandContext): void {
  addList(jobs, context);
  addShow(jobs, context);
  addJobChangeCommands(jobs, context);
  jobs.addHelpText(
    'after',
    `
Kinds:
  onboard    read the database where it has changed as a whole
  refresh    look at every table again; those that have changed are read anew
  usage      read the query logs that \`jobs.logs\` and \`jobs.live\` of candor.yml name
  clusters   make the clusters anew where usage or tables are others
  drift      look for names in notes, metrics and verified pairs that the database no longer has

Examples:
  candor jobs start refresh                   a worker does it: candor work
  candor jobs list --state failed
  candor jobs watch 0198c1f2-…                its progress until it ends

Jobs are kept in the PostgreSQL of \`server.state\`. One of each kind runs at a time; \`candor jobs <command> --help\` teaches one.`,
  );
}

export function addList(jobs: Command, context: CommandContext): void {
  const command = jobs
    .command('list')
    .description('Jobs of the last 30 days, the newest first.')
    .addOption(new Option('--kind <kind>', 'of one kind').choices([...JOB_KINDS]))
    .addOption(new Option('--state <state>', 'in one state').choices([...JOB_STATES]))
    .option('--limit <n>', 'lines at most', parseCount, DEFAULT_SHOWN);
  addOutputOptions(addProjectOption(command), ['table', 'json'])
    .addHelpText(
      'after',
      '\nExamples:\n  candor jobs list\n  candor jobs list --state running --output json\n  candor jobs list --kind usage --limit 5',
    )
    .action((options: ListOptions) =>
      runCommand(context, options.output, () =>
        withJobs(options, context.io, async (queue) => {
          const { kind, state, limit } = options;
          const found = await queue.list({
            ...(kind !== undefined && { kinds: [kind] }),
            ...(state !== undefined && { states: [state] }),
            limit,
          });
          return printList(found, options, context.io);
        }),
      ),
    );
}

export function addShow(jobs: Command, context: CommandContext): void {
  addOutputOptions(
    addProjectOption(
      jobs.command('show').description('One job with all its attempts.').argument('<id>', 'its id'),
    ),
    ['table', 'json'],
  )
    .addHelpText(
      'after',
      '\nExamples:\n  candor jobs show 0198c1f2-…\n  candor jobs show 0198c1f2-… --output json',
    )
    .action((id: string, options: JobsOptions) =>
      runCommand(context, options.output, () =>
        withJobs(options, context.io, async (queue) => printJob(await queue.show(id), options, context.io)),
      ),
    );
}

export function printList(found: readonly Job[], { output, limit }: ListOptions, io: Io): number {
  if (output === 'json') {
    io.stdout.write(renderJson(found));
    return 0;
  }
  const style = styleFor(io, io.stdout);
  const heads = ['id', 'kind', 'of', 'state', 'by', 'started', 'progress'];
  io.stdout.write(`${renderTable(heads, found.map(jobRow), { style })}\n`);
  const cut = found.length === limit ? '; raise --limit for more' : '';
  io.stdout.write(`${style.dim(`${counted(found.length, 'job')}${cut}`)}\n`);
  return 0;
}

interface StartOptions extends JobsOptions {
  readonly workspace?: string;
  readonly watch?: boolean;
}

const WHO = 'command line';
const LOOK_MS = 1_000;
/** As a replay that came out differently: the job has ended, and not as it should. */
const NOT_DONE = 1;

/** `jobs start`, `cancel`, `retry` and `watch`. */
function addJobChangeCommands(jobs: Command, context: CommandContext): void {
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

interface JobsOptions extends ProjectOptions, OutputOptions {}

/** Runs work on the jobs of an installation. Throws `jobs.no-shared-state`, and as connecting to a database does. */
async function withJobs(
  options: JobsOptions,
  io: Io,
  work: (queue: JobQueue) => Promise<number>,
): Promise<number> {
  const { server } = await readCommandConfig(io, options);
  const queue = await JobQueue.open(server.state);
  try {
    return await work(queue);
  } finally {
    await queue.close();
  }
}

/** Prints a job as the options say, and gives the exit code of a command that did. */
function printJob(job: Job, { output }: OutputOptions, io: Io): number {
  io.stdout.write(output === 'json' ? renderJson(job) : renderJob(job));
  return 0;
}

// Jobs as lines for people.

/** Id, kind, workspace, state, who started it, when, and how far it is. */
export function jobRow(job: Job): string[] {
  const { id, kind, project, state, by, createdAt, isCancelling } = job;
  return [
    id,
    kind,
    project,
    isCancelling ? 'cancelling' : state,
    escapeControl(by),
    timeOf(createdAt),
    gistOf(job),
  ];
}

export function renderJob(job: Job): string {
  const { id, kind, project, by, createdAt, notBefore, endedAt, attempts, error, result } = job;
  const lines = [
    `${kind}${project === '' ? '' : ` of ${project}`}  ${id}`,
    `started by ${escapeControl(by)} ${timeOf(createdAt)}`,
    `${job.isCancelling ? 'running, to be cancelled' : job.state}${endedAt === undefined ? '' : ` ${timeOf(endedAt)}`}`,
    ...(notBefore === undefined ? [] : [`not before ${timeOf(notBefore)}`]),
    ...(job.progress === undefined ? [] : [progressLine(job.progress)]),
    ...attempts.map(attemptLine),
    ...(error === undefined ? [] : [`${error.code}: ${escapeControl(error.message)}`, `next: ${error.next}`]),
    ...(result === undefined ? [] : [renderJson(result).trimEnd()]),
  ];
  return `${lines.join('\n')}\n`;
}

/** `profiles 3/17, shop.orders, 12 s left` */
export function progressLine({ stage, done, total, table, etaSeconds }: JobProgress): string {
  return [
    `${stage} ${done}/${total}`,
    ...(table === undefined ? [] : [escapeControl(table)]),
    ...(etaSeconds === undefined ? [] : [`${Math.ceil(etaSeconds)} s left`]),
  ].join(', ');
}

function gistOf({ state, progress, error }: Job): string {
  if (error !== undefined) return error.code;
  return state === 'running' && progress !== undefined ? progressLine(progress) : '';
}

function attemptLine({ number, worker, beganAt, endedAt, outcome, error }: JobAttempt): string {
  const end =
    outcome === undefined ? 'runs' : `${outcome}${endedAt === undefined ? '' : ` ${timeOf(endedAt)}`}`;
  return `attempt ${number}  ${worker}  ${timeOf(beganAt)}  ${end}${error === undefined ? '' : `: ${error.code}`}`;
}

function timeOf(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')}Z`;
}
