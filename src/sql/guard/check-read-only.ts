/** The verdict on a statement before it may meet an engine: it reads, and only from tables. Unknown means no. */
import type { ReadingRules } from '../functions/reading-rules.ts';
import { isEscapedName } from '../parser/escaped-names.ts';
import { child, type SqlNode, type SqlTree } from '../tree/node.ts';
import { NODE_SHAPES } from '../tree/node-types.ts';
import { checkCall } from './check-call.ts';
import { checkFormat } from './check-format.ts';
import { checkTable } from './check-table.ts';
import { checkTokens } from './check-tokens.ts';
import { READING } from './reading-dialects.ts';
import { type ReadOnlyVerdict, type Refusal, refuse } from './verdict.ts';

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
