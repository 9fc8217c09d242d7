/** Tables and columns as searchable documents, one at a time: a warehouse has hundreds of thousands of columns. */
import { type Catalog, type Column, nameWords, type Table } from '../../catalog/index.ts';
import type { SearchDocument } from '../search/search-store.ts';
import { longForms } from './abbreviations.ts';
import type { Descriptions } from './descriptions.ts';
import { contentWords } from './question-words.ts';

/** Different words that stand for the columns of a table, and for what is said of them. */
const COLUMN_WORDS = 600;
const COMMENT_WORDS = 100;
/** A longer text is a manual; its start says what the thing is. */
const TEXT_CHARACTERS = 2_000;
const NO_DESCRIPTIONS: Descriptions = { table: () => [], column: () => [] };

/**
 * Every table and column of a catalog. Numbers of a name are left out of a table's title, so that the 366 days of one
 * table are one content; `choose-members.ts` tells them apart. Pass a catalog that holds what the reader may see.
 */
export function* catalogDocuments(catalog: Catalog, descriptions: Descriptions): Generator<SearchDocument> {
  for (const table of catalog.tables) {
    yield tableDocument(table, catalog.database, descriptions);
    for (const column of table.columns) yield columnDocument(column, descriptions);
  }
}

/**
 * Columns and comments give their words once: a word in 50 columns does not make a table 50 times as relevant. Where it
 * stands counts twice, as people ask for `the citibike trips` of the schema `new_york`.
 */
export function tableDocument(
  table: Table,
  database: string,
  descriptions: Descriptions = NO_DESCRIPTIONS,
): SearchDocument {
  const title = wordsWithoutNumbers(table.name);
  const around = [table.schema ?? '', table.catalog ?? database].flatMap(nameWords);
  const columns = new Set<string>();
  const comments = new Set<string>();
  // By name: some engines list the columns of each day of a table in another order, and equal columns are one text.
  const ordered = [...table.columns].sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const { id, name, comment = '' } of ordered) {
    for (const word of nameWords(name)) if (columns.size < COLUMN_WORDS) columns.add(word);
    if (comments.size >= COMMENT_WORDS) continue;
    for (const word of contentWords([comment, ...descriptions.column(id)].join(' ')))
      if (comments.size < COMMENT_WORDS && !columns.has(word)) comments.add(word);
  }
  const words = [...around, ...longForms(title), ...columns, ...longForms([...columns]), ...comments];
  const said = [table.comment ?? '', ...descriptions.table(table.id)].map(cut).filter(Boolean);
  return {
    kind: 'table',
    id: table.id,
    title: title.join(' '),
    body: [...new Set(said), around.join(' '), [...new Set(words)].join(' ')].join('\n'),
    tableIds: [table.id],
  };
}

/**
 * Equal names and comments give equal texts, whichever table they stand in: the store keeps such a text once. Stored
 * values are not in it: the value index finds them, under its own rules of what may be kept.
 */
function columnDocument(column: Column, descriptions: Descriptions): SearchDocument {
  const title = nameWords(column.name);
  const said = [column.comment ?? '', ...descriptions.column(column.id)].map(cut);
  const body = [...said, longForms(title).join(' ')].filter(Boolean);
  const { id, tableId } = column;
  return {
    kind: 'column',
    id,
    title: title.join(' '),
    body: [...new Set(body)].join('\n'),
    tableIds: [tableId],
  };
}

/** A name of numbers alone keeps them: it has nothing else. */
function wordsWithoutNumbers(name: string): string[] {
  const words = nameWords(name);
  const texts = words.map((word) => word.replace(/\p{N}+/gu, '')).filter((word) => word !== '');
  return texts.length > 0 ? texts : words;
}

function cut(text: string): string {
  const trimmed = text.trim();
  return trimmed.length > TEXT_CHARACTERS ? `${trimmed.slice(0, TEXT_CHARACTERS)}…` : trimmed;
}
