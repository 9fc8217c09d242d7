/** Questions that two things of a schema answer equally well. */
export type { AmbiguousChoice, AmbiguousPart } from './ambiguous-part.ts';
export { type AmbiguityOptions, findAmbiguity } from './find-ambiguity.ts';
export type { Likeness } from './find-synonyms.ts';
