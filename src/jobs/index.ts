/** Work in the background: a queue in PostgreSQL that several processes share, and what does the jobs. */
export {
  JOB_KINDS,
  JOB_STATES,
  type Job,
  type JobAttempt,
  type JobKind,
  type JobProgress,
  type JobState,
} from './job.ts';
export { JobQueue } from './job-queue.ts';
export {
  JOBS_LOCK,
  JobWorker,
  type WorkerEvent,
  type WorkerOptions,
  type WorkerProject,
} from './job-worker.ts';
