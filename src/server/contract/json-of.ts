import type { z } from '@hono/zod-openapi';
import { toJsonValue } from '../../results/index.ts';

/** As the contract says it: a reply that does not fit is a bug of ours, and is told as one. */
export function jsonOf<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  return schema.parse(toJsonValue(value));
}
