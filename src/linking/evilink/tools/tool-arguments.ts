/** The arguments of the six tools (evilink.md §8): what a model wrote, validated before anything is done. */
import { z } from 'zod';
import { oneLine } from '../items/one-line.ts';

const LONGEST_NAME = 2_000;
const LONGEST_SQL = 20_000;
const LONGEST_REASON = 2_000;
const MOST_ITEMS = 500;
const LONGEST_ERROR = 400;

const name = z.string().trim().min(1).max(LONGEST_NAME);
const reason = z.string().max(LONGEST_REASON);
const offset = z.int().min(0).max(10_000_000).default(0);

/** As buckets are written in prompts, or in words. */
const BUCKETS = {
  R: 'required',
  U: 'uncertain',
  C: 'candidate',
  K: 'kept',
  D: 'discarded',
  required: 'required',
  uncertain: 'uncertain',
  undecided: 'uncertain',
  candidate: 'candidate',
  kept: 'kept',
  discarded: 'discarded',
} as const;

/** As prompts call it. */
export function wordOfBucket(bucket: string): string {
  return bucket === 'uncertain' ? 'undecided' : bucket;
}

export const TOOL_ARGUMENTS = {
  list_tables: z.object({
    pattern: z.string().max(200).optional(),
    bucket: z
      .enum(['R', 'U', 'C', 'K', 'D', 'required', 'uncertain', 'undecided', 'candidate', 'kept', 'discarded'])
      .transform((written) => BUCKETS[written])
      .optional(),
    limit: z.int().min(1).max(200).default(50),
    offset,
  }),
  list_columns: z.object({
    table: name,
    level: z.enum(['L0', 'L1', 'L2']).default('L1'),
    limit: z.int().min(1).max(500).default(100),
    offset,
  }),
  get_field_stats: z.object({ fields: z.array(name).min(1).max(10) }),
  probe_sql: z.object({
    sql: z.string().trim().min(1).max(LONGEST_SQL),
    purpose: z.string().trim().min(1).max(LONGEST_REASON),
  }),
  keep: z.object({ items: z.array(name).min(1).max(MOST_ITEMS), reason: reason.optional() }),
  discard: z
    .object({
      items: z.array(name).min(1).max(MOST_ITEMS),
      reason: z.union([reason, z.array(reason).max(MOST_ITEMS)]),
    })
    .refine(
      ({ items, reason: given }) => typeof given === 'string' || given.length === items.length,
      'give one reason, or as many as there are items',
    ),
} as const;

export type ToolName = keyof typeof TOOL_ARGUMENTS;
export type ToolArguments<Name extends ToolName> = z.output<(typeof TOOL_ARGUMENTS)[Name]>;

export function isToolName(tool: string): tool is ToolName {
  return Object.hasOwn(TOOL_ARGUMENTS, tool);
}

/** JSON text is read first. What does not fit gives a text that names the argument and what was expected. */
export function readArguments<Schema extends z.ZodType>(
  schema: Schema,
  written: unknown,
): { readonly ok: true; readonly value: z.output<Schema> } | { readonly ok: false; readonly text: string } {
  const parsed = typeof written === 'string' ? readJson(written) : { value: written };
  if (parsed === undefined) return { ok: false, text: 'error: the arguments are not JSON; nothing was done' };
  const checked = schema.safeParse(parsed.value);
  if (checked.success) return { ok: true, value: checked.data };
  const faults = checked.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  );
  return { ok: false, text: oneLine(`error: ${faults.join('; ')}; nothing was done`, LONGEST_ERROR) };
}

function readJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
