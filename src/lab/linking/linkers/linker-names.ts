/** The ways of linking that can be measured. */
export const LINKER_NAMES = [
  'grounded',
  'votes',
  'evilink',
  'filter',
  'rankers',
  'retrieval',
  'full',
  'replay',
] as const;
export type LinkerName = (typeof LINKER_NAMES)[number];
