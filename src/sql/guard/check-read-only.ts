/** The verdict on a statement before it may meet an engine: it reads, and only from tables. Unknown means no. */
import type { ReadingRules } from '../functions/reading-rules.ts';
import { isEscapedName } from '../parser/reader/escaped-names.ts';
import { child, type SqlNode, type SqlTree } from '../tree/node.ts';
import { NODE_SHAPES } from '../tree/node-types.ts';
import { checkTokens, type ReadOnlyVerdict, type Refusal, refuse } from './check-tokens.ts';
import { READING } from './reading-dialects.ts';

/** Node types of the tree that do more than read, or hold what nobody read. */
const REFUSED: Readonly<Record<string, (node: SqlNode) => Refusal>> = {
  Command: (node) => refuse(`${node.value ?? 'this'} is not part of a query`, node.value ?? 'command', node),
  Into: (node) => refuse('SELECT … INTO is not part of a plain query', 'into', node),
  Lock: (node) =>
    refuse('a locking clause (FOR UPDATE, FOR SHARE) is not part of a plain query', 'locks', node),
  Placeholder: (node) => refuse('a parameter has no value here', node.value ?? '?', node),
  Parameter: (node) => refuse('a variable is not data', node.value ?? '@', node),
};

/** No function of an engine has a longer name, with its quotes. */
const NAME_LENGTH = 256;

const ALLOWED: ReadOnlyVerdict = { readOnly: true };

/**
 * Judges a parsed statement: reading node kinds only, listed functions only, no files and no tables of the engine.
 * What no list knows is refused.
 */
export function checkReadOnly(tree: SqlTree): ReadOnlyVerdict {
  const byTokens = checkTokens(tree.tokens, tree.dialect);
  if (byTokens !== undefined) return byTokens;
  const rules = READING[tree.dialect];
  for (const node of tree.nodes) {
    const refusal = checkNode(node, rules) ?? checkSpelling(node, tree, rules);
    if (refusal !== undefined) return refusal;
  }
  return checkEscapedNames(tree) ?? ALLOWED;
}

/** Nodes whose names are looked up as they are: columns, tables, and what the query itself names. */
const LOOKED_UP: ReadonlySet<string> = new Set(['Column', 'Table', 'Alias', 'TableAlias']);

/** `U&"\\0070g_sleep"(1)`: what such a name spells is read, but no rule of calls and types is made for it. */
function checkEscapedNames({ tokens, nodes }: SqlTree): Refusal | undefined {
  const escaped = tokens.filter(isEscapedName);
  if (escaped.length === 0) return undefined;
  const places = new Set(
    nodes
      .filter(({ type, parent }) => type === 'Identifier' && LOOKED_UP.has(parent?.type ?? ''))
      .map(({ start }) => start),
  );
  const stray = escaped.find(({ start }) => !places.has(start));
  return stray && refuse('a name with escapes may be that of a column or table alone', stray.text, stray);
}

/** `"UPPER"('x')` is no function of an engine that calls its own `upper`: it is somebody's. */
function checkSpelling(node: SqlNode, { text }: SqlTree, rules: ReadingRules): Refusal | undefined {
  const { quotedCalls } = rules;
  if (quotedCalls === undefined || node.flags.call === undefined || text.charAt(node.start) !== '"')
    return undefined;
  const written = /^"([^"]*)"/.exec(text.slice(node.start, node.start + NAME_LENGTH))?.[1] ?? '';
  const own = quotedCalls === 'lower' ? written.toLowerCase() : written.toUpperCase();
  return written === own
    ? undefined
    : refuse(`the function "${written}" is not the engine's own, which is spelled ${own}`, written, node);
}

function checkNode(node: SqlNode, rules: ReadingRules): Refusal | undefined {
  if (node.flags.call !== undefined) return checkCall(node, rules) ?? checkFormat(node, rules);
  const refused = Object.hasOwn(REFUSED, node.type) ? REFUSED[node.type] : undefined;
  if (refused !== undefined) return refused(node);
  if (!Object.hasOwn(NODE_SHAPES, node.type))
    return refuse(`${node.type} is not part of a plain query`, node.type, node);
  if (node.type === 'Table') return checkTable(node, rules);
  if (node.type === 'TableFromRows') return checkRowSource(node);
  if (node.type === 'Column') return checkColumn(node, rules);
  if (node.type === 'In') return checkInName(node, rules);
  if (node.type === 'DataType') return checkType(node, rules);
  if (node.type === 'Dot') return checkField(node, rules);
  return checkOperator(node, rules);
}

