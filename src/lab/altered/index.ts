export { ALTERED_SUITE_NAMES, readAlteredSuite } from './read-altered-suite.ts';
export type { AlteredSuite } from './read-ferrum.ts';
export { renderAltered, summariseAltered } from './render-altered.ts';
export { type AlteredProgress, type AlteredReport, runAltered } from './run-altered.ts';
export { readWordList, WORD_CLASSES, type WordList } from './word-list.ts';
