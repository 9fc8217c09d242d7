/** The section `jobs` of `candor.yml`. */
import { z } from 'zod';
import { parseCron } from './cron.ts';

const TIMES = z.string().superRefine((text, context) => {
  try {
    parseCron(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
  }
});
const WHEN = 'as cron writes it, UTC: `0 3 * * *` is every night at three';

export const JOBS_SCHEMA = z.strictObject({
  onboard: TIMES.optional().describe(`When to read the database where it has changed as a whole, ${WHEN}.`),
  refresh: TIMES.optional().describe('When to look at every table again, in the same way.'),
  usage: TIMES.optional().describe('When to read the query logs named in `logs` and `live`.'),
  clusters: TIMES.optional().describe('When to make the clusters anew.'),
  drift: TIMES.optional().describe('When to look for names that the database no longer has.'),
  logs: z
    .array(z.string().min(1))
    .optional()
    .describe('Query logs that the job `usage` reads: files, and folders of which every file is read.'),
  live: z.boolean().optional().describe('Whether it asks the database itself what has run (default: false).'),
});
