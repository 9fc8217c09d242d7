/** How many tokens a text takes, without the tokeniser of any model. */

const LATIN_CHARACTERS_PER_TOKEN = 4;
const OTHER_CHARACTERS_PER_TOKEN = 3.5;
const OTHER_LETTERS = /[\p{L}\p{M}]/u;
const LATIN = /[\p{Script=Latin}\p{Script=Inherited}]/u;

/**
 * Four characters a token, 3.5 for letters of other scripts, rounded down: `estimateTokens('SELECT 1')` → 2. It serves
 * decisions about size; what a call took, the provider counts. Source: ThothAI, section 9.
 */
export function estimateTokens(text: string): number {
  const others = countOtherLetters(text);
  return Math.floor(
    (text.length - others) / LATIN_CHARACTERS_PER_TOKEN + others / OTHER_CHARACTERS_PER_TOKEN,
  );
}

function countOtherLetters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    // Nearly all of a schema text is ASCII.
    if (text.charCodeAt(at) < 0x80) continue;
    const character = text[at] ?? '';
    if (OTHER_LETTERS.test(character) && !LATIN.test(character)) count += 1;
  }
  return count;
}
