/** Questions that two things of a schema answer equally well. */

export { findAmbiguity } from './find-ambiguity.ts';
