import type { ValueIndex } from '../../knowledge/index.ts';
import type { GroundedKnowledge } from '../../reasoning/index.ts';

/** Where words of a question are looked for. */
export interface AbsenceSources {
  readonly knowledge: GroundedKnowledge;
  readonly values: ValueIndex;
}
