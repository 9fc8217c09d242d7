import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import { CandorError } from '../../errors.ts';

/** The largest tokenizer of a quarter million words has 17 MB. */
const MAX_BYTES = 64 * 1024 * 1024;

export const JSON_OBJECT = z.looseObject({});

/** Reads a file of a model. Throws `model.invalid` with line and column, or with the key that is not as expected. */
export async function readJsonFile<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const { size } = await stat(path);
  if (size > MAX_BYTES) throw invalid(path, `has ${size} bytes; ${MAX_BYTES} are read at most`);
  const text = await readFile(path, 'utf8');
  const parsed = schema.safeParse(parse(path, text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(path, `${issue?.path.join('.') || 'the file'}: ${issue?.message}`);
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const at = /position (\d+)/.exec(message)?.[1];
    const before = text.slice(0, at === undefined ? text.length : Number(at)).split('\n');
    const place = `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
    throw new CandorError('model.invalid', `${path}:${place} is not JSON`);
  }
}

function invalid(path: string, what: string): CandorError {
  return new CandorError('model.invalid', `${path}: ${what}`);
}

export async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
