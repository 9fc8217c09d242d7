import type { z } from 'zod';
import { extractJson } from './extract-json.ts';

/** The last JSON of a model's reply that has the form; undefined where none has. */
export function readJsonText<Reply>(text: string, form: z.ZodType<Reply>): Reply | undefined {
  for (const value of extractJson(text).values.toReversed()) {
    const read = form.safeParse(value);
    if (read.success) return read.data;
  }
  return undefined;
}