/** `('/etc/hostname').pg_read_file`: without a schema, at least what is a forbidden function has its true reason. */
function checkField(node: SqlNode, rules: ReadingRules): Refusal | undefined {
  const name = child(node, 'expression')?.value?.toLowerCase() ?? '';
  if (rules.attributesAreCalls !== true || !Object.hasOwn(rules.refused, name)) return undefined;
  return refuse(`the function ${name} ${rules.refused[name]}`, name, node);
}

/** `TABLE(f(x))` is judged by its function; `TABLE('t')` would name a table where no rule looks. */
function checkRowSource(node: SqlNode): Refusal | undefined {
  const inner = child(node, 'this');
  const isCall = inner === undefined || inner.flags.call !== undefined;
  return isCall
    ? undefined
    : refuse('TABLE (…) around anything but a function is not allowed', 'TABLE', node);
}

/** `x IN t` reads the table t in SQLite, though it is no Table to the parser. */
function checkInName(node: SqlNode, rules: ReadingRules): Refusal | undefined {
  const field = child(node, 'field');
  // No name that is written as a text is looked up in the catalog.
  if (rules.inNameIsTable === true && field?.type === 'Literal')
    return refuse("IN before a text reads the table of that name; write IN ('…') for the text", 'IN', field);
  const last = field?.type === 'Column' ? child(field, 'this') : field;
  const name = last?.type === 'Identifier' ? (last.value ?? '').toLowerCase() : '';
  return rules.inNameIsTable === true && rules.systemTable.test(name)
    ? refuse(`${name} belongs to the engine, it is not the user's data`, name, node)
    : undefined;
}

/** `sequence.nextval` looks like a column and moves the sequence. */
function checkColumn(node: SqlNode, rules: ReadingRules): Refusal | undefined {
  const name = child(node, 'this')?.value?.toLowerCase() ?? '';
  const isRefused = node.children.length > 1 && rules.refusedColumns?.has(name) === true;
  return isRefused ? refuse(`${name} changes the state of a sequence`, name, node) : undefined;
}

function checkType(node: SqlNode, { refusedTypes }: ReadingRules): Refusal | undefined {
  const name = node.value?.toLowerCase() ?? '';
  return refusedTypes?.test(name) === true
    ? refuse(`the type ${name} looks into the tables of the engine`, name, node)
    : undefined;
}

const SIGNED: ReadonlySet<string> = new Set(['Operator', 'UnaryOperator']);

function checkOperator(node: SqlNode, { operators }: ReadingRules): Refusal | undefined {
  const { operator } = node.flags;
  if (operator === undefined) return undefined;
  // Words, as OVERLAPS, are of the grammar and mean one thing.
  if (operators !== undefined && SIGNED.has(node.type) && !/^[\w ]+$/.test(operator)) {
    const sign = operator.replace(/^pg_catalog\./, '');
    return operators.has(sign)
      ? undefined
      : refuse(`the operator ${operator} is none of those that only compute`, operator, node);
  }
  const isRefused =
    // `MODEL m` hands a model to a function, `OPERATOR(schema.sign)` may be a function of anybody.
    (node.type === 'UnaryOperator' && operator === 'MODEL') ||
    (node.type === 'Operator' && operator.includes('.'));
  return isRefused
    ? refuse(`the operator ${operator} is not part of a plain query`, operator, node)
    : undefined;
}

