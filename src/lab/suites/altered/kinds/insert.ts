/** A restriction that the database knows nothing of is put into the question. */
import type { Span } from '../../../../sql/dialects/index.ts';
import { lookupWords } from '../../../synthesis/inventory/inventory.ts';
import type { Alteration, AlteredSite, Made } from '../edits/alteration.ts';
import { asContinued, placesOf, replaceAt, splitEnd, wordAfter, wordBefore } from '../edits/question-text.ts';
import { nodesOf } from '../edits/sql-edits.ts';
import type { WordClass } from '../edits/word-list.ts';

type Position = 'before' | 'after' | 'end' | 'beginning';

/** How a word of each class restricts at each position; `{word}` is the word. */
const RESTRICTIONS: Readonly<Record<Position, Readonly<Partial<Record<WordClass, readonly string[]>>>>> = {
  before: { adjective: ['{word}'], organisation: ['{word}'], place: ['{word}'], noun: ['{word}'] },
  after: {
    place: ['in {word}', 'from {word}'],
    person: ['named {word}', 'of {word}'],
    organisation: ['of {word}', 'at {word}'],
    noun: ['with a {word}', 'that have a {word}'],
    adjective: ['that are {word}'],
  },
  end: {
    noun: [', only those approved by the {word}', ', only those with a {word}'],
    adjective: [', only the {word} ones', ' that are {word}'],
    place: [' in {word}', ', but only in {word}'],
    person: [', only those handled by {word}', ' for {word}'],
    organisation: [', only those of {word}', ' at {word}'],
  },
  beginning: {
    organisation: ['For {word}, ', 'At {word}, '],
    place: ['In {word}, ', 'For {word}, '],
    person: ['For {word}, '],
    adjective: ['Looking only at {word} ones, '],
    noun: ['Looking only at those with a {word}, ', 'Among those with a {word}, '],
  },
};

/** One restriction for each position, of a class that chance takes. */
export function insertRestrictions(site: AlteredSite): readonly Made[] {
  const { unreadBecause } = site.known;
  if (unreadBecause !== undefined) return [{ kind: 'insert', because: unreadBecause }];
  const noun = tableNoun(site);
  return [
    insertAt(site, 'before', beforeNoun(site.question, noun)),
    insertAt(site, 'after', afterNoun(site.question, noun)),
    insertAt(site, 'end', atEnd(site.question)),
    insertAt(site, 'beginning', (text) => text + asContinued(site.question)),
  ];
}

type Place = ((restriction: string) => string) | undefined;

function insertAt(site: AlteredSite, position: Position, place: Place): Made {
  if (place === undefined)
    return { kind: 'insert', because: `no certain place ${position} the noun of a table` };
  const dice = site.dice(`insert ${position}`);
  const classes = dice.shuffle(Object.entries(RESTRICTIONS[position]));
  for (const [name, forms] of classes) {
    const wordClass = name as WordClass;
    const word = dice.shuffle(site.words[wordClass]).find((each) => !site.known.knows(each));
    if (word === undefined) continue;
    const form = dice.pick(forms).replace(/\ba (?=\{)/, /^[aeiou]/i.test(word) ? 'an ' : 'a ');
    const question = place(form.replace('{word}', word));
    const due = { kind: 'asked', word } as const;
    const alteration: Alteration = { kind: 'insert', how: `${position}, ${wordClass}`, question, due };
    return { variants: [alteration] };
  }
  return { kind: 'insert', because: 'the database knows every word of the list' };
}

/** The words in the question that name a table of the gold, where they stand once. */
function tableNoun(site: AlteredSite): Span | undefined {
  const tables = new Set(
    nodesOf(site.gold, 'Table').map(({ children }) => children[0]?.value?.toLowerCase()),
  );
  const read = site.catalog.tables.filter(({ name }) => tables.has(name.toLowerCase()));
  const nouns = read
    .flatMap(({ id }) => site.tableNames.get(id) ?? [])
    .map((name) => lookupWords(name).join(' '));
  const words = [...site.question.matchAll(/[\p{L}\p{N}]+/gu)];
  const found = [3, 2, 1].flatMap((length) =>
    words.slice(0, words.length - length + 1).flatMap((first, at): readonly Span[] => {
      const last = words[at + length - 1] ?? first;
      const span = { start: first.index, end: last.index + last[0].length };
      const text = site.question.slice(span.start, span.end);
      return /^[\p{L}\p{N} ]+$/u.test(text) && nouns.includes(lookupWords(text).join(' ')) ? [span] : [];
    }),
  );
  // A name inside what the answer read as one longer part is no noun of its own: “Customer Service”.
  const alone = found.filter((span) => !site.read.some(({ questionSpan }) => isWithin(span, questionSpan)));
  return alone.find(
    ({ start, end }) => placesOf(site.question, site.question.slice(start, end)).length === 1,
  );
}

function isWithin({ start, end }: Span, outer: Span): boolean {
  return outer.start <= start && end <= outer.end && outer.end - outer.start > end - start;
}

/** What may stand before a noun without being a part of it. */
const BEFORE =
  /^(?:|the|all|of|many|which|what|list|show|find|for|by|our|any|every|each|these|those|among|to|in|from|with|have|are|count|about|per|different|other)$/;
/** What may stand after it without being one. */
const AFTER =
  /^(?:|do|does|did|are|is|was|were|have|has|had|that|who|which|whose|with|in|from|by|of|for|on|at|there|we|can|per|born|sorted|ordered|ranked)$/;

function beforeNoun(question: string, noun: Span | undefined): Place {
  if (noun === undefined || !BEFORE.test(wordBefore(question, noun.start))) return undefined;
  const isFirst = noun.start === 0;
  return (text) =>
    isFirst
      ? `${text} ${question[0]?.toLowerCase() ?? ''}${question.slice(1)}`
      : replaceAt(question, { start: noun.start, end: noun.start }, `${text} `);
}

function afterNoun(question: string, noun: Span | undefined): Place {
  if (noun === undefined || !AFTER.test(wordAfter(question, noun.end))) return undefined;
  if (!/^(?:[\s,?.!]|$)/.test(question.slice(noun.end))) return undefined;
  return (text) => replaceAt(question, { start: noun.end, end: noun.end }, ` ${text}`);
}

function atEnd(question: string): Place {
  const [body, end] = splitEnd(question);
  return (text) => body + text + end;
}
