/** Where words that nothing in the query says went: a rule leaves them out, or they are not used. */

import { foldedWords } from '../../knowledge/values/index.ts';
import { stemOf } from '../../language/index.ts';
import { nearestWord, type Token, unitNamed } from '../../reasoning/grounded/question/index.ts';
import { isInField, relatedWords } from '../../reasoning/grounded/question/vocabulary/index.ts';
import { byRule, type Claimed, type Ledger, roleOf, unused } from './ledger.ts';
import { isNarrowing } from './narrowing.ts';
import { isOwned, isQualityOfRows } from './qualities.ts';
import type { Expression } from './question/question-expressions.ts';
import {
  isAnybody,
  isAsking,
  isFiller,
  isGeneralGroup,
  isHead,
  isMoreUnit,
  isSource,
  LONG_CUES,
} from './question/reply-words.ts';

/** A rule that leaves a word out, with its reason. The first that holds is told. */
interface WordRule {
  readonly why: string;
  readonly role: 'reply' | 'word';
  readonly holds: (from: number, ledger: Ledger) => boolean;
}

/** They hold of words with a capital too. */
const ANY_CASE: readonly WordRule[] = [
  { role: 'word', why: 'explained beside the question', holds: isExplained },
  { role: 'reply', why: 'a word of the sentence, spelt otherwise', holds: isMisspeltReply },
];

const SMALL: readonly WordRule[] = [
  { role: 'word', why: 'the unit of the number before it', holds: isUnit },
  { role: 'reply', why: 'asks for the reply', holds: asksForReply },
  { role: 'reply', why: 'narrows nothing', holds: fillsOnly },
  { role: 'reply', why: 'several of what is named behind it', holds: isCollective },
  {
    role: 'word',
    why: 'whoever the rows are about',
    holds: (from, { asked }) => isAnybody(wordAt(asked.tokens, from)) && !isKindOf(from, asked.tokens),
  },
  { role: 'word', why: 'says once more what is named beside it', holds: saysOnceMore },
  { role: 'word', why: 'what a row stands for', holds: isCountedRow },
  { role: 'word', why: 'what the rows are of', holds: isOrganisation },
  { role: 'word', why: 'another word for what the end is looked for of', holds: isMeasure },
  { role: 'word', why: 'the text is looked through for it', holds: isPartOfText },
];

export function claimWord(expression: Expression, ledger: Ledger): Claimed {
  const { from } = expression;
  const role = roleOf(expression, ledger);
  const rules = role === 'name' ? ANY_CASE : [...ANY_CASE, ...SMALL];
  const rule = rules.find(({ holds }) => holds(from, ledger));
  if (rule !== undefined) return byRule(rule.role, rule.why);
  return role === 'name'
    ? unused(role, 'nothing in the query is called so')
    : unused(role, 'nothing in the query says it', isNarrowing(from, ledger));
}

function wordAt(tokens: readonly Token[], at: number): string {
  return tokens[at]?.lower ?? '';
}

function isExplained(from: number, { asked: { tokens }, said }: Ledger): boolean {
  const stems = foldedWords(tokens[from]?.text ?? '').map(stemOf);
  return stems.length > 0 && stems.every((stem) => said.has(stem));
}

function isMisspeltReply(from: number, { asked: { tokens } }: Ledger): boolean {
  return nearestWord(wordAt(tokens, from), LONG_CUES) !== undefined;
}

/** Of what numbers are measured in; a word of money or of counting is none that converts. */
function isUnit(from: number, { asked: { tokens } }: Ledger): boolean {
  const word = wordAt(tokens, from);
  return tokens[from - 1]?.kind === 'number' && (unitNamed(word) !== undefined || isMoreUnit(word));
}

function asksForReply(from: number, { asked: { tokens } }: Ledger): boolean {
  return isAsking(wordAt(tokens, from), tokens[from - 1]?.lower, tokens[from + 1]?.lower);
}

/** "complete" in "complete list", not in "complete orders"; "record" in "each record", not in "with a record". */
function fillsOnly(from: number, ledger: Ledger): boolean {
  const isSaid = isQualityOfRows(from, ledger) || isOwned(from, ledger);
  return isFiller(wordAt(ledger.asked.tokens, from)) && !isSaid;
}

/** "who are members", "that is an item" */
function isKindOf(from: number, tokens: readonly Token[]): boolean {
  const be = /^(?:a|an)$/.test(wordAt(tokens, from - 1)) ? from - 2 : from - 1;
  return (
    /^(?:is|are|was|were)$/.test(wordAt(tokens, be)) && /^(?:who|that|which)$/.test(wordAt(tokens, be - 1))
  );
}

