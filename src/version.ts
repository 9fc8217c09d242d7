import { readFileSync } from 'node:fs';
import { z } from 'zod';

const PACKAGE = z.object({ version: z.string() });

/** The version of this package, from its package.json. */
export const VERSION = PACKAGE.parse(
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')),
).version;
