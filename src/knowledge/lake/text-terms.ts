/** How often each term stands in the title and the body of a text. */
import { indexTerms } from '../search/search-terms.ts';

export interface TermCounts {
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
