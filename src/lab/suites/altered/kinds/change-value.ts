/** A stored value is replaced by another of its column, and by one that is stored nowhere. */
import { child, type SqlNode } from '../../../../sql/tree/index.ts';
import type { Alteration, AlteredSite, Made } from '../edits/alteration.ts';
import { onlyPlaceOf, replaceAt } from '../edits/question-text.ts';
import { nodesOf, onlyText, quotedText, withText, writtenText } from '../edits/sql-edits.ts';
import type { WordClass } from '../edits/word-list.ts';

/** Two for each text of the gold that is compared for equality and stands once in question, gold and query. */
export async function changeValues(site: AlteredSite): Promise<readonly Made[]> {
  const compared = nodesOf(site.gold, 'EQ').flatMap((node) => {
    const [column, value] = [child(node, 'this'), child(node, 'expression')];
    return column?.type === 'Column' && value !== undefined && writtenText(value) !== undefined
      ? [{ column, value }]
      : [];
  });
  const made = await Promise.all(compared.map(({ column, value }) => changeValue(site, column, value)));
  return made.flat();
}

async function changeValue(site: AlteredSite, column: SqlNode, gold: SqlNode): Promise<readonly Made[]> {
  const text = writtenText(gold) ?? '';
  const span = text.trim().length < 2 ? undefined : onlyPlaceOf(site.question, text);
  const own = onlyText(site.sql, text);
  const isOnce = span !== undefined && own !== undefined && onlyText(site.gold, text) === gold;
  if (!isOnce)
    return [{ kind: 'value', because: 'the value does not stand once in question, gold and query' }];
  const withValue = (value: string): { question: string; gold: string; sql: string } => ({
    question: replaceAt(site.question, span, value),
    gold: withText(site.gold, gold, quotedText(site.gold, value)),
    sql: withText(site.sql, own, quotedText(site.sql, value)),
  });
  const stored = await otherStored(site, column, text);
  const others = stored.map((value): Alteration => {
    const { question, ...queries } = withValue(value);
    return { kind: 'value', how: 'stored', question, due: { kind: 'changed', ...queries, literal: value } };
  });
  return [
    others.length === 0
      ? { kind: 'value', because: 'the column has no other value that says itself' }
      : { variants: others },
    unstored(site, text, (value) => withValue(value).question),
  ];
}

const MOST_TRIED = 4;

/** Values that look like the one replaced and mean nothing else in the question. */
async function otherStored(site: AlteredSite, column: SqlNode, text: string): Promise<readonly string[]> {
  const name = child(column, 'this')?.value?.toLowerCase();
  const tables = new Set(
    nodesOf(site.gold, 'Table').map(({ children }) => children[0]?.value?.toLowerCase()),
  );
  const homes = site.catalog.tables.filter(
    (table) =>
      tables.has(table.name.toLowerCase()) && table.columns.some((each) => each.name.toLowerCase() === name),
  );
  const [home, ...more] = homes;
  const stored = home?.columns.find((each) => each.name.toLowerCase() === name);
  if (home === undefined || stored === undefined || more.length > 0) return [];
  const values = await site.storedValues(home.id, stored.name);
  const isNumber = /^\d+$/.test(text);
  const usable = values.filter(
    (value) =>
      value.toLowerCase() !== text.toLowerCase() &&
      /^\d+$/.test(value) === isNumber &&
      /^[\p{L}\p{N}][\p{L}\p{N} '&.-]{1,40}$/u.test(value) &&
      !value.toLowerCase().includes(text.toLowerCase()) &&
      !text.toLowerCase().includes(value.toLowerCase()) &&
      onlyPlaceOf(site.question, value) === undefined &&
      !isFunctionWord(value),
  );
  return site.dice(`value ${text}`).shuffle(usable).slice(0, MOST_TRIED);
}

function isFunctionWord(value: string): boolean {
  return /^(?:all|and|any|are|as|at|be|by|do|for|from|he|hi|id|if|in|is|it|me|no|none|not|of|oh|ok|on|or|other|so|the|to|up|us|we|will|with|yes)$/i.test(
    value,
  );
}

/** A name in capitals is replaced by a name, another word by an adjective. */
function unstored(site: AlteredSite, text: string, asked: (value: string) => string): Made {
  const { unreadBecause, knows } = site.known;
  if (unreadBecause !== undefined) return { kind: 'unstored-value', because: unreadBecause };
  if (/\d/.test(text)) return { kind: 'unstored-value', because: 'no word of the list looks like a code' };
  const dice = site.dice(`unstored ${text}`);
  const wordClass: WordClass = /^\p{Lu}/u.test(text)
    ? dice.pick(['place', 'person', 'organisation'] as const)
    : 'adjective';
  const word = dice.shuffle(site.words[wordClass]).find((each) => !knows(each));
  if (word === undefined)
    return { kind: 'unstored-value', because: 'the database knows every word of the list' };
  const due = { kind: 'asked-or-written', word } as const;
  return { variants: [{ kind: 'unstored-value', how: wordClass, question: asked(word), due }] };
}
