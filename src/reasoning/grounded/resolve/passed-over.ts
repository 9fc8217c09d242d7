/** Mentions that the rest of the question takes back. */

import { splitName } from '../../../language/index.ts';
import type { Mention, ValueMatch } from '../question/mention/mention.ts';
import type { Token } from '../question/read/tokenise.ts';
import type { ResolveContext } from './noun-candidates.ts';

/** Any name or value that the words have as well is likelier meant. */
const SCORE = 0.5;

/** "members of the student club", asked of the database `student_club`: its own name narrows nothing. */
export function databaseWords(
  tokens: readonly Token[],
  database: string,
): Pick<Mention, 'from' | 'to' | 'score' | 'cue' | 'nouns' | 'values'>[] {
  const words = new Set(splitName(database));
  return tokens.flatMap(({ kind, text }, from) => {
    const parts = kind === 'word' ? splitName(text) : [];
    const isName = parts.some((part) => part.length > 2) && parts.every((part) => words.has(part));
    return isName
      ? [{ from, to: from + 1, score: SCORE, cue: { kind: 'stop' as const }, nouns: [], values: [] }]
      : [];
  });
}

/**
 * "problems reported before 1975", "reported by Ana": `date_problem_reported` of the table that is named says when and by whom, though
 * 'Reported' is also stored somewhere else.
 */
export function doneNotStored(
  mentions: readonly Mention[],
  named: ReadonlyMap<string, number>,
): readonly Mention[] {
  return mentions.map((mention, at) => {
    const { text, values, nouns } = mention;
    if (values.length === 0 || !/^\w+(?:ed|en|wn)$/.test(text) || !saysDone(mentions, at)) return mention;
    const howNamed = (tables: readonly { readonly tableId: string }[]): number =>
      Math.max(0, ...tables.map(({ tableId }) => named.get(tableId) ?? 0));
    const own = howNamed(nouns.filter(({ kind }) => kind === 'column'));
    return own >= NAMED_BY_VALUE && own > howNamed(values) ? { ...mention, values: [] } : mention;
  });
}

const NAMED_BY_VALUE = 0.6;

/** Behind it stands when or by whom it was done, or before it who did it. */
function saysDone(mentions: readonly Mention[], at: number): boolean {
  const [before, next] = [mentions[at - 1], mentions[at + 1]];
  if (next?.time !== undefined || next?.cue?.kind === 'by') return true;
  if (next?.cue?.kind === 'preposition' && mentions[at + 2]?.time !== undefined) return true;
  const isLast = next === undefined || next.isSentenceEnd;
  if (isLast && before !== undefined && before.values.length > 0) return true;
  const isAsked = /^(?:which|what|who)$/i.test(mentions[at - 2]?.text ?? '');
  return isAsked && next?.cue?.kind === 'compare' && before?.nouns[0]?.kind === 'table';
}

/** Tables named as well as this are what the question speaks of: "rented" names the rentals. */
const NAMED = 0.7;
/** A column with as many different texts holds names of things, not kinds of them: any word may be one of them. */
const MANY_NAMES = 100;
const NAME = /^(?:names?|titles?)$/;
const PERSON = /^(?:first|last|middle|given|family|surname|forename|fname|lname)$/;
const MONTH = /^(?:january|february|march|april|may|june|july|august|september|october|november|december)$/i;
/** Joins from what is named to a name of several words, to a word that is written as names are, and to one that may be any word. */
const FAR = { whole: 9, written: 2, plain: 1 } as const;

/**
 * "films that won an Oscar", "customers on holiday", "playlists made by Nancy": somebody or something far away is called so. A word is
 * not taken for a name that nothing in the question leads to; it is left unexplained.
 */
export function withoutFarNames(mentions: readonly Mention[], context: ResolveContext): readonly Mention[] {
  const named = [...context.named].filter(([, score]) => score >= NAMED).map(([tableId]) => tableId);
  if (named.length === 0) return mentions;
  return mentions.map((mention, at) => {
    if (mention.isQuoted || mention.values.length === 0 || mention.nouns.length > 0) return mention;
    if (mention.cue !== undefined || mention.number !== undefined) return mention;
    const owner = calledAt(mentions, at);
    const isNoName = isThing(mentions, at) || isMonth(mentions, at);
    const isWhole = mention.to - mention.from > 1;
    const reach = isPlain(mention) ? FAR.plain : isWhole ? FAR.whole : FAR.written;
    const kept = mention.values.filter(
      (value) =>
        !isName(value, context) ||
        (!isNoName &&
          (owner === undefined || owner.has(value.tableId)) &&
          named.some((tableId) => isWithin(reach, tableId, value.tableId, context))),
    );
    return kept.length > 0 ? { ...mention, values: kept } : { ...mention, values: [], isUnknown: true };
  });
}

/** A word or two of plain English, without a capital. */
function isPlain({ text, from, to }: Mention): boolean {
  return to - from <= 2 && text === text.toLowerCase() && /^\p{L}[\p{L}\s'-]*$/u.test(text);
}

/** "an Oscar", and nothing follows that the word could describe. */
function isThing(mentions: readonly Mention[], at: number): boolean {
  return /^an?$/i.test(mentions[at - 1]?.text ?? '') && (mentions[at + 1]?.nouns.length ?? 0) === 0;
}

function isMonth(mentions: readonly Mention[], at: number): boolean {
  const isIn = /^(?:in|during|of|since|until|till)$/i.test(mentions[at - 1]?.text ?? '');
  return isIn && MONTH.test(mentions[at]?.text ?? '');
}

/** "actors called Oscar": what is called so stands right before. */
function calledAt(mentions: readonly Mention[], at: number): ReadonlySet<string> | undefined {
  if (!/^(?:called|named|titled|entitled)$/i.test(mentions[at - 1]?.text ?? '')) return undefined;
  const last = mentions.slice(0, at - 1).findLast(({ nouns }) => nouns.length > 0);
  return last && new Set(last.nouns.map(({ tableId }) => tableId));
}

function isName({ columnId }: ValueMatch, { graph }: ResolveContext): boolean {
  const { name, profile } = graph.column(columnId);
  const words = splitName(name);
  const isMany = (profile?.distinctCount ?? 0) >= MANY_NAMES && words.some((word) => NAME.test(word));
  return isMany || words.some((word) => PERSON.test(word));
}

function isWithin(reach: number, from: string, to: string, { graph }: ResolveContext): boolean {
  const distance = graph.distance(from, to);
  return distance >= 0 && distance <= reach;
}
