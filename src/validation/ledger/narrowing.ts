/** Whether a word that is not used would have narrowed the answer: nouns and adjectives do, verbs between two things that the query ties together do not. */
import { stemOf } from '../../language/index.ts';
import { isVerbLike } from '../../reasoning/grounded/question/index.ts';
import { isInField } from '../../reasoning/grounded/question/vocabulary/index.ts';
import type { Ledger } from './ledger.ts';
import type { Expression } from './question/question-expressions.ts';
import { isGeneralVerb } from './question/reply-words.ts';
import { isOfSubject } from './question/subjects.ts';
import {
  isAttribute,
  isManner,
  isParticiple,
  isPassive,
  isPlainTie,
  isTie,
  isVerb,
  PREPOSITIONS,
  wordAt,
} from './verbs.ts';

export function isNarrowing(from: number, ledger: Ledger): boolean {
  const { tokens } = ledger.asked;
  const word = wordAt(tokens, from);
  // "employees born before 1970" by the day that they were hired.
  if (isOfOtherTime(from, ledger)) return true;
  if (!isVerb(from, ledger) || isAttribute(from, ledger)) return true;
  if (isManner(from, ledger)) return true;
  if (isAskedWhen(from, ledger)) return false;
  // "which films did customers hate", "the songs that nobody remembers"
  if (!isTie(from, ledger)) return true;
  if (isAskedDoing(from, ledger)) return false;
  if (saysOutcome(from, ledger)) return true;
  const unmeasured = isUnmeasured(from, ledger);
  if (unmeasured !== undefined) return unmeasured;
  if (isOfSubject(from, tokens) || ANYTHING.test(wordAt(tokens, from + 1))) return false;
  if (isInField(word, 'being')) return false;
  if (isMade(word)) return isBareMade(from, ledger);
  if (isGeneralVerb(word)) return isBare(from, ledger);
  return !isOfValue(from, ledger) && !leadsOn(from, ledger);
}

/** "songs recorded in 1994", "what was written" */
function isMade(word: string): boolean {
  return isPassive(word) && isInField(word, 'making');
}

/** "orders that were forged": some of them, where nothing behind it says more; "songs that were written in 1994". */
function isBareMade(from: number, ledger: Ledger): boolean {
  const { tokens, expressions } = ledger.asked;
  const isSaid =
    /^(?:is|are|was|were)$/.test(wordAt(tokens, from - 1)) &&
    /^(?:who|that|which)$/.test(wordAt(tokens, from - 2));
  const next = expressions.find(({ from: at }) => at > from);
  return isSaid && !isPlainTie(from, ledger) && (next === undefined || endsClause(next, from, ledger));
}

