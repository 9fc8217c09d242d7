import { listedValue } from './one-line.ts';
import type { ColumnText, SchemaText, TableText } from './schema-text.ts';

/** One tuple a column, one bracketed list a table. Source: XiYan M-Schema (ThothAI, section 11). */
export function renderXiyan({ database, tables, keys }: SchemaText): string {
  const head = [`【DB_ID】 ${database}`, '【Schema】'];
  if (tables.length === 0) return [...head, '# no schema: no table is in view', ''].join('\n');
  const pairs = keys.flatMap(({ fromTable, toTable, pairs }) =>
    pairs.map(([from, to]) => `${fromTable}.${from}=${toTable}.${to}`),
  );
  return [
    ...head,
    ...tables.flatMap(tableLines),
    ...(pairs.length === 0 ? [] : ['【Foreign keys】', ...new Set(pairs)]),
    '',
  ].join('\n');
}

function tableLines({ name, comment, columns }: TableText): string[] {
  return [
    `# Table: ${name}${comment === '' ? '' : `, ${comment}`}`,
    '[',
    ...columns.map((column, at) => `(${columnParts(column)})${at < columns.length - 1 ? ',' : ''}`),
    ']',
  ];
}

function columnParts({ name, type, comment, isPrimaryKey, examples, form }: ColumnText): string {
  return [
    type === '' ? name : `${name}:${type}`,
    ...(comment === '' ? [] : [comment]),
    ...(isPrimaryKey ? ['Primary Key'] : []),
    ...(examples.length === 0 ? [] : [`Examples: [${examples.map(listedValue).join(', ')}]`]),
    ...(form === '' ? [] : [`Form: ${form}`]),
  ].join(', ');
}
