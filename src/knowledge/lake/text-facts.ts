/** What ranking knows of a text without its terms, in one number; a text that no table has any more is 0. */

const MOST_TOKENS = 0xffff;
const MOST_TITLES = 0xff;
const TITLE_BITS = 16;

export function packFacts(tokens: number, titles: number): number {
  return (Math.min(titles, MOST_TITLES) << TITLE_BITS) | Math.min(Math.max(tokens, 1), MOST_TOKENS);
}

export function tokensOf(facts: number): number {
  return facts & MOST_TOKENS;
}

export function titlesOf(facts: number): number {
  return facts >>> TITLE_BITS;
}
