/** What people have said of tables, columns and stored values: nothing that a model guesses takes its place. */
import type { Catalog, Column, Table } from '../../catalog/index.ts';
import { findDatasetTable } from '../semantic/find-dataset-table.ts';
import type { SemanticModel } from '../semantic/semantic-model.ts';

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
