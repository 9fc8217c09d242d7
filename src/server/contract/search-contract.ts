/** What is found by words. */
import { z } from '@hono/zod-openapi';
import { SEARCH_KINDS } from '../search/search-known.ts';

const HIT = z.strictObject({
  kind: z.enum(SEARCH_KINDS),
  id: z.string(),
  text: z.string().optional(),
  sql: z.string().optional(),
  score: z.number(),
  because: z.string(),
});

export const FOUND = z
  .strictObject({
    hits: z.array(HIT),
    cut: z.array(z.string()).openapi({ description: 'What was left out, or did not work.' }),
  })
  .openapi('Found');

export const FOUND_VALUES = z
  .strictObject({
    values: z.array(
      z.strictObject({
        value: z.string(),
        column: z.string(),
        table: z.string(),
        match: z.enum(['exact', 'folded', 'stem', 'similar']),
        similarity: z.number().openapi({ description: 'Of the texts in lower case, in [0, 1].' }),
      }),
    ),
    total: z.int(),
    cut: z.array(z.string()),
  })
  .openapi('FoundValues');
export type FoundValues = z.infer<typeof FOUND_VALUES>;

/** `table,metric`: which kinds are looked for. */
export const KINDS = z
  .string()
  .max(100)
  .default(SEARCH_KINDS.join(','))
  .transform((text) => [...new Set(text.split(',').map((kind) => kind.trim()))])
  .pipe(z.array(z.enum(SEARCH_KINDS)).min(1));
