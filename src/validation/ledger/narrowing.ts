/** Whether a word that is not used would have narrowed the answer: nouns and adjectives do, verbs between two things that the query ties together do not. */
import { isInField, isVerbLike, stemOf, type Token } from '../../reasoning/index.ts';
import type { Ledger } from './ledger.ts';
import { isGeneralVerb } from './reply-words.ts';

export function isNarrowing(from: number, ledger: Ledger): boolean {
  const { tokens } = ledger.asked;
  const word = wordAt(tokens, from);
  const before = wordAt(tokens, from - 1);
  if (isAskedDoing(from, tokens) || isGeneralVerb(stemOf(word))) return false;
  if (!isVerb(from, ledger) || isAttribute(from, ledger)) return true;
  if (isInField(word, 'being')) return false;
  if (PRONOUNS.test(before) || !isParticiple(word)) return false;
  // "where Chinese is spoken" ties a value to the rows, "students enrolled in courses" the courses.
  return ledger.content.get(from - 2)?.isValue !== true && !leadsOn(from, ledger);
}

function wordAt(tokens: readonly Token[], at: number): string {
  return tokens[at]?.lower ?? '';
}

/** "How much money did each of them collect?" */
function isAskedDoing(from: number, tokens: readonly Token[]): boolean {
  const after = tokens[from + 1];
  const isLast = after === undefined || after.kind === 'stop' || after.kind === 'comma';
  return isLast && tokens.slice(0, from).some(({ lower }) => /^(?:do|does|did)$/.test(lower));
}

const PRONOUNS = /^(?:we|i|you|they|he|she|it)$/;
/** Behind these stands a noun, whatever verb it may be elsewhere: "what did we pay". */
const BEFORE_NOUNS = /^(?:the|a|an|what|our|average|total|of|per)$/;

function isParticiple(word: string): boolean {
  return /(?:ed|en|wn|ld)$/.test(word);
}

/** Whether it stands where a verb does, and has the form of one there. */
function isVerb(from: number, { asked: { tokens }, content }: Ledger): boolean {
  const token = tokens[from];
  const word = wordAt(tokens, from);
  const before = wordAt(tokens, from - 1);
  if (BEFORE_NOUNS.test(before)) return false;
  // A verb wherever it stands.
  if (isVerbLike(token, undefined)) return true;
  if (!isVerbLike(token, tokens[from - 1])) return false;
  // "customers who have insurance", "flights to islands", "who are not loyal".
  if (/^(?:have|has|had)$/.test(before)) return isParticiple(word);
  if (before === 'to') return !/[^s]s$/.test(word);
  if (/^(?:not|never)$/.test(before)) return !/^(?:be|is|are|was|were|been)$/.test(wordAt(tokens, from - 2));
  // "Which lighthouse artists …" asks for some of them, "singers which perform …" says what they do.
  const isAsking = before === 'which' && !isNamed(from - 2, content, tokens);
  return !(isAsking && content.has(from + 1));
}

function isNamed(at: number, content: Ledger['content'], tokens: readonly Token[]): boolean {
  return content.has(at) || (tokens[at]?.kind === 'comma' && content.has(at - 1));
}

/** "refunded invoices": before what it describes, and behind nothing that it could tie to that. */
function isAttribute(from: number, { asked: { tokens }, content }: Ledger): boolean {
  const word = wordAt(tokens, from);
  const isForm = isParticiple(word) || word.endsWith('ing');
  return (
    isForm && content.has(from + 1) && !content.has(from - 1) && !BEFORE_VERBS.test(wordAt(tokens, from - 1))
  );
}

const BEFORE_VERBS = /^(?:have|has|had|who|that|which|they|and|we|i|you|he|she|it)$/;

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
