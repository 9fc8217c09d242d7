/** The verdict on a statement before it may meet an engine: it reads, and only from tables. Unknown means no. */
import type { DialectName } from './dialect.ts';
import { DUCKDB_READING } from './functions/duckdb.ts';
import type { ReadingRules } from './functions/reading-rules.ts';
import { SQLITE_READING } from './functions/sqlite.ts';
import { significantTokens, type Token } from './lex-sql.ts';
import type { ParsedQuery } from './parse.ts';
import { ALLOWED_VARIANTS, PLAIN_FIELDS } from './reading-nodes.ts';
import {
  field,
  isEmpty,
  isQueryNode,
  isTreeNode,
  isVariantName,
  nameParts,
  type TreeNode,
  variantOf,
} from './syntax-tree.ts';

export type ReadOnlyVerdict =
  | { readonly readOnly: true }
  | {
      readonly readOnly: false;
      /** Why, in a sentence without its full stop. */
      readonly reason: string;
      /** The word, function, table or node that is not allowed. */
      readonly offending: string;
    };

type Refusal = Extract<ReadOnlyVerdict, { readOnly: false }>;

const READING: Readonly<Record<DialectName, ReadingRules>> = {
  sqlite: SQLITE_READING,
  duckdb: DUCKDB_READING,
};

const ALLOWED: ReadOnlyVerdict = { readOnly: true };
const FIRST_WORDS = new Set(['select', 'with', 'values', 'from', '(']);

/** Judges parsed SQL: one statement, reading node kinds only, known functions only, no files and no system tables. */
export function checkReadOnly(query: ParsedQuery): ReadOnlyVerdict {
  return checkTokens(query.tokens, query.dialect) ?? checkStatements(query) ?? ALLOWED;
}

/** The part of the verdict that needs no parser, so that PRAGMA or COPY get a better answer than a parse error. */
export function checkTokens(tokens: readonly Token[], dialect: DialectName): Refusal | undefined {
  const significant = significantTokens(tokens);
  const first = significant.find((token) => token.text !== '(');
  if (first && !FIRST_WORDS.has(first.text.toLowerCase())) {
    return refuse(`a statement that begins with ${first.text} is not a query`, first.text);
  }
  const end = significant.findIndex((token) => token.kind === 'operator' && token.text === ';');
  const next = end === -1 ? undefined : significant.slice(end).find((token) => token.text !== ';');
  if (next) return refuse('there is more than one statement', next.text);
  for (const token of tokens) {
    if (token.kind === 'parameter') return refuse('a parameter has no value here', token.text);
    if (token.kind === 'text' && READING[dialect].riskyText?.test(token.text)) {
      return refuse('text with escapes of its own is not allowed; use a plain quoted text', token.text);
    }
    // The engines stop reading at NUL, the parser does not.
    if (token.text.includes('\0')) return refuse('the text holds a NUL character', '\\0');
  }
  return undefined;
}

function checkStatements(query: ParsedQuery): Refusal | undefined {
  if (query.statements.length !== 1) {
    return refuse('there must be exactly one statement', `${query.statements.length} statements`);
  }
  const root = variantOf(query.statements[0]);
  if (root?.name !== 'Query')
    return refuse('only SELECT, WITH and VALUES are allowed', root?.name ?? 'unknown');
  const rules = READING[query.dialect];
  // A list instead of recursion: the tree may be as deep as the longest chain of operators.
  const open: unknown[] = [root.content];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) for (const item of value) open.push(item ?? null);
    if (!isTreeNode(value)) continue;
    const refusal = checkNode(value, rules);
    if (refusal) return refusal;
    for (const [key, child] of Object.entries(value)) {
      if (!isInert(key)) open.push(child ?? null);
    }
  }
  return undefined;
}

/** Types, collations, places and kept tokens hold no expressions, and any word may stand in them. */
function isInert(key: string): boolean {
  return key === 'data_type' || key === 'collation' || key === 'span' || key.endsWith('_token');
}

