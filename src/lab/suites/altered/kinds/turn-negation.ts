/** A condition is denied, or a denied one is affirmed. */

import type { Span } from '../../../../sql/dialects/index.ts';
import { child, type SqlNode, type SqlTree } from '../../../../sql/tree/index.ts';
import { lookupWords } from '../../../synthesis/inventory/inventory.ts';
import type { AlteredSite, Made } from '../edits/alteration.ts';
import { onlyPlaceOf, phrasesIn, replaceAt, wordBefore } from '../edits/question-text.ts';
import { nodesOf, onlyText, withTurnedSign, withWord, writtenText } from '../edits/sql-edits.ts';

export function turnNegations(site: AlteredSite): readonly Made[] {
  const denied = phrasesIn(site.question, DENIALS);
  return denied.length > 0 ? affirm(site, denied) : deny(site);
}

/** With what affirms in its place; an empty phrase is left out. `verb`: the verb behind it gets the ending of the third person. */
const DENIALS: readonly { readonly phrase: string; readonly affirmed: string; readonly verb?: 'third' }[] = [
  { phrase: 'do not', affirmed: '' },
  { phrase: 'does not', affirmed: '', verb: 'third' },
  { phrase: "don't", affirmed: '' },
  { phrase: "doesn't", affirmed: '', verb: 'third' },
  { phrase: 'did not', affirmed: 'did' },
  { phrase: "didn't", affirmed: 'did' },
  { phrase: 'are not', affirmed: 'are' },
  { phrase: 'is not', affirmed: 'is' },
  { phrase: 'was not', affirmed: 'was' },
  { phrase: 'were not', affirmed: 'were' },
  { phrase: 'have not', affirmed: 'have' },
  { phrase: 'has not', affirmed: 'has' },
  { phrase: 'not', affirmed: '' },
  { phrase: 'without', affirmed: 'with' },
  { phrase: 'without any', affirmed: 'with' },
  { phrase: 'do not have any', affirmed: 'have' },
  { phrase: 'does not have any', affirmed: 'has' },
  { phrase: "don't have any", affirmed: 'have' },
  { phrase: 'never', affirmed: '' },
];

function affirm(
  site: AlteredSite,
  denied: ReturnType<typeof phrasesIn<(typeof DENIALS)[number]>>,
): readonly Made[] {
  const [only, ...more] = denied;
  const [gold, sql] = [affirmed(site.gold), affirmed(site.sql)];
  if (only === undefined || more.length > 0 || gold === undefined || sql === undefined)
    return [{ kind: 'negation', because: 'question, gold and query do not have one negation each' }];
  const { row, span } = only;
  const question = withoutDenial(site.question, span, row);
  return [
    { variants: [{ kind: 'negation', how: 'removed', question, due: { kind: 'changed', gold, sql } }] },
  ];
}

function withoutDenial(
  question: string,
  span: Span,
  { affirmed: words, verb }: (typeof DENIALS)[number],
): string {
  const rest = question.slice(span.end);
  const behind =
    verb === undefined
      ? rest
      : rest.replace(/^(\s+)(\p{L}+)/u, (_, gap: string, word: string) => gap + inThirdPerson(word));
  return (question.slice(0, span.start) + words + behind).replace(/ {2,}/g, ' ');
}

function inThirdPerson(verb: string): string {
  if (verb === 'have') return 'has';
  if (/(?:s|sh|ch|x|z|o)$/.test(verb)) return `${verb}es`;
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`;
}

/** The query without its one denial. */
function affirmed(tree: SqlTree): string | undefined {
  // “is not null” beside a denial keeps it from failing, and denies nothing that was said.
  const [only, ...more] = nodesOf(tree, 'NEQ', 'Not', 'Except').filter(
    (node) => node.type !== 'Not' || child(node, 'this')?.type !== 'Is',
  );
  if (only === undefined || more.length > 0) return;
  switch (only.type) {
    case 'NEQ':
      return withTurnedSign(tree, only);
    case 'Not':
      return withWord(tree, only, /\bnot\s+/, '');
    default:
      return withWord(tree, only, /\bexcept\b/, 'INTERSECT');
  }
}

/** What may stand before a value, where a denial before both denies it: “from Italy” → “that are not from Italy”. */
const PLACED = /^(?:from|in|at)$/;
const IS = /^(?:is|are|was|were)$/;

/**
 * Only where the column's table is all that the gold reads: of what a row leads to, “not” may deny one of them or all. And only
 * where there is one condition, so that nothing else can be what is denied.
 */
function deny(site: AlteredSite): readonly Made[] {
  const [compared, ...more] = nodesOf(site.gold, 'EQ');
  const text = compared && writtenText(child(compared, 'expression') ?? compared);
  const tables = nodesOf(site.gold, 'Table');
  if (compared === undefined || text === undefined) return [];
  const because = 'not one condition of one table, with a place for “not” before its value';
  const own = onlyText(site.sql, text)?.parent;
  const span = onlyPlaceOf(site.question, text);
  const place = span && placeOfNot(site, span);
  if (more.length > 0 || tables.length > 1 || !isAlone(compared) || own?.type !== 'EQ' || place === undefined)
    return [{ kind: 'negation', because }];
  const [gold, sql] = [withTurnedSign(site.gold, compared), withTurnedSign(site.sql, own)];
  if (gold === undefined || sql === undefined || nodesOf(site.sql, 'EQ').length > 1)
    return [{ kind: 'negation', because }];
  const question = replaceAt(site.question, { start: place.at, end: place.at }, place.words);
  return [{ variants: [{ kind: 'negation', how: 'added', question, due: { kind: 'changed', gold, sql } }] }];
}

function isAlone({ parent }: SqlNode): boolean {
  return parent?.type === 'Where';
}

/** Where what denies is put in, and its words. */
function placeOfNot(
  { question, tableNames }: AlteredSite,
  { start, end }: Span,
): { readonly at: number; readonly words: string } | undefined {
  const quoted = /["'“‘]$/.test(question.slice(0, start)) ? start - 1 : start;
  const before = wordBefore(question, quoted);
  // In “what is Rome known for” the value is not what is said of something.
  if (!/^["'”’]?\s*(?:[?.,!]|$|(?:and|or|sorted|ordered|by|in)\b)/.test(question.slice(end)))
    return undefined;
  if (IS.test(before)) return { at: quoted, words: 'not ' };
  const isParticiple = /.{3}ed$/.test(before);
  if (!isParticiple && !PLACED.test(before)) return undefined;
  const at = question.slice(0, quoted).trimEnd().length - before.length;
  const holder = wordBefore(question, at);
  if (IS.test(holder)) return { at, words: 'not ' };
  const nouns = [...tableNames.values()].flat().flatMap((name) => lookupWords(name).at(-1) ?? []);
  // “that start in 1990” is denied by another word order: what is placed has to be the things themselves.
  const isThings =
    /^(?:have|people|those|ones)$/.test(holder) || nouns.includes(lookupWords(holder)[0] ?? '');
  if (!isThings) return undefined;
  return { at, words: isParticiple ? 'not ' : 'that are not ' };
}
