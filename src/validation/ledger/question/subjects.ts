/** Who does what is said of the rows, where it is nobody that is stored. */
import type { Token } from '../../../reasoning/grounded/question/index.ts';

/** Who does what is said of all of them: "the cars that we sell". */
const SUBJECTS = /^(?:we|i|you|they|he|she|it|nobody|everybody|anybody)$/;
/** "secretly", not "supply" */
export const ADVERB = /[a-z]{3}ly$/;

/** "we secretly follow" */
export function isOfSubject(from: number, tokens: readonly Token[]): boolean {
  const before = tokens[from - 1]?.lower ?? '';
  return SUBJECTS.test(ADVERB.test(before) ? (tokens[from - 2]?.lower ?? '') : before);
}
