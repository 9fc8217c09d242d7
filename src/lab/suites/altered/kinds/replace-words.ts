/** Words of the question are replaced by synonyms; the rows stay. */
import { nameWords } from '../../../../language/index.ts';
import type { Span } from '../../../../sql/dialects/index.ts';
import { lookupWords } from '../../../synthesis/inventory/inventory.ts';
import type { AlteredSite, Made } from '../edits/alteration.ts';
import { phrasesIn, placesOf } from '../edits/question-text.ts';
import { writtenText } from '../edits/sql-edits.ts';

/** Two of a question at most: what more of them show is about the same words again. */
const MOST = 2;

export function replaceWords(site: AlteredSite): readonly Made[] {
  const dice = site.dice('synonym');
  const rows = Object.entries(site.words.synonyms).flatMap(([phrase, others]) => {
    const plural = isNoun(phrase) ? [{ phrase: pluralOf(phrase), others: others.map(pluralOf) }] : [];
    return [{ phrase, others }, ...plural];
  });
  const found = phrasesIn(site.question, rows).filter(({ span }) => !isInValue(site, span));
  const usable = found.flatMap(({ row, span }) => {
    // A synonym that names something else here is none.
    const others = row.others.filter((other) => !namesSomething(site, other));
    return others.length === 0 ? [] : [{ span, other: dice.pick(others) }];
  });
  if (found.length > 0 && usable.length === 0)
    return [{ kind: 'synonym', because: 'every synonym is a word of the database' }];
  return dice
    .shuffle(usable)
    .slice(0, MOST)
    .map(({ span, other }): Made => {
      const word = site.question.slice(span.start, span.end);
      const question = withArticle(site.question, span, isCapital(word) ? capital(other) : other);
      return {
        variants: [
          { kind: 'synonym', how: `${word.toLowerCase()} → ${other}`, question, due: { kind: 'same' } },
        ],
      };
    });
}

/** Whether a place of the question lies in a value that the gold compares with. */
function isInValue({ question, gold }: AlteredSite, { start, end }: Span): boolean {
  return gold.nodes.some((node) => {
    const places = placesOf(question, writtenText(node) ?? '');
    return places.some((place) => place.start < end && start < place.end);
  });
}

function namesSomething({ catalog }: AlteredSite, text: string): boolean {
  const words = lookupWords(text);
  return catalog.tables.some(({ name, columns }) =>
    [name, ...columns.map((column) => column.name)].some((each) => {
      const own = lookupWords(nameWords(each).join(' '));
      return words.every((word) => own.includes(word));
    }),
  );
}

const NO_NOUN =
  /^(?:average|maximum|minimum|highest|lowest|largest|smallest|different|distinct|each|every|sorted|ordered|earliest|latest|people|population|descending|ascending)$|\s|[^s]s$/;

/** Whether a word or phrase of the list has a plural of its own. */
function isNoun(phrase: string): boolean {
  return !NO_NOUN.test(phrase);
}

/** `category` → `categories`, `staff member` → `staff members`. */
function pluralOf(noun: string): string {
  if (/(?:s|sh|ch|x|z)$/.test(noun)) return `${noun}es`;
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

/** “an album” → “a record”. */
function withArticle(question: string, span: Span, text: string): string {
  const before = question
    .slice(0, span.start)
    .replace(
      /\b([Aa])n?(\s+)$/u,
      (_, letter: string, gap: string) => `${letter}${/^[aeiou]/i.test(text) ? 'n' : ''}${gap}`,
    );
  return before + text + question.slice(span.end);
}

function isCapital(word: string): boolean {
  return /^\p{Lu}/u.test(word);
}

function capital(text: string): string {
  return (text[0]?.toUpperCase() ?? '') + text.slice(1);
}
