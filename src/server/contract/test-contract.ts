/** Runs of a project's tests as JSON over HTTP: the report of `candor test`, without rows. */
import { z } from '@hono/zod-openapi';

const OUTCOME = z.enum(['answered', 'clarify', 'follow_up', 'reject', 'abstain']);
const STATUS = z.enum([
  'passed',
  'failed',
  'flaky',
  'error',
  'known',
  'unexpected-pass',
  'skipped',
  'not-asked',
]);
const FIGURE = z.strictObject({ hits: z.int(), total: z.int(), share: z.number().optional() });

export const TEST_CASE = z
  .strictObject({
    file: z.string(),
    line: z.int(),
    id: z.string(),
    tags: z.array(z.string()),
    says: z.string().openapi({ description: 'The first thing that is said.' }),
    expected: OUTCOME.optional(),
    skip: z.string().optional(),
    knownFailure: z.string().optional(),
  })
  .openapi('TestCase');

/** What of the tests is to be run. */
export const TEST_CHOICE = z
  .strictObject({
    tags: z.array(z.string().max(200)).max(100).optional(),
    filter: z.string().max(200).optional().openapi({ description: 'Part of an id or a question.' }),
    bail: z
      .boolean()
      .optional()
      .openapi({ description: 'Ask nothing more after the first that is not as expected.' }),
    mode: z.enum(['fast', 'careful', 'no-execution']).optional(),
  })
  .openapi('TestChoice');

export const TEST_PROGRESS = z.strictObject({
  done: z.int(),
  total: z.int(),
  bad: z.int(),
  secondsLeft: z.number().optional(),
});

export const TEST_REPORT = z
  .strictObject({
    isPassed: z.boolean(),
    faults: z.array(z.string()).openapi({ description: 'Why it is not passed.' }),
    stoppedBy: z.enum(['cancel', 'bail', 'cost']).optional(),
    seconds: z.number(),
    counts: z.record(STATUS, z.int()),
    accuracy: FIGURE,
    forcedAnswers: FIGURE,
    tokens: z.int(),
    cost: z.number().optional(),
    results: z.array(
      TEST_CASE.extend({
        status: STATUS,
        ms: z.number(),
        turns: z.array(
          z.strictObject({
            says: z.string(),
            expected: OUTCOME.optional(),
            outcome: OUTCOME.optional(),
            sql: z.string().optional(),
            said: z.string().optional(),
            recordId: z.string().optional(),
            problems: z.array(z.string()),
          }),
        ),
      }),
    ),
  })
  .openapi('TestReport');
