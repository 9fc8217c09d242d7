/** Questions with a right query and one that breaks a definition, a line each. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const LINE = z.object({
  id: z.string(),
  project: z.enum(['motors', 'ferrum', 'clinic']).optional(),
  kind: z.string(),
  question: z.string(),
  sql: z.string(),
  altered: z.string(),
  what: z.string().default(''),
});

export type AlteredLine = z.infer<typeof LINE>;

export function readAlteredLines(path: string): readonly AlteredLine[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => LINE.parse(JSON.parse(line)));
}
