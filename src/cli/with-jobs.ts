import { type Job, JobQueue } from '../jobs/index.ts';
import { renderJob } from './commands/jobs-lines.ts';
import type { Io } from './io.ts';
import { type OutputOptions, type ProjectOptions, readCommandConfig } from './options.ts';
import { renderJson } from './render/index.ts';

export interface JobsOptions extends ProjectOptions, OutputOptions {}

/** Runs work on the jobs of an installation. Throws `jobs.no-shared-state`, and as connecting to a database does. */
export async function withJobs(
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
export function printJob(job: Job, { output }: OutputOptions, io: Io): number {
  io.stdout.write(output === 'json' ? renderJson(job) : renderJob(job));
  return 0;
}
