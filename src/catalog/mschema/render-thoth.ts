import { listedValue } from './one-line.ts';
import type { ColumnText, SchemaText, TableText } from './schema-text.ts';

/** CREATE TABLE statements with a comment line for each fact; keys as `t.c=t2.c2`. Source: ThothAI, section 11. */
export function renderThoth({ tables, keys }: SchemaText): string {
  if (tables.length === 0) return '【Schema】\n-- no schema: no table is in view\n';
  const pairs = keys.flatMap(({ fromTable, toTable, pairs }) =>
    pairs.map(([from, to]) => `${fromTable}.${from}=${toTable}.${to}`),
  );
  return [
    '【Schema】',
    ...tables.flatMap(tableLines),
    ...(pairs.length === 0 ? [] : ['【Foreign keys】', ...new Set(pairs)]),
    '',
  ].join('\n');
}

function tableLines({ name, comment, columns }: TableText): string[] {
  return [
    ...(comment === '' ? [] : [`-- ${comment}`]),
    `CREATE TABLE ${name} (`,
    ...columns.flatMap(columnLines),
    ');',
    '',
  ];
}

function columnLines({ name, type, comment, isPrimaryKey, examples, form }: ColumnText): string[] {
  return [
    `  ${name}${type === '' ? '' : ` ${type}`}${isPrimaryKey ? ' -- PRIMARY KEY' : ''}`,
    ...(comment === '' ? [] : [`  -- ${comment}`]),
    ...(examples.length === 0 ? [] : [`  -- Examples: ${examples.map(listedValue).join(', ')}`]),
    ...(form === '' ? [] : [`  -- Form of the values: ${form}`]),
  ];
}
