/** Files that people write, read with a bound and with places for what is wrong. */

export { readBoundedText, readTextFiles } from './authored-files.ts';
export type { PlacedProblem } from './yaml-source.ts';
