/** What a project has learned from its labelled questions, where it has. */
import { join } from 'node:path';
import { LEARNED_BOUNDARY_FILE, readLearnedBoundary, scoreBy } from './boundary/index.ts';
import type { Config } from './config/index.ts';
import { readIfThere } from './store/index.ts';

/** Tells questions beyond what can be answered; undefined where nothing was learned. Throws `boundary.model-invalid`. */
export async function openLearnedBoundary({
  derivedDirectory,
}: Pick<Config, 'derivedDirectory'>): Promise<((question: string) => boolean) | undefined> {
  const path = join(derivedDirectory, LEARNED_BOUNDARY_FILE);
  const text = await readIfThere(path);
  if (text === undefined) return undefined;
  const learned = readLearnedBoundary(text, path);
  const score = scoreBy(learned);
  return (question) => score(question) >= learned.threshold;
}
