/** What a model guessed, in lines for whoever writes SQL: marked, and only where no person has said anything. */
import type { Catalog, Column, Table } from '../../catalog/index.ts';
import type { Authored } from '../authored/authored.ts';
import { type DescribedTable, type Guess, guessedText } from '../authored/described.ts';
import { findDatasetTable } from '../semantic/find-dataset-table.ts';
import type { SemanticModel } from '../semantic/semantic-model.ts';

export interface GuessNotes {
  /** By canonical id; tables and columns that are not in the catalog have none. */
  readonly tables: ReadonlyMap<string, readonly string[]>;
  readonly columns: ReadonlyMap<string, readonly string[]>;
}

const NONE: GuessNotes = { tables: new Map(), columns: new Map() };

/**
 * Of all tables of the catalog. `isPrivate`: only what a model said that was shown no cell. What it says itself is hardly
 * more than a guess (`sure: low`) waits for its review and is told to nobody else.
 */
export function guessNotes(
  { described }: Pick<Authored, 'described'>,
  semantics: SemanticModel,
  catalog: Catalog,
  { isPrivate }: { readonly isPrivate: boolean },
): GuessNotes {
  if (described === undefined) return NONE;
  const said = peopleSaid(semantics, catalog);
  const known = new Map(catalog.tables.map((table) => [table.id, table]));
  const tables = new Map<string, readonly string[]>();
  const columns = new Map<string, readonly string[]>();
  for (const entry of described) {
    const table = known.get(entry.table);
    if (table === undefined || (isPrivate && entry.isPrivate !== true)) continue;
    const told = toldOfTable(entry, table, said);
    if (told.table !== undefined) tables.set(table.id, [guessedText(told.table.text)]);
    for (const [id, lines] of told.columns) columns.set(id, lines);
  }
  return { tables, columns };
}

function toldOfTable(
  { guesses }: DescribedTable,
  table: Table,
  said: PeopleSaid,
): { readonly table: Guess | undefined; readonly columns: ReadonlyMap<string, readonly string[]> } {
  const told = guesses.filter(({ sure }) => sure !== 'low');
  const columns = new Map<string, readonly string[]>();
  for (const column of table.columns) {
    const own = told.filter(({ of }) => of === column.id);
    const text = said.isColumn(column) ? undefined : own.find(({ value }) => value === undefined)?.text;
    const codes = own.flatMap(({ value, text: meaning }) =>
      value === undefined || said.isValue(column, value) ? [] : [`${JSON.stringify(value)} is ${meaning}`],
    );
    const lines = [
      ...(text === undefined ? [] : [guessedText(text)]),
      ...(codes.length === 0 ? [] : [guessedText(codes.join(', '))]),
    ];
    if (lines.length > 0) columns.set(column.id, lines);
  }
  const ofTable = told.find(({ of, value }) => of === table.id && value === undefined);
  return { table: said.isTable(table) ? undefined : ofTable, columns };
}

/** What people have said of tables, columns and stored values: nothing that a model guesses takes its place. */
export interface PeopleSaid {
  isTable(table: Table): boolean;
  isColumn(column: Column): boolean;
  /** A value mapping names the value, or a text about the column holds it as a word. */
  isValue(column: Column, value: string): boolean;
}

export function peopleSaid(
  { datasets, dimensions, fields = [], valueMappings }: SemanticModel,
  catalog: Catalog,
): PeopleSaid {
  const tables = new Map<string, string>();
  const texts = new Map<string, string>();
  for (const dataset of datasets) {
    const id = findDatasetTable(dataset, catalog)?.id;
    if (id === undefined) continue;
    tables.set(dataset.table, id);
    if (isText(dataset.description)) texts.set(id, dataset.description);
  }
  const columnId = (column: string): string => {
    const dot = column.lastIndexOf('.');
    return `${tables.get(column.slice(0, dot)) ?? column.slice(0, dot)}${column.slice(dot)}`;
  };
  for (const { column, description } of [...dimensions, ...fields])
    if (isText(description)) texts.set(columnId(column), description);
  const values = new Set(valueMappings.map(({ column, value }) => keyOf(columnId(column), String(value))));
  return {
    isTable: ({ id, comment }) => texts.has(id) || isText(comment),
    isColumn: ({ id, comment }) => texts.has(id) || isText(comment),
    isValue: ({ id, comment = '' }, value) =>
      values.has(keyOf(id, value)) || holdsWord(`${texts.get(id) ?? ''}\n${comment}`, value),
  };
}

function isText(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}

function keyOf(column: string, value: string): string {
  return JSON.stringify([column, value]);
}

function holdsWord(text: string, word: string): boolean {
  const isPart = (character = ''): boolean => /[\p{L}\p{N}_]/u.test(character);
  for (let at = text.indexOf(word); at >= 0 && word !== ''; at = text.indexOf(word, at + 1))
    if (!isPart(text[at - 1]) && !isPart(text[at + word.length])) return true;
  return false;
}
