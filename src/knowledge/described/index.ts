/** What a model guessed of tables that nobody has described. */

export { dropGuesses, keepDescribed, type NewlyDescribed, readDescribedFile } from './change-described.ts';
export { findUndescribed, type Undescribed } from './find-undescribed.ts';
export { guessNotes } from './guess-notes.ts';
export { DESCRIBED_FILE, tableState, visibleGuesses } from './read-described.ts';
