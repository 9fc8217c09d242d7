import { lemmaOf } from '../../language/index.ts';
import { isEnglish, isOnlyName, relatedWords } from '../../reasoning/grounded/question/vocabulary/index.ts';

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

/** Words that every question has and no database need store: that they name nothing says nothing of the data. */
const NAMELESS =
  /^(?:(?:last|next|this|past|current|previous|first|second|third|most|least|more|less|better|best|worse|worst|time|times|date|dates|beginning|start|end|right|still|ever|never|already|actually|currently|just|also|too|sorry|please|thanks|hello|hi|hey|today|yesterday|tomorrow|now|ago|since|until|during|before|after|(?:sec|min)onds?|minutes?|hours?|days?|nights?|weeks?|weekdays?|weekends?|months?|quarters?|years?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december|and|or|not|no|only|than|why|when|where|who|how|what|which|will|would|can|could|should|did|do|does|is|are|was|were|be|been|have|has|had|it|its|they|them|their|we|our|us|you|your|i|my|me|the|an?|of|in|on|at|by|to|from|for|with|without)|\d+(?:st|nd|rd|th)?)$/i;

/** Pronouns of quantity and place, conjunctions, prepositions and fillers; and what stands for the rows themselves. */
const FILLERS = new Set(
  `nobody everybody anybody somebody noone everyone anyone someone nothing something anything everything none neither either
   such another others anywhere somewhere everywhere nowhere here there whatever whichever whoever whomever wherever whenever
   however because although though unless whether while whereas despite except besides if then else so as but versus vs
   stuff thing things lot lots bit bits kind kinds sort sorts way ways whole overall altogether together otherwise instead
   basically kindly okay ok yes well anyway anymore maybe perhaps yet again even quite rather very really simply
   people folks folk guys guy person persons one ones number numbers amount amounts any some all every each both same own
   behind beyond above below under over between among across through along around near off up down out into onto upon within
   throughout per via about against like`.split(/\s+/),
);

const CONTRACTION =
  /^(?:i|we|you|they|he|she|it|that|there|who|what|where|how|here|let|don|doesn|didn|isn|aren|wasn|weren|won|can|couldn|wouldn|haven|hasn|hadn)[’'](?:ve|s|re|ll|d|m|t)$/;

/** Whether nothing could be called by the word, in whatever database: it is never what a refusal is about. */
export function namesNothing(word: string): boolean {
  const lower = word.toLowerCase();
  return (
    NAMELESS.test(lower) ||
    FILLERS.has(lower) ||
    CONTRACTION.test(lower) ||
    /^\p{L}?$/u.test(lower) ||
    isAdverbOfManner(lower)
  );
}

/** Words that say when, or are of structure: they are known, and only their place is not. */
export function isNameless(phrase: string): boolean {
  return phrase.split(/\s+/).every((word) => NAMELESS.test(word));
}

/** The words without those at either end that could name nothing; empty where there are no others. */
export function tellingPart(phrase: string): string {
  const words = phrase.split(/\s+/);
  const isTelling = (word: string): boolean => !namesNothing(word);
  const first = words.findIndex(isTelling);
  return first < 0 ? '' : words.slice(first, words.findLastIndex(isTelling) + 1).join(' ');
}

/** “directly”, “happily”, “simply”: the lexicon has the adjective and not the adverb, which “family” and “yearly” are not. */
function isAdverbOfManner(lower: string): boolean {
  if (!/^[a-z]{3,}ly$/.test(lower) || isEnglish(lower)) return false;
  const base = lower.slice(0, -2);
  return [base, base.replace(/i$/, 'y'), `${base}le`, base.replace(/al$/, '')].some(isEnglish);
}
