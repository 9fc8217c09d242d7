/** Whether a word that is not used would have narrowed the answer: nouns and adjectives do, verbs between two things that the query ties together do not. */
import {
  isInField,
  isMostlyVerb,
  isVerbLike,
  relatedWords,
  stemOf,
  type Token,
} from '../../reasoning/index.ts';
import type { Ledger } from './ledger.ts';
import { isAsking, isGeneralVerb } from './reply-words.ts';

export function isNarrowing(from: number, ledger: Ledger): boolean {
  const { tokens } = ledger.asked;
  const word = wordAt(tokens, from);
  const before = wordAt(tokens, from - 1);
  if (isAskedDoing(from, ledger.asked, ledger.content)) return false;
  // "employees born before 1970" by the day that they were hired.
  if (isOfOtherTime(from, ledger)) return true;
  if (saysOutcome(from, ledger)) return true;
  if (!isVerb(from, ledger) || isAttribute(from, ledger)) return true;
  const unmeasured = isUnmeasured(from, ledger);
  if (unmeasured !== undefined) return unmeasured;
  if (isGeneralVerb(word) || isInField(word, 'being')) return false;
  if (PRONOUNS.test(before) || ANYTHING.test(wordAt(tokens, from + 1))) return false;
  // "where Chinese is spoken" ties a value to the rows, "students enrolled in courses" the courses.
  const isOfValue = /^(?:is|are|was|were|be)$/.test(before) && ledger.content.get(from - 2)?.isValue === true;
  return !isOfValue && !leadsOn(from, ledger);
}

/**
 * "appears the most often", "earn more than 6000": how often is told by a count, how much only by an amount. Undefined behind other
 * words, and where any other verb has a number behind it.
 */
function isUnmeasured(
  from: number,
  { asked: { expressions, tokens }, parts: { marks } }: Ledger,
): boolean | undefined {
  const next = expressions.find(
    ({ from: at, cue }) => at > from && at <= from + 2 && /^(?:superlative|compare)$/.test(cue?.kind ?? ''),
  );
  const isOfMoney = OF_MONEY.test(wordAt(tokens, from));
  if (next === undefined || (next.cue?.kind === 'compare' && !isOfMoney)) return undefined;
  return isOfMoney && marks.has('count') && !AMOUNTS.some((mark) => marks.has(mark));
}

const AMOUNTS = ['sum', 'average', 'maximum', 'minimum'] as const;
const OF_MONEY = /^(?:spen[dt]|pay|paid|earn|cost|owe|donat)(?:s|ed|ing)?$/;

function wordAt(tokens: readonly Token[], at: number): string {
  return tokens[at]?.lower ?? '';
}

/** A verb with a time of its own in a table that is read, which the query leaves alone. */
function isOfOtherTime(from: number, { asked: { tokens, expressions }, parts }: Ledger): boolean {
  const isBeforeTime = expressions.some(
    ({ time, from: at }) => time !== undefined && at > from && at <= from + 2,
  );
  const word = wordAt(tokens, from);
  return isBeforeTime && parts.otherTimes.has(stemOf(word === 'born' ? 'birth' : word));
}

/** "swimmers who won", "tests that were passed": how it ended tells of some, unless what is read is about winners and prizes. */
function saysOutcome(from: number, { asked: { tokens }, parts: { spellings } }: Ledger): boolean {
  const word = wordAt(tokens, from);
  if (!OUTCOMES.test(word)) return false;
  return !/^(?:w[io]n|los)/.test(word) || ![...spellings].some((name) => PRIZES.test(name));
}

const OUTCOMES =
  /^(?:wins?|won|loses?|lost|pass(?:es|ed)?|fail(?:s|ed)?|accepted|rejected|refused|approved|cancell?ed|confirmed|completed|succeeded)$/;
const PRIZES = /^(?:win|won|award|prize|medal|gold|silver|bronze|title|champion|troph|lose|loss|defeat)/;

