import type { Option, RejectCause } from '../../answer.ts';
import type { Boundary, UnreadWords } from '../../reasoning/roles/reading.ts';
import { replaceWords } from '../question/word-pattern.ts';
import { tellingPart } from './names-in.ts';
import { wordsOf } from './near-names.ts';
import type { AbsenceSources, NearName } from './search-values.ts';
import { isFound, isKnown, searchWord, type WordSearch } from './search-word.ts';
import { type AbsenceStatement, described, stateAbsence, stateUnlike } from './state-absence.ts';

/** Words that are known here by themselves, and could not be read in this question. */
export interface NotUnderstood {
  readonly kind: 'abstain';
  readonly reason: string;
  readonly missing: string;
  readonly nearest: readonly string[];
}

/** What the words were for; by default that nobody knows. */
export type AboutWords = Partial<Pick<UnreadWords, 'reason' | 'use' | 'suggested'>>;

const MOST_OPTIONS = 5;

/**
 * What becomes of a question that has words which nothing could be made of: a question back where something is written or inflected
 * like them, or means the same; an abstention where they are known and only their place is not; else a refusal, which says of
 * names alone that nothing here is called so.
 */
export function askAboutWord(
  phrase: string,
  question: string,
  sources: AbsenceSources,
  about: AboutWords = {},
): Boundary | NotUnderstood {
  return askAboutWords([phrase], question, sources, about);
}

/** The same for words that stand apart: what is missing is said before anything is asked. */
export function askAboutWords(
  phrases: readonly string[],
  question: string,
  sources: AbsenceSources,
  { reason = 'scope', use, suggested = [] }: AboutWords = {},
): Boundary | NotUnderstood {
  const searches = phrases.map((phrase) => nearestSearch(phrase, question, sources));
  const statements = searches.map((search) => ({ ...stateAbsence(search, use), search }));
  const options = searches.map((search) => replacements(search, question, sources));
  const unlike = statements.filter((one, at) => one.isUnlike && options[at]?.length === 0);
  if (unlike.length > 0) {
    const nearest = withSuggested(
      unlike.flatMap((one) => one.nearest),
      suggested,
    );
    const message = stateUnlike(
      unlike.map(({ search }) => search),
      use,
    );
    const missing = phrases.map(tellingPart).filter(Boolean).join(', ') || question;
    return { kind: 'reject', reason, cause: causeOf(unlike), missing, message, nearest };
  }
  const asked = options.findIndex((found) => found.length > 0);
  if (asked >= 0) return askedBack(searches[asked]?.phrase ?? '', options[asked] ?? []);
  const unknown = statements.filter(({ search }) => !isKnown(search));
  const first = unknown[0] ?? statements[0];
  if (first === undefined) throw new RangeError('There are no words to ask about.');
  const { message, missing, nearest: near } = unknown.find(isTelling) ?? first;
  const nearest = withSuggested(near, suggested);
  return isKnown(first.search) || first.areNameless
    ? { kind: 'abstain', reason: message, missing, nearest }
    : { kind: 'reject', reason, cause: 'not-understood', missing, message, nearest };
}

function isTelling({ search: { phrase } }: { readonly search: WordSearch }): boolean {
  return tellingPart(phrase) !== '';
}

/** Only what is claimed to be absent is so, and only where everything was looked through. */
function causeOf(statements: readonly AbsenceStatement[]): RejectCause {
  const claiming = statements.filter(({ claimed }) => claimed.length > 0);
  if (claiming.length === 0) return 'not-understood';
  return claiming.some(({ unread }) => unread.length > 0) ? 'not-found' : 'absent';
}

/** A word of a longer name is looked for by the whole of it, where that leads to something: “Oregan” of “Oregan Trail Outfiters”. */
function nearestSearch(phrase: string, question: string, sources: AbsenceSources): WordSearch {
  const search = searchWord(phrase, sources, question);
  if (isFound(search.near)) return search;
  const names = question.match(/\p{Lu}[\p{L}\p{N}.’'-]*(?:\s+\p{Lu}[\p{L}\p{N}.’'-]*)+/gu) ?? [];
  const name = names.find((one) => ` ${one} `.includes(` ${phrase} `));
  const whole = name === undefined ? undefined : searchWord(name, sources, question);
  return whole === undefined || !isFound(whole.near) ? search : whole;
}

const MOST_NEAREST = 5;

function withSuggested(nearest: readonly string[], suggested: readonly string[]): readonly string[] {
  const known = new Set(nearest.map((name) => name.toLowerCase()));
  return [...new Set(nearest), ...suggested.filter((name) => !known.has(name.toLowerCase()))].slice(
    0,
    MOST_NEAREST,
  );
}

interface Replacement extends Option {
  readonly near: NearName;
}

/** The question with the words replaced by what they are like; none where they are known as they stand. */
function replacements(
  { phrase, near }: WordSearch,
  question: string,
  sources: AbsenceSources,
): readonly Replacement[] {
  if (near.some(({ how }) => how === 'same')) return [];
  return near
    .filter((one) => isSameMeant(one.how) || isNamedInPart(phrase, one, question, sources))
    .filter(({ text }) => text.toLowerCase() !== phrase.toLowerCase())
    .flatMap((one) => {
      const asked = replaceWords(question, phrase, one.text);
      return asked === undefined ? [] : [{ label: one.text, question: asked, near: one }];
    })
    .slice(0, MOST_OPTIONS);
}

/** “the Tamarack” where a river is stored as “Tamarack River”: people leave out what their names have in common. */
function isNamedInPart(
  phrase: string,
  { how, text, what }: NearName,
  question: string,
  { knowledge: { catalog, names } }: AbsenceSources,
): boolean {
  if (how !== 'part' || !/^\p{Lu}\p{Ll}{3}/u.test(phrase)) return false;
  const left = text.split(/\s+/).length - phrase.split(/\s+/).length;
  if (left > MOST_LEFT_OUT || !text.toLowerCase().includes(phrase.toLowerCase())) return false;
  // “customers in Jackson” are in no artist: only what the question speaks of is meant.
  const table = catalog.tables.find(({ name }) => what.startsWith(`a value of ${name}.`));
  return wordsOf(question.toLowerCase()).some((word) =>
    names.match([word]).some(({ kind, id, score }) => kind === 'table' && id === table?.id && score >= NAMED),
  );
}

/** How well a word has to name the table of a value. */
const NAMED = 0.85;

const MOST_LEFT_OUT = 3;

function isSameMeant(how: NearName['how']): boolean {
  return how === 'plural' || how === 'spelling' || how === 'synonym';
}

function askedBack(phrase: string, options: readonly Replacement[]): Boundary {
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
