/** The section `server` of `candor.yml`. */
import { z } from 'zod';
import { parseCron } from './cron.ts';

const GROUP = z.strictObject({
  tables: z
    .array(z.string().min(1))
    .optional()
    .describe('Tables its members may see, by id; absent: all that the project shows.'),
  session: z
    .record(z.string().regex(/^[A-Za-z_]\w*$/), z.union([z.string(), z.number(), z.boolean()]))
    .optional()
    .describe('Values that row filters and masks name as `:name`, for its members.'),
  showSql: z.boolean().optional().describe('Whether its members see the SQL of answers (default: true).'),
  runSql: z.boolean().optional().describe('Whether its members may run SQL of their own (default: true).'),
  editKnowledge: z
    .boolean()
    .optional()
    .describe('Whether its members may certify answers and change knowledge (default: false).'),
  approval: z
    .enum(['allow', 'ask', 'deny'])
    .optional()
    .describe(
      'Whether queries of answers run at once (`allow`, the default), once the person who asked has approved them (`ask`), or never (`deny`).',
    ),
  questionsPerHour: z.int().min(1).optional().describe('Questions each of its members may ask in an hour.'),
});

const OIDC = z.strictObject({
  issuer: z.url({ protocol: /^https?$/ }).describe('URL of the OpenID Connect issuer.'),
  clientId: z.string().min(1).describe('Id of Candor there.'),
  clientSecret: z.string().min(1).optional().describe('Its secret, best as a variable.'),
  scope: z
    .string()
    .regex(/\bopenid\b/, 'it must name openid')
    .optional()
    .describe('What is asked of the issuer (default: `openid email profile`); some want `groups` too.'),
  groupsClaim: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Claim of the ID token that lists the groups of the person; absent: `candor users` gives them.',
    ),
  allowedDomains: z
    .array(z.string().min(1))
    .min(1)
    .describe('Domains of the e-mail addresses that are let in.'),
});

export const SERVER_SCHEMA = z.strictObject({
  state: z
    .string()
    .regex(/^postgres(?:ql)?:\/\//, 'expected postgresql://…')
    .optional()
    .describe(
      'PostgreSQL that several servers share: users, conversations, runs, records, files and derived data; absent: `.candor/`, for one server.',
    ),
  groups: z
    .record(z.string().regex(/^[A-Za-z][\w-]*$/, 'use letters, digits, - and _'), GROUP)
    .optional()
    .describe('What people of `candor users` may see and do, by the groups they are in.'),
  oidc: OIDC.optional().describe('Sign-in of browsers through OpenID Connect.'),
  workspaces: z
    .record(z.string().regex(/^[A-Za-z][\w-]*$/, 'use letters, digits, - and _'), z.string().min(1))
    .optional()
    .describe('Folders of other projects that the same server serves, at `/w/NAME/`, to the same people.'),
  questionsAtOnce: z
    .int()
    .min(1)
    .max(1_000)
    .optional()
    .describe(
      'Questions in work at the same time, and statements of SQL beside them; more wait (default: two for each core, at least 4; 32 with a model).',
    ),
  mostWaitMs: z
    .int()
    .min(100)
    .max(600_000)
    .optional()
    .describe(
      'Milliseconds that a request may wait for its work to begin; who would wait longer gets 429 with Retry-After at once (default: 10000).',
    ),
  embedOrigins: z
    .array(z.url({ protocol: /^https?$/ }))
    .optional()
    .describe('Origins whose pages may hold `<candor-chat>`: `https://intranet.example`.'),
});

/** The section `jobs` of `candor.yml`. */
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
