/** Which words of a question stand where a verb does. */
import { stemOf } from '../../language/index.ts';
import { isRelationVerb, isVerbLike, type Token } from '../../reasoning/grounded/question/index.ts';
import {
  baseForms,
  isInField,
  isMostlyVerb,
  isOnlyName,
  relatedWords,
} from '../../reasoning/grounded/question/vocabulary/index.ts';
import type { Ledger } from './ledger.ts';
import { isAsking, isGeneralVerb, isLink } from './question/reply-words.ts';
import { ADVERB, isOfSubject } from './question/subjects.ts';

export const PREPOSITIONS = /^(?:to|with|by|from|in|on|at|for|of)$/;

/** Behind these stands a noun, whatever verb it may be elsewhere: "what did we pay". */
const BEFORE_NOUNS = /^(?:the|a|an|what|our|average|total|of|per)$/;
/** Behind these, too, unless it is a verb made to a noun: "about love", "for teaching". */
const BEFORE_NAMES = /^(?:about|for|without|during)$/;

const BEFORE_ADJECTIVES = /^(?:the|a|an|many|all|any|some|no|our)$/;
const FORMS = /(?:ed|en|wn|ld|ing|s)$/;
const TIMES_OF_DAY = /^(?:morning|noon|afternoon|evening|night|midnight)s?$/;

export function wordAt(tokens: readonly Token[], at: number): string {
  return tokens[at]?.lower ?? '';
}

export function isParticiple(word: string): boolean {
  return /(?:ed|en|wn|ld)$/.test(word);
}

/** The same, with those that have forms of their own. */
export function isPassive(word: string): boolean {
  return isParticiple(word) || IRREGULAR.test(word);
}

const IRREGULAR =
  /^(?:bought|brought|taught|caught|sung|made|built|led|won|sent|spent|kept|left|paid|met|lent|run|done|gone|lost)$/;

/** Whether it stands where a verb does, and has the form of one there. */
export function isVerb(from: number, { asked: { tokens }, content }: Ledger): boolean {
  const token = tokens[from];
  const word = wordAt(tokens, from);
  const before = wordAt(tokens, from - 1);
  if (BEFORE_NOUNS.test(before) || TIMES_OF_DAY.test(word)) return false;
  if (BEFORE_NAMES.test(before) && !word.endsWith('ing')) return false;
  if (ADVERB.test(word) && !isMostlyVerb(word)) return false;
  // "plate and cost of": what something is the … of.
  if (wordAt(tokens, from + 1) === 'of' && /^(?:and|,)$/.test(before) && !FORMS.test(word)) return false;
  // "the live albums", "show live albums"
  // "did bankrupt customers order": behind the first word of such a question stands who does it.
  const isAuxiliary = /^(?:do|does|did)$/.test(before) && !content.has(from - 2);
  const opens = from === 0 || isAuxiliary || BEFORE_ADJECTIVES.test(before) || isAsking(before, undefined);
  if (opens && content.has(from + 1) && !FORMS.test(word)) return false;
  if (isGeneralVerb(word)) return true;
  // A verb wherever it stands.
  if (isVerbLike(token, undefined)) return true;
  // "flights land in Aberdeen": behind what there are many of, a word that is of one is no noun.
  if (isFiniteVerb(from, tokens, content)) return true;
  if (!isVerbLike(token, tokens[from - 1])) return false;
  // "customers who have insurance", "flights to islands", "who are not loyal".
  if (/^(?:have|has|had)$/.test(before)) return isParticiple(word);
  if (before === 'to') return !/[^s]s$/.test(word);
  if (/^(?:not|never)$/.test(before)) return !/^(?:be|is|are|was|were|been)$/.test(wordAt(tokens, from - 2));
  // "Which lighthouse artists …" asks for some of them, "singers which perform …" says what they do.
  const asksWhich = before === 'which' && !isNamed(from - 2, content, tokens);
  return !(asksWhich && content.has(from + 1));
}

function isFiniteVerb(from: number, tokens: readonly Token[], content: Ledger['content']): boolean {
  const word = wordAt(tokens, from);
  const isMany = content.get(from - 1)?.isValue === false && /[^s]s$/.test(wordAt(tokens, from - 1));
  return isMany && !/s$/.test(word) && PREPOSITIONS.test(wordAt(tokens, from + 1)) && mayBeVerb(word);
}

/** Only nouns and verbs have broader words: "famous" has none, "land" means a way to arrive. */
function mayBeVerb(word: string): boolean {
  return relatedWords(word).some((one) => one.why === 'english broader' && isMostlyVerb(one.word));
}

function isNamed(at: number, content: Ledger['content'], tokens: readonly Token[]): boolean {
  return content.has(at) || (tokens[at]?.kind === 'comma' && content.has(at - 1));
}

/** "refunded invoices": before what it describes, and behind nothing that it could tie to that. */
export function isAttribute(from: number, ledger: Ledger): boolean {
  const {
    asked: { tokens },
    content,
  } = ledger;
  const word = wordAt(tokens, from);
  if (!content.has(from + 1)) return false;
  const isForm = isParticiple(word) || word.endsWith('ing');
  // "two live albums"; "have made appointments"
  if (!isForm) return !FORMS.test(word) && tokens[from]?.lemma === word && !hasSubject(from, ledger);
  if (word.endsWith('ing') && /^(?:is|are|was|were|be|been)$/.test(wordAt(tokens, from - 1))) return false;
  // "Which bearded actors …" asks for some of them.
  const before = wordAt(tokens, from - 1);
  const ties = BEFORE_VERBS.test(before) && !(before === 'which' && !isNamed(from - 2, content, tokens));
  // "2 retired students", "male married students"
  const isDescribed =
    tokens[from - 1]?.kind === 'number' ||
    (content.get(from - 1)?.isValue === true && /^\p{Ll}/u.test(tokens[from - 1]?.text ?? ''));
  return (!content.has(from - 1) || isDescribed) && !ties;
}

