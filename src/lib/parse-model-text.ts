import type { z } from 'zod';

/**
 * The content of a model file in JSON, of the form that `schema` asks for. `refuse` makes the error for a text that is longer than `most`
 * characters, is no JSON, or is of another form; it is told what is wrong and where.
 */
export function parseModelText<Content>(
  text: string,
  schema: z.ZodType<Content>,
  most: number,
  refuse: (what: string, cause?: unknown) => Error,
): Content {
  if (text.length > most) throw refuse(`it has ${text.length} characters; at most ${most} are read`);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw refuse(`it is no JSON: ${reason}`, error);
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.reduce<string>(
    (before, step) => (typeof step === 'number' ? `${before}[${step}]` : `${before}.${String(step)}`),
    '',
  );
  throw refuse(`${place?.replace(/^\./, '') || 'the file'}: ${issue?.message}`);
}