/** "where Chinese is spoken" ties a value to the rows; "customers in Brazil were fired" tells of some. */
function isOfValue(from: number, { asked: { tokens }, content }: Ledger): boolean {
  const isSaidOf = /^(?:is|are|was|were|be)$/.test(wordAt(tokens, from - 1));
  return isSaidOf && content.get(from - 2)?.isValue === true && !PREPOSITIONS.test(wordAt(tokens, from - 3));
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

/** What stands behind a verb and says nothing by itself: "operated it", "bought nothing". */
const ANYTHING = /^(?:it|them|nothing|anything|something)$/;

/** "employees who fly", "artists who play": some of them do, and nothing behind the verb says more. */
function isBare(from: number, ledger: Ledger): boolean {
  const { tokens, expressions } = ledger.asked;
  const isActive = !isPassive(wordAt(tokens, from)) && !/ing$/.test(wordAt(tokens, from));
  if (!isActive || !/^(?:who|that|which)$/.test(wordAt(tokens, from - 1))) return false;
  const next = expressions.find(({ from: at }) => at > from);
  return next === undefined || next.from > from + 1 || endsClause(next, from, ledger);
}

/** What stands behind the verb is in the query, if it is no time: the verb says how the two belong together. */
function leadsOn(from: number, ledger: Ledger): boolean {
  const {
    asked: { tokens, expressions },
    content,
  } = ledger;
  let left = NEAR_OBJECT;
  for (const expression of expressions) {
    const { from: at, to, cue, time } = expression;
    if (at <= from) continue;
    if (endsClause(expression, from, ledger) || (at === from + 1 && isLoose(from, ledger))) return false;
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

/** "who knit with age above 22": what stands behind such words belongs to the noun, unless the verb is one that goes with them. */
function isLoose(from: number, ledger: Ledger): boolean {
  const { tokens } = ledger.asked;
  const word = wordAt(tokens, from);
  const next = wordAt(tokens, from + 1);
  if (isPlainTie(from, ledger) || isPassive(word) || /ing$/.test(word)) return false;
  // "customers who drive from Canada" are from there.
  if (next === 'from' && wordAt(tokens, from - 1) === 'who') return true;
  // "that land in Aberdeen", "who rent and return films"
  if (next === 'and') return !isVerbLike(tokens[from + 2], undefined);
  if (isInField(word, 'making')) return PREPOSITIONS.test(next);
  return isInField(word, 'motion') && /^(?:with|of|for)$/.test(next);
}

/** What begins behind a verb and is no object of it: "who smoke live in Brazil", "that float per category". */
function endsClause(expression: Expression, from: number, ledger: Ledger): boolean {
  const { tokens } = ledger.asked;
  const before = tokens[expression.from - 1];
  const word = wordAt(tokens, expression.from);
  if (before?.kind === 'comma' || before?.kind === 'stop') return true;
  if (ENDS.has(expression.cue?.kind ?? '') || isGrouping(expression, ledger)) return true;
  if (/^(?:who|whom|which|whose|that)$/.test(word) && !PREPOSITIONS.test(before?.lower ?? '')) return true;
  return expression.from === from + 1 && isNextVerb(expression.from, ledger);
}

const ENDS: ReadonlySet<string> = new Set(['be', 'have', 'order', 'direction']);

/** "live in Brazil", "cost more", "hired since": a verb directly behind another one; "bought used cars" has an object there. */
function isNextVerb(at: number, { asked: { tokens }, content }: Ledger): boolean {
  const isForm = /(?:ing|s)$/.test(wordAt(tokens, at));
  return isVerbLike(tokens[at], undefined) && !isForm && !content.has(at + 1);
}

/** "that float by category", "per store"; "made by directors" says who made them, "belongs to each type" what to. */
function isGrouping({ from, cue }: Expression, { asked: { tokens }, parts, content }: Ledger): boolean {
  const before = wordAt(tokens, from - 1);
  if (cue?.kind === 'group') return /^(?:per|by|for)$/.test(wordAt(tokens, from));
  if (cue?.kind !== 'by' || !parts.marks.has('group')) return false;
  const named = wordAt(tokens, from + 1);
  const isColumn = content.get(from + 1)?.isValue === false && !parts.tableNames.has(stemOf(named));
  return !isPassive(before) || (isColumn && !isInField(named, 'person'));
}

/** A preposition, an article and an adjective stand between a verb and what it is about. */
const NEAR_OBJECT = 3;

// "How much money did each of them collect?": a verb at the end of a clause whose object is what is asked for.

/** "How much money did each of them collect?", "Which country is it affiliated with?" */
function isAskedDoing(from: number, { asked: { tokens }, content }: Ledger): boolean {
  const isStranded = PREPOSITIONS.test(wordAt(tokens, from + 1));
  const after = tokens[isStranded ? from + 2 : from + 1];
  if (!(after === undefined || after.kind === 'stop' || after.kind === 'comma')) return false;
  const before = tokens.slice(0, from).map(({ lower }) => lower);
  if (isDone(before)) return true;
  if (isClauseEnd(from, before, content)) return true;
  // "the type that most of them belong to"
  if (isStranded && content.has(from - 1) && !isParticiple(wordAt(tokens, from))) return true;
  // What it is said of stands between the two: "which singers are insured" tells of some.
  return isStranded && content.has(from - 1) && before.findLastIndex(isBe) > 0;
}

/** "When was the last one released?" */
function isAskedWhen(from: number, { asked: { tokens }, content }: Ledger): boolean {
  const after = tokens[from + 1];
  if (!(after === undefined || after.kind === 'stop' || after.kind === 'comma')) return false;
  const before = tokens.slice(0, from).map(({ lower }) => lower);
  const be = before.findLastIndex(isBe);
  return (
    be > 0 && content.has(from - 1) && before.slice(0, be).some((lower) => /^(?:when|where)$/.test(lower))
  );
}

function isBe(lower: string): boolean {
  return /^(?:is|are|was|were)$/.test(lower);
}

/** "did each of them collect": who does it stands between the two; "which customers do not smoke" and "did customers who smoke" tell of some. */
function isDone(before: readonly string[]): boolean {
  const does = before.findLastIndex((lower) => /^(?:do|does|did|has|have|had)$/.test(lower));
  const between = before.slice(does + 1);
  return (
    does >= 0 &&
    between.some((lower) => !/^(?:not|never|also|really|actually)$/.test(lower)) &&
    !between.some((lower) => /^(?:who|that|which|whom)$/.test(lower))
  );
}

/** "the category to which the film belongs": a clause about what stands before it, with somebody else who does it. */
function isClauseEnd(from: number, before: readonly string[], content: Ledger['content']): boolean {
  const pronoun = before.findLastIndex((lower) => /^(?:that|which|whom)$/.test(lower));
  const isRelative = content.has(pronoun - 1) || PREPOSITIONS.test(before[pronoun - 1] ?? '');
  return pronoun > 0 && isRelative && pronoun < from - 1 && content.has(from - 1);
}
