import { AMBIGUITIES } from './ambiguity.ts';
import { DEGENERATE } from './degenerate.ts';
import { FOLLOW_UPS } from './follow-up.ts';
import type { Mutation } from './mutation.ts';
import { REFLECTIONS } from './reflection.ts';
import { REJECTIONS } from './rejections.ts';

export type { Mutated, Mutation, MutationSource } from './mutation.ts';
export { collectKnownWords } from './mutation.ts';

/** Every way to make an item of another category out of a seed. */
export const MUTATIONS: readonly Mutation[] = [
  ...REFLECTIONS,
  DEGENERATE,
  ...AMBIGUITIES,
  ...FOLLOW_UPS,
  ...REJECTIONS,
];
