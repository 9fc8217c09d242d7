export { readWordList } from './edits/word-list.ts';
export { ALTERED_SUITE_NAMES, type AlteredSuite, readAlteredSuite } from './read-ferrum.ts';
export { renderAltered, summariseAltered } from './render-altered.ts';
export { type AlteredReport, runAltered } from './run-altered.ts';
