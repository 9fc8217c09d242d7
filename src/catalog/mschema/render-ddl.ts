import { listedValue } from './one-line.ts';
import type { ColumnText, KeyText, SchemaText, TableText } from './schema-text.ts';

/** SQL that makes the tables, with comments: the form that models have seen most of. */
export function renderDdl({ tables, keys }: SchemaText): string {
  if (tables.length === 0) return '-- Schema\n-- no schema: no table is in view\n';
  const keysOf = new Map<string, KeyText[]>();
  for (const key of keys) keysOf.set(key.fromTable, [...(keysOf.get(key.fromTable) ?? []), key]);
  return tables.map((table) => tableLines(table, keysOf.get(table.name) ?? []).join('\n')).join('\n');
}

function tableLines({ name, comment, columns, isKeyWhole }: TableText, keys: readonly KeyText[]): string[] {
  const primary = isKeyWhole ? columns.filter(({ isPrimaryKey }) => isPrimaryKey) : [];
  const parts = [
    ...columns.map((column) => columnPart(column, primary.length === 1 && primary[0] === column)),
    ...(primary.length > 1 ? [{ text: `PRIMARY KEY (${primary.map((part) => part.name).join(', ')})` }] : []),
    ...[...new Set(keys.map(foreignKey))].map((text) => ({ text })),
  ];
  return [
    ...(comment === '' ? [] : [`-- ${comment}`]),
    `CREATE TABLE ${name} (`,
    ...parts.map(
      (part, at) => `  ${part.text}${at < parts.length - 1 ? ',' : ''}${'note' in part ? part.note : ''}`,
    ),
    ');',
    '',
  ];
}

interface Part {
  readonly text: string;
  /** A comment after the comma. */
  readonly note: string;
}

function columnPart(
  { name, type, comment, isNullable, examples, form }: ColumnText,
  isPrimaryKey: boolean,
): Part {
  const shown = examples.length === 0 ? [] : [`Examples: ${examples.map(listedValue).join(', ')}`];
  const looks = form === '' ? [] : [`Form of the values: ${form}`];
  const notes = [...(comment === '' ? [] : [comment]), ...shown, ...looks];
  const rule = isPrimaryKey ? ' PRIMARY KEY' : isNullable ? '' : ' NOT NULL';
  return {
    text: `${name}${type === '' ? '' : ` ${type}`}${rule}`,
    note: notes.length === 0 ? '' : ` -- ${notes.join(' | ')}`,
  };
}

function foreignKey({ toTable, pairs }: KeyText): string {
  const from = pairs.map(([name]) => name).join(', ');
  const to = pairs.map(([, name]) => name).join(', ');
  return `FOREIGN KEY (${from}) REFERENCES ${toTable} (${to})`;
}
