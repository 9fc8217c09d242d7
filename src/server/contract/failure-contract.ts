import { z } from '@hono/zod-openapi';
import { ERROR_TABLE, type ErrorCode } from '../../errors.ts';

/** What every route replies where it cannot do what was asked. */
export const FAILURE = z
  .strictObject({
    error: z.strictObject({
      code: z.enum(Object.keys(ERROR_TABLE) as [ErrorCode, ...ErrorCode[]]),
      message: z.string(),
      next: z.string().openapi({ description: 'What to do.' }),
      requestId: z.string(),
    }),
  })
  .openapi('Failure');

const json = (schema: z.ZodType) => ({ 'application/json': { schema } });

/** The failures every route may reply. */
export const FAILURES = {
  '4XX': { description: 'The request cannot be served as it stands.', content: json(FAILURE) },
  '5XX': { description: 'The server, the database or the model failed.', content: json(FAILURE) },
};

/** The responses of a route: what it gives, and how it may fail. */
export function responses<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { 200: { description, content: { 'application/json': { schema } } }, ...FAILURES };
}
