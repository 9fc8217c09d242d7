/** How often each term stands in the title and the body of a text. */
import { indexTerms } from '../../search/search-terms.ts';

interface TermCounts {
  inTitle: number;
  inBody: number;
}

export interface TextTerms {
  readonly counts: ReadonlyMap<string, TermCounts>;
  /** Terms with repeats, of title and body. */
  readonly tokens: number;
  /** Different terms of the title. */
  readonly titles: number;
}

export function textTerms(title: string, body: string): TextTerms {
  const counts = new Map<string, TermCounts>();
  const of = (term: string): TermCounts => {
    let known = counts.get(term);
    if (known === undefined) {
      known = { inTitle: 0, inBody: 0 };
      counts.set(term, known);
    }
    return known;
  };
  const inTitle = indexTerms(title);
  for (const term of inTitle) of(term).inTitle += 1;
  const titles = counts.size;
  const inBody = indexTerms(body);
  for (const term of inBody) of(term).inBody += 1;
  return { counts, tokens: inTitle.length + inBody.length, titles };
}

// What ranking knows of a text without its terms, in one number; a text that no table has any more is 0.

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
