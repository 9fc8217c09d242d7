import { z } from 'zod';

/** `Talk` of `src/agent/`, as it is kept. */
export const TALK = z.strictObject({
  turns: z.array(z.strictObject({ question: z.string(), answer: z.string() })),
  after: z.array(z.string()),
  lastQuery: z.strictObject({ question: z.string(), sql: z.string(), recordId: z.string() }).exactOptional(),
  tables: z.array(z.string()),
  pending: z.strictObject({ recordId: z.string() }).exactOptional(),
  choosing: z.string().exactOptional(),
});
