import type { Option } from '../../answer.ts';
import type { Boundary } from '../../reasoning/index.ts';
import type { NearName } from './near-name.ts';
import { type AbsenceSources, searchWord, type WordSearch } from './search-word.ts';
import { described, stateAbsence, type WordUse } from './state-absence.ts';

/** Words that were not understood, although something here is near them. */
export interface NotUnderstood {
  readonly kind: 'abstain';
  readonly reason: string;
  readonly missing: string;
  readonly nearest: readonly string[];
}

export interface AskedWord {
  /** Why it would be refused where nothing is near; `scope` by default. */
  readonly reason?: 'metric' | 'dimension' | 'scope';
  readonly use?: WordUse;
}

const MOST_OPTIONS = 5;

/**
 * What becomes of a question that has words which nothing could be made of: a question back where something is written or inflected
 * like them, or means the same; a refusal where nothing here is near them; else an abstention that says what was not understood.
 */
export function askAboutWord(
  phrase: string,
  question: string,
  sources: AbsenceSources,
  { reason = 'scope', use }: AskedWord = {},
): Boundary | NotUnderstood {
  const search = searchWord(phrase, sources);
  const options = replacements(search, question);
  if (options.length > 0) return askedBack(search, options);
  const { isAbsent, message, missing, nearest } = stateAbsence(search, use);
  if (!isAbsent) return { kind: 'abstain', reason: message, missing, nearest };
  return { kind: 'reject', reason, missing, message, nearest, isOfWords: true };
}

/** The question with the words replaced by what they are like; none where they are known as they stand. */
function replacements(
  { phrase, near }: WordSearch,
  question: string,
): readonly (Option & { near: NearName })[] {
  if (near.some(({ how }) => how === 'same')) return [];
  return near
    .filter(({ how, text }) => isSameMeant(how) && text.toLowerCase() !== phrase.toLowerCase())
    .flatMap((one) => {
      const asked = replaced(question, phrase, one.text);
      return asked === undefined ? [] : [{ label: one.text, question: asked, near: one }];
    })
    .slice(0, MOST_OPTIONS);
}

function isSameMeant(how: NearName['how']): boolean {
  return how === 'plural' || how === 'spelling' || how === 'synonym';
}

function askedBack({ phrase }: WordSearch, options: ReturnType<typeof replacements>): Boundary {
  const [first, second] = options;
  const near = first === undefined || second !== undefined ? 'one of these' : described(first.near);
  const isValue = options.every(({ near: { what } }) => what.startsWith('a value'));
  return {
    kind: 'clarify',
    gap: isValue ? 'value' : 'term',
    phrase,
    ask: `I did not understand “${phrase}”. Do you mean ${near}?`,
    options: options.map(({ label, question }) => ({ label, question })),
  };
}

/** Where the words stand in the question, whatever their case. */
function replaced(question: string, phrase: string, text: string): string | undefined {
  const pattern = phrase.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+');
  const found = new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, 'iu').exec(question);
  if (found === null) return undefined;
  return question.slice(0, found.index) + text + question.slice(found.index + found[0].length);
}