/** One place of a format: flags, width, precision, letter. */
const PLACE = /%[-+ 0,!#]*(\*|\d*)(?:\.(\*|\d*))?l*(.)/g;

/** Of a format that is written out: a result that is too wide is NULL, or has fewer digits, without a word. */
function checkFormat(node: SqlNode, { widestFormat }: ReadingRules): Refusal | undefined {
  const name = node.value?.toLowerCase() ?? '';
  if (widestFormat === undefined || !widestFormat.functions.has(name)) return undefined;
  const [format, ...given] = node.children;
  if (format?.type !== 'Literal') return undefined;
  const widest = widestFormat.characters;
  return widthOf(format.value ?? '', given) <= widest
    ? undefined
    : refuse(`${name} may make at most ${widest.toLocaleString('en')} characters`, name, node);
}

/** All widths and precisions together; `*` takes the next argument for one. */
function widthOf(format: string, given: readonly SqlNode[]): number {
  let next = 0;
  let sum = 0;
  for (const [, width, precision, letter] of format.matchAll(PLACE)) {
    for (const size of [width, precision]) sum += size === '*' ? numberIn(given[next++]) : Number(size ?? 0);
    if (letter !== '%' && letter !== 'n') next += 1;
  }
  return sum;
}

/** A negative width aligns to the left. */
function numberIn(node: SqlNode | undefined): number {
  const literal = node?.type === 'Neg' ? child(node, 'this') : node;
  const number = literal?.type === 'Literal' ? Math.abs(Number(literal.value)) : 0;
  return Number.isNaN(number) ? 0 : number;
}

const FILE_ENDING = /^(?:csv|tsv|txt|json|jsonl|ndjson|parquet|arrow|xlsx?|db|duckdb|sqlite3?|gz|zst)$/i;

/** Judges one table: the user's data, neither the engine's own tables nor a file. */
function checkTable(node: SqlNode, rules: ReadingRules): Refusal | undefined {
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

/** Calls whose words are syntax, checked by the type of their node alone. */
const SYNTAX = new Set([
  'cast',
  'try_cast',
  'safe_cast',
  'convert',
  'extract',
  'position',
  'overlay',
  'match',
]);

/** Judges one called function by the list of its dialect; what is not on the list is refused. */
function checkCall(node: SqlNode, rules: ReadingRules): Refusal | undefined {
  const name = node.value?.toLowerCase() ?? '';
  if (isInFrom(node)) return checkTableFunction(node, name, rules);
  if (rules.functions.has(name) || (SYNTAX.has(name) && node.type !== 'Anonymous')) return undefined;
  return isHarmlessForm(node, name, rules) ? undefined : refuseFunction(node, name, rules);
}

/** `zeroblob(16)`: too little to do harm, and written in the text so that it stays as little. */
function isHarmlessForm({ children }: SqlNode, name: string, { calledOnlyWith = {} }: ReadingRules): boolean {
  const form = Object.hasOwn(calledOnlyWith, name) ? calledOnlyWith[name] : undefined;
  if (form === undefined || children.length !== form.arguments) return false;
  const [first] = children;
  if (form.most === undefined) return true;
  return first?.type === 'Literal' && /^\d+$/.test(first.value ?? '') && Number(first.value) <= form.most;
}

const FROM_TYPES: ReadonlySet<string> = new Set(['Table', 'Lateral', 'TableFromRows']);

/** The function itself stands in FROM; what is among its arguments does not. */
function isInFrom({ parent, role }: SqlNode): boolean {
  return parent !== undefined && role === 'this' && FROM_TYPES.has(parent.type);
}

function checkTableFunction(node: SqlNode, name: string, rules: ReadingRules): Refusal | undefined {
  if (rules.tableFunctions.has(name)) return undefined;
  return Object.hasOwn(rules.refused, name)
    ? refuseFunction(node, name, rules)
    : refuse(`the function ${name} is not allowed in FROM`, name, node);
}

function refuseFunction(node: SqlNode, name: string, rules: ReadingRules): Refusal {
  const why = Object.hasOwn(rules.refused, name) ? rules.refused[name] : undefined;
  if (why !== undefined) return refuse(`the function ${name} ${why}`, name, node);
  if (name.includes('.')) return refuse(`the function ${name} is called through a schema`, name, node);
  return refuse(`the function ${name} is not on the list of functions that only compute`, name, node);
}

/** Whether a table is one of the engine itself, by its own name or by the schema it is written with. */
function isSystemTable(table: SqlNode, { systemTable, systemSchemas }: ReadingRules): boolean {
  const schemas = partsOf(table)
    .slice(0, -1)
    .flatMap((part) => part.split('.'));
  return systemTable.test(nameOf(table)) || schemas.some((part) => systemSchemas.has(part));
}

/** Catalogs that are well known far beyond their engine: whoever writes them means no table of the user. */
const KNOWN_NAME =
  /^(?:sqlite_(?:master|schema|temp_master|temp_schema|sequence|stat\d)|pg_[a-z_]+|duckdb_[a-z_]+|(?:all|dba|user)_(?:tables|tab_columns|views|objects))$/;
const KNOWN_SCHEMA = /^(?:information_schema|pg_catalog|performance_schema|sys)$/;

/** Whether a table that is not in the catalog is a system catalog of some engine, this one or another. */
export function isSystemTableAnywhere(table: SqlNode, rules: ReadingRules): boolean {
  if (isSystemTable(table, rules) || KNOWN_NAME.test(nameOf(table))) return true;
  return partsOf(table)
    .slice(0, -1)
    .some((part) => KNOWN_SCHEMA.test(part));
}

/** `information_schema.tables`: a table as it is written, in lower case. */
export function tableName(table: SqlNode): string {
  return partsOf(table).join('.');
}

function nameOf(table: SqlNode): string {
  return child(table, 'this')?.value?.toLowerCase() ?? '';
}

function partsOf(table: SqlNode): readonly string[] {
  return table.children
    .filter(({ type }) => type === 'Identifier')
    .map(({ value }) => (value ?? '').toLowerCase());
}