const BEFORE_VERBS = /^(?:never|not|have|has|had|who|that|which|they|and|we|i|you|he|she|it)$/;
const AUXILIARIES = /^(?:do|does|did|can|could|will|would|may|might|should|must)$/;

/** Before a verb in its base form stands who does it: "customers rent films", "did each driver take tours"; not so in "two live albums". */
function hasSubject(from: number, { asked: { tokens }, content }: Ledger): boolean {
  const before = tokens[from - 1];
  const word = before?.lower ?? '';
  if (word === 'which') return isNamed(from - 2, content, tokens);
  if (
    /^(?:who|that|not|never|to|also|always|often|they|we|i|you|he|she|it|people|all|both|don't)$/.test(word)
  )
    return true;
  // "who rent and return films"
  if (/^(?:and|or)$/.test(word))
    return tokens.slice(0, from).some(({ lower }) => /^(?:who|that|which)$/.test(lower));
  if (AUXILIARIES.test(word)) return true;
  // Values are written with a capital or are no word: "do Ana and Ben buy".
  const isCapital = /^[\p{Lu}"'‘“]/u.test(before?.text ?? '');
  if (content.has(from - 1) && (/[^s]s$/.test(word) || isCapital)) return true;
  return tokens.slice(0, from).some(({ lower }) => AUXILIARIES.test(lower));
}

/** Whether it says how two things of the query belong together: in general, or by a word that a name of the query shares. */
export function isTie(from: number, ledger: Ledger): boolean {
  const {
    asked: { tokens },
    parts,
  } = ledger;
  const word = wordAt(tokens, from);
  if (isMove(from, ledger)) return false;
  if (isPlainTie(from, ledger)) return true;
  // What we do is all that is said of the rows: "how many orders did we lose", "customers that we follow".
  const isOurs = isOfSubject(from, tokens) && !/body$/.test(wordAt(tokens, from - 1));
  if (!isOurs && TYING.some((field) => isInField(word, field))) return true;
  // "flights landing in Aberdeen", "who left the depot"
  const isWay = !isOfSubject(from, tokens) && !ENDED.has(tokens[from + 1]?.kind ?? 'stop');
  if (isWay && isInField(word, 'motion')) return true;
  return relatedWords(word).some((one) => one.weight >= RELATED && parts.names.has(stemOf(one.word)));
}

/**
 * "owners who moved to Virginia", "employees sent to Toronto", "departments moved out of Seattle": where somebody or something is tells
 * of no way there. What is shipped to a place is no such thing, nor who comes from it.
 */
function isMove(from: number, { asked: { tokens }, content }: Ledger): boolean {
  const word = wordAt(tokens, from);
  if (OF_PLACE.test(word)) return false;
  const place = [1, 2, 3].map((step) => from + step).find((at) => content.get(at)?.isValue);
  if (place === undefined) return false;
  const behind = wordAt(tokens, from + 1);
  const isLeft = /^(?:out|away)$/.test(behind);
  const isThere = isLeft || (behind === 'to' && isOnlyName(wordAt(tokens, place)));
  if (!isThere && !isInField(word, 'motion')) return false;
  let at = from - 1;
  while (BETWEEN.test(wordAt(tokens, at)) || ADVERB.test(wordAt(tokens, at))) at -= 1;
  return isLeft || isInField(wordAt(tokens, at), 'person');
}

const OF_PLACE =
  /^(?:co?me|came|comes|coming|go|goes|going|ship|deliver|belong|report|assign|reply)(?:s|ed|ped|ing|ping)?$/;
const BETWEEN = /^(?:who|that|which|is|are|was|were|been|have|has|had)$/;

const ENDED: ReadonlySet<string> = new Set(['comma', 'stop']);

const TYING = ['being', 'making', 'deed'] as const;

/** The same, of the verbs that say no more than that. */
export function isPlainTie(from: number, { asked: { tokens } }: Ledger): boolean {
  const { lower = '', lemma = '' } = tokens[from] ?? {};
  const bases = new Set([lemma, ...baseForms(lower), ...baseForms(lemma)]);
  return isGeneralVerb(lower) || [...bases].some((base) => isRelationVerb(base) || isLink(base));
}

const RELATED = 0.45;

// How, what for and how long something is done, said at the end of a clause by words that are little elsewhere.

/** "a commission in writing", "customers who ordered Chai to go", "living in Germany for a while". */
export function isManner(from: number, { asked: { tokens }, content }: Ledger): boolean {
  const next = tokens[from + 1]?.kind ?? 'stop';
  if (next !== 'stop' && next !== 'comma') return false;
  const word = wordAt(tokens, from);
  const before = wordAt(tokens, from - 1);
  if (word === 'while') return before === 'a';
  if (/ing$/.test(word)) return /^(?:in|by|without)$/.test(before);
  return before === 'to' && content.has(from - 2) && !isAmongOthers(from, tokens);
}

/** "the first student to register", "the only artist to win": which of those who did. */
function isAmongOthers(from: number, tokens: Ledger['asked']['tokens']): boolean {
  const before = tokens.slice(Math.max(0, from - WORDS_BEFORE), from);
  return before.some(({ lower }) => /^(?:first|second|third|last|latest|earliest|next|only)$/.test(lower));
}

const WORDS_BEFORE = 5;
