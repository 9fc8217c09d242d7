/** What the queue itself does not keep: every attempt with its progress, who asked for an end, and up to when schedules were looked at. */
const VERSION_1 = `
CREATE TABLE candor.job_attempts (job_id uuid NOT NULL, number int NOT NULL, worker text NOT NULL,
  began_at timestamptz NOT NULL DEFAULT now(), ended_at timestamptz, outcome text, error jsonb, progress jsonb,
  PRIMARY KEY (job_id, number));
CREATE TABLE candor.job_cancels (job_id uuid PRIMARY KEY, who text NOT NULL, at timestamptz NOT NULL DEFAULT now());
CREATE TABLE candor.job_schedules (queue text PRIMARY KEY, cron text NOT NULL, looked_at timestamptz NOT NULL);`;

export const JOB_MIGRATIONS: readonly string[] = [VERSION_1];
