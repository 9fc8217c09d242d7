/** Whether a turn replies to what was asked back, and with what; no model is needed for it. */
import type { Catalog } from '../../catalog/index.ts';
import { nameWords } from '../../language/index.ts';
import type { Talk, Turn } from '../turn/turn.ts';
import { sqlInText } from './sql-in-text.ts';
import { says, saysNothingBut } from './turn-phrases.ts';

export type TurnReply =
  /** Ids of tables for the question that waits for them; empty: none of those offered. */
  | { readonly kind: 'choice'; readonly tables: readonly string[] }
  /** The answer to a question back. */
  | { readonly kind: 'answer-back' };

const YES =
  /^(?:(?:ok|okay|yes|y|yep|sure|fine|go|go on|go ahead|continue|confirm|confirmed|these|those|looks good|as (?:ticked|shown|proposed)|next)[\s,.!]*)+$/i;
const ALL = /^(?:all|all of (?:them|these|those)|everything|all tables)[.!]*$/i;
const NUMBERS =
  /^(?:tables?\s+|numbers?\s+|only\s+|just\s+|no\.?\s*|#)*\d{1,3}(?:(?:\s*,\s*|\s+and\s+|\s*&\s*|\s+)(?:#)?\d{1,3})*[.!]*$/i;
const OPEN =
  /^(?:the )?(?:\d{1,2}|first|second|third|fourth|fifth|last|any(?:thing|one)?|all|both|each|every|whatever|whichever|you (?:choose|pick|decide)|(?:just )?pick(?: one)?)\b/i;
/** Longer texts and those that begin like a question are one. */
const QUESTION =
  /^(?:how|what|which|who|whose|when|where|why|show|list|give|count|find|tell|compare|is|are|do|does|did|can|could)\b|\?\s*$/i;
const MOST_CHARACTERS = 200;

/** Undefined where the turn says something of its own. */
export function readReply(
  { text, tables }: Turn,
  talk: Talk,
  catalog: Pick<Catalog, 'tables'>,
  standsAlone: (text: string) => boolean,
): TurnReply | undefined {
  const said = text.trim();
  if (talk.choosing !== undefined) {
    const chosen = tables ?? choiceOf(said, talk, catalog);
    if (chosen !== undefined) return { kind: 'choice', tables: chosen };
  }
  return talk.pending !== undefined && answersBack(said, talk.pending.options ?? [], standsAlone)
    ? { kind: 'answer-back' }
    : undefined;
}

function choiceOf(said: string, talk: Talk, catalog: Pick<Catalog, 'tables'>): readonly string[] | undefined {
  if (YES.test(said)) return talk.ticked ?? talk.tables;
  if (ALL.test(said)) return talk.tables;
  if (NUMBERS.test(said)) {
    const places = (said.match(/\d+/g) ?? []).map(Number);
    const chosen = places.flatMap((place) => talk.tables[place - 1] ?? []);
    return chosen.length === places.length ? chosen : [];
  }
  const named = tablesNamed(said, catalog);
  return named.length > 0 && saysNothingBut(said, named, catalog) ? named : undefined;
}

function answersBack(
  said: string,
  options: readonly string[],
  standsAlone: (text: string) => boolean,
): boolean {
  const wanted = fold(said);
  if (wanted === '' || said.length > MOST_CHARACTERS) return false;
  if (options.some((label) => fold(label) === wanted)) return true;
  if (sqlInText(said) !== undefined || says(said, 'small') || QUESTION.test(said)) return false;
  if (OPEN.test(said)) return true;
  if ((['find', 'concept', 'query', 'why', 'broken'] as const).some((one) => says(said, one))) return false;
  return !standsAlone(said);
}

function fold(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Ids of the tables whose names stand in a text as whole words, in any case, singular or plural; longest names first. */
export function tablesNamed(text: string, { tables }: Pick<Catalog, 'tables'>): readonly string[] {
  let rest = ` ${wordsOf(text)} `;
  const found: { readonly id: string; readonly at: number }[] = [];
  const named = tables
    .map(({ id, name }) => ({ id, words: wordsOf(name) }))
    .filter(({ words }) => words !== '')
    .sort((a, b) => b.words.length - a.words.length);
  for (const { id, words } of named) {
    const form = formsOf(words).find((one) => rest.includes(` ${one} `));
    if (form === undefined) continue;
    found.push({ id, at: rest.indexOf(` ${form} `) });
    // Of the same length, so that places stay comparable.
    rest = rest.replace(` ${form} `, ` ${'·'.repeat(form.length)} `);
  }
  return found.sort((a, b) => a.at - b.at).map(({ id }) => id);
}

function wordsOf(name: string): string {
  return nameWords(name).join(' ');
}

function formsOf(words: string): readonly string[] {
  const singular = words.replace(/(?<=\p{L}{2})ies$/u, 'y').replace(/(?<=[^s])s$/, '');
  return [...new Set([words, singular, `${words}s`])];
}
