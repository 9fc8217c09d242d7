import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import { parseModelText } from '../../lib/index.ts';
import { decodeSoftmaxModels, encodeSoftmaxModels, type SoftmaxProvenance } from '../../softmax/index.ts';
import type { LearnedBoundary } from './learned-boundary.ts';

/** Name of the file in the derived folder of a project. */
export const LEARNED_BOUNDARY_FILE = 'boundary.json';

const FORMAT = 'candor-boundary 2';
const MOST_CHARACTERS = 200_000_000;

const FILE = z.strictObject({
  format: z.literal(FORMAT),
  threshold: z.number(),
  commonWords: z.array(z.string().max(200)).max(1_000_000),
  answerable: z.array(z.string().max(4_000)).max(1_000_000),
  /** The file of a softmax model, in base64. */
  model: z.string(),
});

export function writeLearnedBoundary(
  { commonWords, model, answerable, threshold }: LearnedBoundary,
  provenance: SoftmaxProvenance,
): string {
  return `${JSON.stringify({
    format: FORMAT,
    threshold,
    commonWords: [...commonWords].sort(),
    answerable: answerable.map((words) => words.join(' ')),
    model: Buffer.from(encodeSoftmaxModels({ models: { boundary: model }, provenance })).toString('base64'),
  })}\n`;
}

/** Throws `boundary.model-invalid` for what is no such file, and `softmax.model-invalid` for a damaged model in it. */
export function readLearnedBoundary(text: string, path: string): LearnedBoundary {
  const file = parseModelText(
    text,
    FILE,
    MOST_CHARACTERS,
    (what, cause) => new CandorError('boundary.model-invalid', `${path}: ${what}`, { cause }),
  );
  const { boundary: model } = decodeSoftmaxModels(Buffer.from(file.model, 'base64'), path).models;
  if (model === undefined) throw new CandorError('boundary.model-invalid', `${path}: it has no model`);
  return {
    threshold: file.threshold,
    commonWords: new Set(file.commonWords),
    answerable: file.answerable.map((words) => words.split(' ')),
    model,
  };
}
