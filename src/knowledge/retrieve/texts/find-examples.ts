import type { Catalog } from '../../../catalog/index.ts';
import { findNames, parse } from '../../../sql/index.ts';
import type { VerifiedPair } from '../../authored/examples.ts';
import { indexTerms } from '../../search/search-terms.ts';
import type { RetrievalSettings } from '../settings/retrieval-settings.ts';
import { fitting, type TextAsked } from '../settings/retrieval-settings.ts';
import type { Found, FoundExample } from '../settings/retrieved.ts';
import { indexWords, type WordIndex } from '../words/word-index.ts';

export interface ExampleShelf {
  readonly examples: readonly KnownExample[];
  readonly words: WordIndex;
}

export function shelveExamples(examples: readonly KnownExample[]): ExampleShelf {
  return { examples, words: indexWords(examples.map(({ pair }) => pair.question)) };
}

/** Two good guides are better without bad ones. */
const ENOUGH_STRONG = 2;

/**
 * Pairs whose question is like this one, by words in common or, where it is higher, by cosine. One that reads no table
 * of the scope, or a deprecated one, is no guide. Source: ThothAI, section 5; LinkedIn, sections 5.1 and 13.
 */
export function findExamples(
  asked: TextAsked,
  shelf: ExampleShelf,
  isUsable: (tables: readonly string[]) => boolean,
  settings: RetrievalSettings['examples'],
): { readonly examples: readonly Found<FoundExample>[]; readonly total: number } {
  const likeness = new Map(shelf.words.search(asked.terms).map((match) => [match.position, match.likeness]));
  const same = plain(asked.question);
  const rated = shelf.examples.flatMap(({ pair, tables }, position): Found<FoundExample>[] => {
    // Words such as “how many” are left out of what is asked: the very same question would be unlike itself.
    const words = plain(pair.question) === same ? 1 : (likeness.get(position) ?? 0);
    const cosine = asked.cosines.get(pair.file) ?? 0;
    const score = Math.max(words, cosine);
    if (score < settings.least || !isUsable(tables)) return [];
    const because =
      words >= cosine
        ? `its question has words of this one (${words.toFixed(2)})`
        : `its question is near this one in meaning (${cosine.toFixed(2)})`;
    return [{ item: { pair, isWeak: score < settings.strong }, score, because: [because] }];
  });
  const strong = rated.filter(({ item }) => !item.isWeak);
  const kept = strong.length >= ENOUGH_STRONG ? strong : rated;
  return { examples: fitting(withoutDoubles(kept), settings.most), total: rated.length };
}

function plain(question: string): string {
  return indexTerms(question).join(' ');
}

/** The same question with the same SQL, from two files. */
function withoutDoubles(found: readonly Found<FoundExample>[]): Found<FoundExample>[] {
  const seen = new Map<string, Found<FoundExample>>();
  for (const each of found) {
    const { question, sql } = each.item.pair;
    const key = `${question.trim().toLowerCase()}\0${sql}`;
    if (!seen.has(key)) seen.set(key, each);
  }
  return [...seen.values()];
}

/** A verified pair with the tables that its SQL reads. */
export interface KnownExample {
  readonly pair: VerifiedPair;
  /** Canonical ids. */
  readonly tables: readonly string[];
}

export interface KnownExamples {
  readonly examples: readonly KnownExample[];
  /** Pairs that were left out, and why, for people. */
  readonly warnings: readonly string[];
}

/**
 * Reads the tables of each pair; a pair that names a table or column which is not in the catalog is left out: it is
 * older than the schema, or of tables the reader may not see.
 */
export function knownExamples(pairs: readonly VerifiedPair[], catalog: Catalog): KnownExamples {
  const examples: KnownExample[] = [];
  const warnings: string[] = [];
  for (const pair of pairs) {
    const parsed = parse(pair.sql, catalog.dialect);
    if (!parsed.ok) {
      warnings.push(`${pair.file} is left out: its SQL cannot be read`);
      continue;
    }
    const names = findNames(parsed.tree, catalog);
    if (names.problems.some(({ kind }) => kind !== 'ambiguous-column'))
      warnings.push(`${pair.file} is left out: it names what is not in the catalog`);
    else examples.push({ pair, tables: names.tables });
  }
  return { examples, warnings };
}