/** "How much money did each of them collect?", "When was the last one released?", "Which country is it affiliated with?" */
function isAskedDoing(from: number, { tokens }: Ledger['asked'], content: Ledger['content']): boolean {
  const isStranded = PREPOSITIONS.test(wordAt(tokens, from + 1));
  const after = tokens[isStranded ? from + 2 : from + 1];
  if (!(after === undefined || after.kind === 'stop' || after.kind === 'comma')) return false;
  const before = tokens.slice(0, from).map(({ lower }) => lower);
  if (before.some((lower) => /^(?:do|does|did)$/.test(lower))) return true;
  if (endsClause(from, before, content)) return true;
  // "the type that most of them belong to"
  if (isStranded && content.has(from - 1) && !isParticiple(wordAt(tokens, from))) return true;
  const be = before.findLastIndex((lower) => /^(?:is|are|was|were)$/.test(lower));
  // What it is said of stands between the two: "which singers are insured" tells of some.
  const isInverted = be > 0 && content.has(from - 1);
  return isInverted && (isStranded || before.slice(0, be).some((lower) => /^(?:when|where)$/.test(lower)));
}

/** "the category to which the film belongs": a clause about what stands before it, with somebody else who does it. */
function endsClause(from: number, before: readonly string[], content: Ledger['content']): boolean {
  const pronoun = before.findLastIndex((lower) => /^(?:that|which|whom)$/.test(lower));
  const isRelative = content.has(pronoun - 1) || PREPOSITIONS.test(before[pronoun - 1] ?? '');
  return pronoun > 0 && isRelative && pronoun < from - 1 && content.has(from - 1);
}

const PREPOSITIONS = /^(?:to|with|by|from|in|on|at|for|of)$/;

const PRONOUNS = /^(?:we|i|you|they|he|she|it|nobody|everybody|anybody)$/;
/** What stands behind a verb and says nothing by itself: "operated it", "bought nothing". */
const ANYTHING = /^(?:it|them|nothing|anything|something)$/;
/** Behind these stands a noun, whatever verb it may be elsewhere: "what did we pay". */
const BEFORE_NOUNS = /^(?:the|a|an|what|our|average|total|of|per)$/;

const BEFORE_ADJECTIVES = /^(?:the|a|an|many|all|any|some|no|our)$/;
const FORMS = /(?:ed|en|wn|ld|ing|s)$/;
const TIMES_OF_DAY = /^(?:morning|noon|afternoon|evening|night|midnight)s?$/;

function isParticiple(word: string): boolean {
  return /(?:ed|en|wn|ld)$/.test(word);
}

/** Whether it stands where a verb does, and has the form of one there. */
function isVerb(from: number, { asked: { tokens }, content }: Ledger): boolean {
  const token = tokens[from];
  const word = wordAt(tokens, from);
  const before = wordAt(tokens, from - 1);
  if (BEFORE_NOUNS.test(before) || TIMES_OF_DAY.test(word)) return false;
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
function isAttribute(from: number, { asked: { tokens }, content }: Ledger): boolean {
  const word = wordAt(tokens, from);
  const isForm = isParticiple(word) || word.endsWith('ing');
  if (word.endsWith('ing') && /^(?:is|are|was|were|be|been)$/.test(wordAt(tokens, from - 1))) return false;
  // "Which bearded actors …" asks for some of them.
  const before = wordAt(tokens, from - 1);
  const ties = BEFORE_VERBS.test(before) && !(before === 'which' && !isNamed(from - 2, content, tokens));
  return isForm && content.has(from + 1) && !content.has(from - 1) && !ties;
}

const BEFORE_VERBS = /^(?:never|not|have|has|had|who|that|which|they|and|we|i|you|he|she|it)$/;

/** What stands behind the verb is in the query, if it is no time: the verb says how the two belong together. */
function leadsOn(from: number, { asked: { tokens, expressions }, content }: Ledger): boolean {
  let left = NEAR_OBJECT;
  for (const { from: at, to, cue, time } of expressions) {
    if (at <= from) continue;
    const isHeld = tokens
      .slice(at, to)
      .some(({ kind, lower }, place) => kind === 'word' && content.has(at + place) && !/\d/.test(lower));
    if (time === undefined && isHeld) return true;
    // "by more than three of them": how many there are lies on the way.
    if (cue === undefined || time !== undefined || cue.kind === 'stop') left -= to - at;
    if (left <= 0) return false;
  }
  return false;
}

/** A preposition, an article and an adjective stand between a verb and what it is about. */
const NEAR_OBJECT = 3;
