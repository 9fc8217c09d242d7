/** Words that nothing could be made of: what is near them, and what may be said of them. */

export type { AbsenceSources } from './absence-sources.ts';
export { type AboutWords, askAboutWord, askAboutWords, type NotUnderstood } from './ask-about-word.ts';
export type { NearName } from './near-name.ts';
export { searchWord, type WordSearch } from './search-word.ts';
export { type AbsenceStatement, stateAbsence } from './state-absence.ts';
