/** Words that nothing could be made of: what is near them, and what may be said of them. */

export { type AboutWords, askAboutWord, askAboutWords } from './ask-about-word.ts';
export type { AbsenceSources } from './search-values.ts';

export { searchWord } from './search-word.ts';
export { stateAbsence } from './state-absence.ts';
