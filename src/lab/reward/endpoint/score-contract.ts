/** What `POST /v1/score` takes; also a row of the file that `candor reward score` reads. */
import { z } from 'zod';
import { CandorError } from '../../../errors.ts';
import { REWARD_CATEGORIES } from '../formula/compute-reward.ts';
import type { ScoreItem } from '../scorer/virtual-schema.ts';

/** Items of one request at most. */
const MOST_ITEMS = 1_024;
const MOST_GOLD_CHARACTERS = 100_000;
const MOST_OUTPUT_CHARACTERS = 400_000;
const MOST_PROBLEMS = 5;

const SQL_CATEGORIES: ReadonlySet<string> = new Set(['standard', 'multi_step', 'reflection', 'degenerate']);

const NAME = z.string().min(1).max(200);

/** Keys it does not know are left alone, so that rows of a benchmark can be sent as they are. */
const ITEM = z
  .object({
    id: z.union([z.string().max(1_000), z.number()]).optional(),
    category: z.enum(REWARD_CATEGORIES),
    goldKind: z.enum(['sql', 'nl']),
    gold: z.string().min(1).max(MOST_GOLD_CHARACTERS),
    output: z.string().max(MOST_OUTPUT_CHARACTERS),
    lengthTokens: z.int().min(0).optional(),
    orderMatters: z.boolean().optional(),
    virtualTables: z
      .array(
        z.strictObject({
          name: NAME,
          columns: z.array(NAME).min(1).max(2_000),
          sql: z.string().min(1).max(MOST_GOLD_CHARACTERS).optional(),
        }),
      )
      .max(50)
      .optional(),
  })
  .refine(({ category, goldKind }) => SQL_CATEGORIES.has(category) === (goldKind === 'sql'), {
    message: 'standard, multi_step, reflection and degenerate go with "sql", the others with "nl"',
    path: ['goldKind'],
  });

const REQUEST = z.object({ items: z.array(ITEM).min(1).max(MOST_ITEMS) });

/** Throws `reward.invalid-request` with the first places that are wrong. */
export function parseScoreRequest(text: string): readonly ScoreItem[] {
  return check(REQUEST, readJson(text, 'The request'), 'The request').items;
}

/** One row of a file; `where` names it. Throws `reward.invalid-request`. */
export function parseScoreItem(text: string, where: string): ScoreItem {
  return check(ITEM, readJson(text, where), where);
}

function readJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CandorError('reward.invalid-request', `${where} is no JSON: ${reason.slice(0, 200)}.`);
  }
}

function check<Value>(schema: z.ZodType<Value>, given: unknown, where: string): Value {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  const { issues } = read.error;
  const problems = issues.slice(0, MOST_PROBLEMS).map(({ path, message }) => `${path.join('.')}: ${message}`);
  const more = issues.length > problems.length ? ` (and ${issues.length - problems.length} more)` : '';
  throw new CandorError(
    'reward.invalid-request',
    `${where} cannot be scored: ${problems.join('; ')}${more}.`,
    {
      data: { problems },
    },
  );
}
