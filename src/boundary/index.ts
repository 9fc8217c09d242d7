/** What can be answered, what must be asked back, what is refused. */
export {
  type AmbiguityOptions,
  type AmbiguousChoice,
  type AmbiguousPart,
  findAmbiguity,
  type Likeness,
} from './ambiguity/index.ts';
export { type Decision, decide } from './decide.ts';
export { normaliseQuestion } from './normalise-question.ts';
export { precheck } from './precheck.ts';
export type { Request } from './request.ts';