function checkNode(node: TreeNode, rules: ReadingRules): Refusal | undefined {
  if (isQueryNode(node)) {
    const refusal = checkFields(node, PLAIN_FIELDS.query);
    if (refusal) return refusal;
  }
  for (const [key, content] of Object.entries(node)) {
    if (!isVariantName(key)) continue;
    if (!ALLOWED_VARIANTS.has(key)) return refuse(`${key} is not part of a plain query`, key);
    const refusal = checkVariant(key, content, rules);
    if (refusal) return refusal;
  }
  return undefined;
}

function checkVariant(name: string, content: unknown, rules: ReadingRules): Refusal | undefined {
  if (name === 'Select') return checkFields(content, PLAIN_FIELDS.select);
  if (name === 'Function') return checkFunction(content, rules);
  if (name === 'Table') return checkTable(content, rules);
  return undefined;
}

/** SELECT … INTO, FOR UPDATE and whatever else hangs on a query as a field: all but the known fields stay empty. */
function checkFields(node: unknown, plain: ReadonlySet<string>): Refusal | undefined {
  if (!isTreeNode(node)) return undefined;
  const extra = Object.keys(node).find((key) => !plain.has(key) && !isEmpty(node[key]));
  return extra === undefined ? undefined : refuse(`${extraName(extra)} is not part of a plain query`, extra);
}

function extraName(fieldName: string): string {
  if (fieldName === 'into') return 'SELECT … INTO';
  if (fieldName === 'locks') return 'a locking clause (FOR UPDATE, FOR SHARE)';
  return fieldName.replaceAll('_', ' ');
}

function checkFunction(content: unknown, rules: ReadingRules): Refusal | undefined {
  const parts = nameParts(field(content, 'name'));
  const shown = parts?.map((part) => part.name).join('.') ?? 'a computed name';
  const name = parts?.[0]?.name.toLowerCase();
  if (parts?.length !== 1 || name === undefined) {
    return refuse(`the function ${shown} is called through a schema`, shown);
  }
  return rules.functions.has(name) ? undefined : refuseFunction(name, rules);
}

function refuseFunction(name: string, rules: ReadingRules): Refusal {
  const why = Object.hasOwn(rules.refused, name) ? rules.refused[name] : undefined;
  return refuse(
    why === undefined
      ? `the function ${name} is not on the list of functions that only compute`
      : `the function ${name} ${why}`,
    name,
  );
}

function checkTable(content: unknown, rules: ReadingRules): Refusal | undefined {
  const extra = checkFields(content, PLAIN_FIELDS.table);
  if (extra) return extra;
  const parts = nameParts(field(content, 'name'));
  if (parts === undefined) return refuse('a table is named by an expression', 'table');
  const last = parts.at(-1)?.name.toLowerCase() ?? '';
  if (!isEmpty(field(content, 'args'))) {
    if (parts.length === 1 && rules.tableFunctions.has(last)) return undefined;
    return Object.hasOwn(rules.refused, last)
      ? refuseFunction(last, rules)
      : refuse(`the function ${last} is not allowed in FROM`, last);
  }
  const schema = parts.slice(0, -1).map((part) => part.name.toLowerCase());
  if (rules.systemTable.test(last) || schema.some((name) => rules.systemSchemas.has(name))) {
    return refuse(`${last} belongs to the engine, it is not the user's data`, last);
  }
  return checkFileTable(parts, rules);
}

const FILE_ENDING = /^(?:csv|tsv|txt|json|jsonl|ndjson|parquet|arrow|xlsx?|db|duckdb|sqlite3?|gz|zst)$/i;

function checkFileTable(
  parts: readonly { readonly name: string; readonly quote: string | undefined }[],
  rules: ReadingRules,
): Refusal | undefined {
  if (rules.fileTable === undefined) return undefined;
  const pattern = rules.fileTable;
  const shown = parts.map((part) => part.name).join('.');
  const isFile =
    parts.some((part) => part.quote === "'" || pattern.test(part.name)) ||
    (parts.length > 1 && FILE_ENDING.test(parts.at(-1)?.name ?? ''));
  return isFile ? refuse(`${shown} would be read as a file`, shown) : undefined;
}

function refuse(reason: string, offending: string): Refusal {
  return { readOnly: false, reason, offending };
}
