import type { ReadingRules } from '../functions/reading-rules.ts';
import { child, type SqlNode } from '../tree/node.ts';
import { isSystemTable, tableName } from './system-table.ts';
import { type Refusal, refuse } from './verdict.ts';

const FILE_ENDING = /^(?:csv|tsv|txt|json|jsonl|ndjson|parquet|arrow|xlsx?|db|duckdb|sqlite3?|gz|zst)$/i;

/** Judges one table: the user's data, neither the engine's own tables nor a file. */
export function checkTable(node: SqlNode, rules: ReadingRules): Refusal | undefined {
  const name = child(node, 'this');
  if (name === undefined || name.type !== 'Identifier') return undefined;
  const parts = node.children.filter(({ type }) => type === 'Identifier');
  const names = parts.map(({ value }) => value ?? '');
  const last = name.value?.toLowerCase() ?? '';
  if (isSystemTable(node, rules)) {
    return refuse(`${tableName(node)} belongs to the engine, it is not the user's data`, last, node);
  }
  if (name.flags.quoted === undefined && rules.statementWords.has(last)) {
    return refuse(`${name.value} begins a statement of its own unless it is quoted`, last, node);
  }
  if (parts.length === 1 && name.flags.quoted === undefined && rules.tableWords?.has(last)) {
    return refuse(`the function ${last} ${rules.refused[last]}`, last, node);
  }
  return isFile(parts, rules)
    ? refuse(`${names.join('.')} would be read as a file`, names.join('.'), node)
    : undefined;
}

function isFile(parts: readonly SqlNode[], rules: ReadingRules): boolean {
  const isText = parts.some(({ flags }) => flags.quoted === "'" || flags.quoted === '@');
  if (isText && rules.textNamesTable !== true) return true;
  const pattern = rules.fileTable;
  if (pattern === undefined) return false;
  return (
    parts.some(({ value }) => pattern.test(value ?? '')) ||
    (parts.length > 1 && FILE_ENDING.test(parts.at(-1)?.value ?? ''))
  );
}
