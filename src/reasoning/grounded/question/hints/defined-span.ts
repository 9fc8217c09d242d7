import type { Mention } from '../mention/mention.ts';

/** A span of the question that a hint explains; it wins over what its words would mean without. */
export type DefinedSpan = Pick<
  Mention,
  'from' | 'to' | 'score' | 'nouns' | 'values' | 'meaning' | 'isDefined'
>;