/** "pairs of owners and dogs", "a bunch of songs" */
function isCollective(from: number, { asked: { tokens }, content }: Ledger): boolean {
  if (wordAt(tokens, from + 1) !== 'of' || !isInField(wordAt(tokens, from), 'group')) return false;
  const isNamedBehind = [2, 3, 4].some((step) => content.get(from + step)?.isValue === false);
  const lemma = tokens[from]?.lemma ?? '';
  const means = [lemma, ...relatedWords(lemma).flatMap((one) => (one.weight >= ALIKE ? [one.word] : []))];
  return isNamedBehind && means.some((word) => COLLECTIVES.has(word));
}

const ALIKE = 0.64;
const COLLECTIVES = new Set(['couple', 'cluster', 'assortment']);

/** "phone number", "country name", "the name of" */
function saysOnceMore(from: number, { asked: { tokens }, content }: Ledger): boolean {
  const { lower = '', lemma = '' } = tokens[from] ?? {};
  const isBeside = content.has(from - 1) || content.has(from + 1) || wordAt(tokens, from + 1) === 'of';
  // "country of origin"
  const isOrigin = isSource(lower) && wordAt(tokens, from - 1) === 'of' && content.has(from - 2);
  return isOrigin || (isBeside && (isHead(lemma) || isHead(lower)));
}

/**
 * "How many players come from each country?" over matches, of which each has a player: counting them counts the rows. "Musicians"
 * over a table of people that is called a band; "residents" by a column of population.
 */
function isCountedRow(from: number, ledger: Ledger): boolean {
  const { asked, parts } = ledger;
  const { lower = '' } = asked.tokens[from] ?? {};
  if (!isInField(lower, 'person') || isPredicate(from, asked.tokens)) return false;
  // "drunk people", "ghost writers"
  const next = wordAt(asked.tokens, from + 1);
  if (isAnybody(next) || (isInField(next, 'person') && ledger.content.has(from + 1))) return false;
  const isOfRows = parts.rowNouns.has(stemOf(lower)) && (parts.marks.has('count') || isMany(from, ledger));
  return (
    isOfRows || (parts.hasUnnamedPeople && !isOfSomebody(from, asked.tokens)) || isHeadcount(from, ledger)
  );
}

/** "the positions of players from Duke"; "official languages" and "for each director" ask for something else. */
function isMany(from: number, { asked: { tokens }, content }: Ledger): boolean {
  const isPlural = tokens[from]?.lower !== tokens[from]?.lemma;
  return isPlural && !content.has(from + 1) && !/^(?:each|every|per|by|the)$/.test(wordAt(tokens, from - 1));
}

/** "who are students" tells of some of them. */
function isPredicate(from: number, tokens: readonly Token[]): boolean {
  return /^(?:is|are|was|were|be|been|a|an|as)$/.test(wordAt(tokens, from - 1));
}

/** "with two children": others than those whom the rows are about. */
function isOfSomebody(from: number, tokens: readonly Token[]): boolean {
  const isCounted = tokens[from - 1]?.kind === 'number';
  return /^(?:with|without|involving)$/.test(wordAt(tokens, isCounted ? from - 2 : from - 1));
}

/** "the most residents", "more than 5000 inhabitants" */
function isHeadcount(from: number, { asked: { tokens, expressions }, parts }: Ledger): boolean {
  const isBehindFigure =
    tokens[from - 1]?.kind === 'number' ||
    expressions.some(({ to, cue }) => to === from && /^(?:superlative|compare|count)$/.test(cue?.kind ?? ''));
  return (
    isBehindFigure &&
    [...parts.spellings].some((name) => isInField(name, 'group') && parts.figureNames.has(stemOf(name)))
  );
}

/** "companies" over manufacturers, "organization" over institutes: the general word for groups of people. */
function isOrganisation(from: number, { asked: { tokens }, parts }: Ledger): boolean {
  return (
    isGeneralGroup(tokens[from]?.lemma ?? '') && [...parts.spellings].some((name) => isInField(name, 'group'))
  );
}

/** "the highest altitude" by elevation: a related word is enough where an end of an order is looked for of one column. */
function isMeasure(from: number, { asked: { tokens, expressions }, parts }: Ledger): boolean {
  const isBehindEnd = expressions.some(({ to, cue }) => to === from && cue?.kind === 'superlative');
  return (
    isBehindEnd &&
    relatedWords(wordAt(tokens, from)).some(
      ({ word, weight }) => weight >= RELATED && parts.columnNames.has(stemOf(word)),
    )
  );
}

const RELATED = 0.35;

/** "the letter m", "the word Hey" */
function isPartOfText(from: number, { asked: { tokens }, parts }: Ledger): boolean {
  return (
    /^(?:letter|character|word|phrase|string|substring)s?$/.test(wordAt(tokens, from)) &&
    parts.marks.has('pattern')
  );
}
