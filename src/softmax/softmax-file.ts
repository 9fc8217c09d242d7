import { createHash } from 'node:crypto';
import { z } from 'zod';
import { SOFTMAX_LIMITS } from './softmax-limits.ts';
import type { SoftmaxModel } from './softmax-model.ts';

/** What a model was trained on, for people. */
export interface SoftmaxProvenance {
  /** Name of the data. */
  readonly data: string;
  readonly licence: string;
  readonly seed: number;
  /** Examples it was trained on. */
  readonly trained: number;
}

/** What a model file holds. */
export interface SoftmaxFile {
  readonly model: SoftmaxModel;
  readonly provenance: SoftmaxProvenance;
}

export const SOFTMAX_FORMAT = 'candor-softmax 1';

const NAME = z.string().max(SOFTMAX_LIMITS.name);
/** The model in a file: bytes stand in base64. */
const CONTENT = z.strictObject({
  classes: z.array(NAME).min(2).max(SOFTMAX_LIMITS.classes),
  bias: z.array(z.number()),
  features: z.array(NAME).max(SOFTMAX_LIMITS.features),
  exponents: z.string(),
  weights: z.string(),
});
export type SoftmaxContent = Readonly<z.infer<typeof CONTENT>>;

export const SOFTMAX_FILE = CONTENT.extend({
  format: z.literal(SOFTMAX_FORMAT),
  provenance: z.strictObject({
    data: z.string().max(10_000),
    licence: z.string().max(10_000),
    seed: z.int().min(0),
    trained: z.int().min(0),
  }),
  /** Of the rest but the format and the provenance: a model edited by hand or cut off is refused. */
  hash: z.string(),
});

export function hashSoftmax({ classes, bias, features, exponents, weights }: SoftmaxContent): string {
  const named = JSON.stringify([classes, bias, features, exponents]);
  return createHash('sha256').update(named).update(weights).digest('hex').slice(0, 16);
}
