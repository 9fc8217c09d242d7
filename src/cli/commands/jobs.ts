import { type Command, Option } from 'commander';
import { JOB_KINDS, JOB_STATES, type Job, type JobKind, type JobState } from '../../jobs/index.ts';
import { type CommandContext, runCommand, styleFor } from '../command-context.ts';
import type { Io } from '../io.ts';
import { addOutputOptions, addProjectOption, parseCount } from '../options.ts';
import { counted, renderJson, renderTable } from '../render/index.ts';
import { type JobsOptions, printJob, withJobs } from '../with-jobs.ts';
import { addJobChangeCommands } from './jobs-change.ts';
import { jobRow } from './jobs-lines.ts';

interface ListOptions extends JobsOptions {
  readonly kind?: JobKind;
  readonly state?: JobState;
  readonly limit: number;
}

const DEFAULT_SHOWN = 30;

/** `candor jobs`: background jobs of an installation. */
export function addJobsCommand(program: Command, context: CommandContext): void {
  const jobs = program
    .command('jobs')
    .description('Background jobs: see, start, cancel and retry what `candor work` does.');
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

function addList(jobs: Command, context: CommandContext): void {
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

function addShow(jobs: Command, context: CommandContext): void {
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

function printList(found: readonly Job[], { output, limit }: ListOptions, io: Io): number {
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
