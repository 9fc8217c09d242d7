import type { Answered, WordUse } from '../api/contract.ts';

/** `unused`: the query would be another one with it; `idle`: it would be the same. */
export type WordLook = 'query' | 'rule' | 'unused' | 'idle';

/** Words that tell stand out from those without weight; of a query that a person has checked, none is missing. */
export function wordLook({ claim }: WordUse, { verified }: Pick<Answered, 'verified'>): WordLook {
  if (claim.kind !== 'unused') return claim.kind;
  return claim.isTelling && verified === undefined ? 'unused' : 'idle';
}
