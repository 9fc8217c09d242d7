import { isEnglish, isOnlyName, lemmaOf, relatedWords } from '../../reasoning/index.ts';
import { namesNothing } from './names-nothing.ts';

/** Words of a question that stand together as the name of one thing. */
export interface WrittenName {
  readonly text: string;
  readonly words: readonly string[];
}

interface Piece {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const PIECE = /[\p{L}\p{N}][\p{L}\p{N}.’'&/@-]*[\p{L}\p{N}]|[\p{L}\p{N}]/gu;
const POSSESSIVE = /[’']s?$/;
const QUOTED = /["“”«»]([^"“”«»]{2,60})["“”«»]|(?<![\p{L}\p{N}])['‘]([^'‘’]{2,60})['’](?![\p{L}\p{N}])/gu;
const JOINS = /^(?:of|de|da|di|do|dos|van|von|der|la|le|del|du|the)$/;
const MOST_IN_A_NAME = 8;

/**
 * What a question writes as names: quoted, or with a capital where none is due. Of the first word of a sentence, and where most
 * words have one, a capital tells nothing.
 */
export function namesIn(question: string): readonly WrittenName[] {
  const quoted = [...question.matchAll(QUOTED)].flatMap(([, one, other]) => one ?? other ?? []);
  return [
    ...quoted.map((text) => ({ text, words: piecesOf(text).map((piece) => piece.text) })),
    ...capital(question),
  ];
}

/** The name that words of a question are, have in them, or are one word of. */
export function writtenName(phrase: string, question: string): WrittenName | undefined {
  const asked = phrase.toLowerCase();
  return namesIn(question).find(
    ({ text, words }) =>
      ` ${asked} `.includes(` ${text.toLowerCase()} `) || words.some((word) => word.toLowerCase() === asked),
  );
}

function capital(question: string): readonly WrittenName[] {
  const pieces = piecesOf(question);
  const isName = ({ text, start }: Piece): boolean =>
    /^\P{Ll}*\p{Lu}/u.test(text) && (!opensSentence(question, start) || isOnlyName(text.toLowerCase()));
  return isTitleCase(pieces) ? [] : runsOf(pieces, question, isName);
}

function runsOf(
  pieces: readonly Piece[],
  question: string,
  isName: (piece: Piece) => boolean,
): WrittenName[] {
  const runs: Piece[][] = [];
  let run: Piece[] = [];
  let joins: Piece[] = [];
  const close = (): void => {
    if (run.length > 0 && run.length <= MOST_IN_A_NAME) runs.push(run);
    [run, joins] = [[], []];
  };
  for (const piece of pieces) {
    const before = joins.at(-1) ?? run.at(-1);
    if (before !== undefined && !/^\s+$/.test(question.slice(before.end, piece.start))) close();
    if (isName(piece)) {
      run.push(...joins, piece);
      joins = [];
    } else if (run.length > 0 && JOINS.test(piece.text)) joins.push(piece);
    else close();
  }
  close();
  return runs.map((words) => ({
    text: question.slice(words[0]?.start, words.at(-1)?.end),
    words: words.map(({ text }) => text),
  }));
}

function piecesOf(text: string): readonly Piece[] {
  return [...text.matchAll(PIECE)].map(({ 0: written, index }) => {
    const own = written.replace(POSSESSIVE, '');
    return { text: own, start: index, end: index + own.length };
  });
}

function opensSentence(question: string, start: number): boolean {
  return /(?:^|[.?!:;])[\s"“'‘(]*$/u.test(question.slice(0, start));
}

const MOST_CAPITALS = 0.75;

/** “Show All Customers In Atlantis”, “CUSTOMERS IN ATLANTIS”. */
function isTitleCase(pieces: readonly Piece[]): boolean {
  const long = pieces.filter(({ text }) => /\p{L}{4}/u.test(text));
  const capitals = long.filter(({ text }) => /^\p{Lu}/u.test(text));
  return long.length > 2 && capitals.length > long.length * MOST_CAPITALS;
}

/** Shorter ones are too near to anything. */
const SHORTEST = 5;
const ACRONYM = /^\p{Lu}{1,5}s?$/u;
const CODE = /^(?=.*\p{Lu})(?=.*\p{N})[\p{L}\p{N}-]{4,}$/u;
/** “Jimmy”, “Betty”, “Susie” stand for longer names that are not like them. */
const PET_NAME = /^\p{L}{3,6}(?:y|ie)$/u;

/**
 * Whether a word is a name and nothing else: the general lexicon has it as one of a place or a person, or does not have it. What
 * is also a common word, an adjective (“Kenyan”), short or an acronym may stand for what is called otherwise.
 */
export function isNameWord(word: string): boolean {
  if (CODE.test(word)) return true;
  const lower = word.toLowerCase();
  if (isOnlyName(lower)) return lower.length >= SHORTEST - 1;
  if (!/^\p{Lu}[\p{L}’'-]+$/u.test(word) || word.length < SHORTEST) return false;
  if (ACRONYM.test(word) || PET_NAME.test(word)) return false;
  return !lower.split(/[’'-]/).some(isCommon);
}

function isCommon(lower: string): boolean {
  if (lower.length < 2) return false;
  return (
    namesNothing(lower) ||
    isEnglish(lower) ||
    isEnglish(lemmaOf(lower)) ||
    relatedWords(lower).some(({ why }) => why === 'inflection')
  );
}
