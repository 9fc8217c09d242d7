import { withoutQuotes } from '../dialects/quoting.ts';
import type { ReadingRules } from '../functions/reading-rules.ts';
import { withoutBrackets } from '../scope/read/read-expression.ts';
import { scopes } from '../scope/scopes.ts';
import type { NamedSchema } from '../scope/state/schema-index.ts';
import type { OpenReference, Output, Reference, Scopes, SourceKind } from '../scope/state/scope.ts';
import { tableFunctionColumns } from '../scope/state/table-functions.ts';
import { child, type SqlNode, type SqlTree } from '../tree/node.ts';
import { type Refusal, refuse } from './check-tokens.ts';
import { READING } from './reading-dialects.ts';

/** The columns of a schema that is not known: every attribute must then be explained by the text alone. */
export const NO_SCHEMA: NamedSchema = { tables: [] };

/**
 * Refuses what PostgreSQL calls though nothing looks like a call. There `x.f` is a column f of x where x is a row that
 * has one, and else `f(x)`, for any function that may be called with one argument; and `x::t` runs the code of t. So a
 * name behind a dot must be a column of a row source, a field of a composite type that no function shares, or a
 * function of the list; and a type must be one of the engine's own that only compute, or one that the schema names.
 * Other dialects call nothing this way, see decision 0036.
 */
export function checkDisguisedCalls(
  tree: SqlTree,
  schema: NamedSchema,
  redefined: ReadonlySet<string> = NONE,
): Refusal | undefined {
  const rules = READING[tree.dialect];
  if (rules.attributesAreCalls !== true) return undefined;
  const context = { tree, schema, rules, redefined };
  return checkTypes(context) ?? checkAttributes(context);
}

interface Context {
  readonly tree: SqlTree;
  readonly schema: NamedSchema;
  readonly rules: ReadingRules;
  /** Functions of the list that the database has defined itself, see `check-own-code.ts`. */
  readonly redefined: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** Words that belong to the name of a type and say nothing about whose code it is. */
const TYPE_TAIL = /(?: (?:precision|varying|large|with|without|time|zone|char|character|varchar))+$/;
/** Words of the grammar for types that have another name. */
const WORDS_FOR_TYPES: ReadonlySet<string> = new Set(
  'array bigint bigserial boolean character dec decimal double float int integer national nchar real smallint'.split(
    ' ',
  ),
);
const NAME = '"(?:[^"]|"")+"|[\\w$\\u0080-\\uffff]+';
/** The path of a type in front of its arguments, where at least one part is quoted or stands behind another. */
const TYPE_PATH = new RegExp(`^(?:${NAME})(?:\\.(?:${NAME}))*`);

function checkTypes({ tree, schema, rules }: Context): Refusal | undefined {
  for (const node of tree.nodes) {
    if (node.type !== 'DataType' || isKnownType(node, tree, { schema, rules })) continue;
    const name = (node.value ?? '').toLowerCase();
    return refuse(
      `the type ${name} is none of those that only compute, and no enum of the database`,
      name,
      node,
    );
  }
  return undefined;
}

/** The engine's own types are written without quotes: `"int"` and `other.mood` are what somebody called so. */
function isKnownType(
  node: SqlNode,
  { text }: SqlTree,
  { schema, rules }: Pick<Context, 'schema' | 'rules'>,
): boolean {
  const written = text.slice(node.start, node.end);
  const value = (node.value ?? '').toLowerCase().replace(TYPE_TAIL, '');
  // What is around a type, as `int[]` around int, has no name of its own.
  if (value === 'array' && node.children.length > 0) return true;
  const isPlain = /^\w/.test(written) && !written.includes('"') && /^[ -~]*$/.test(value);
  if (isPlain && rules.types?.has(value.replace(/^pg_catalog\./, '')) === true) return true;
  const path = TYPE_PATH.exec(written)?.[0];
  const parts = path === undefined ? [] : spelledParts(path);
  const name = parts.length === 2 && parts[0] === 'pg_catalog' ? parts[1] : parts.join('.');
  // In quotes `int` is somebody's type, and `text` the engine's.
  if (name !== undefined && rules.types?.has(name) === true && !WORDS_FOR_TYPES.has(name)) return true;
  return schema.ownNames?.types.includes(parts.join('.')) === true;
}

/** As the catalog of the engine spells it: in lower case what is not quoted. */
function spelledParts(path: string): readonly string[] {
  return (path.match(new RegExp(NAME, 'g')) ?? []).map((part) =>
    part.startsWith('"') ? withoutQuotes(part) : lowerAscii(part),
  );
}

/** PostgreSQL folds the letters of ASCII alone. */
function lowerAscii(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function checkAttributes(context: Context): Refusal | undefined {
  const { tree, schema } = context;
  if (!tree.nodes.some(mayBeAttribute)) return undefined;
  const resolved = scopes(tree, schema);
  for (const node of tree.nodes) {
    const refusal =
      node.type === 'Dot'
        ? checkDot(node, resolved, context)
        : node.type === 'Column'
          ? checkQualified(node, resolved.references[node.id], context)
          : undefined;
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function mayBeAttribute(node: SqlNode): boolean {
  return node.type === 'Dot' || (node.type === 'Column' && node.children.length > 1);
}

/** `(x).f`: what stands before the dot may be anything. */
function checkDot(node: SqlNode, resolved: Scopes, context: Context): Refusal | undefined {
  const inner = child(node, 'this');
  const field = child(node, 'expression');
  if (field?.type === 'Star') return undefined;
  if (inner === undefined || field?.type !== 'Identifier') {
    return refuse('what stands behind the dot is no name of a column', field?.value ?? '.', node);
  }
  const row = withoutBrackets(inner);
  const key = foldedName(field);
  if (isColumnOfRow(row, field, resolved) || isColumnOfCall(row, key)) return undefined;
  return checkName(field, context);
}

/** `t.f` where nobody knows the columns of t: rows of a function, or of a record that has only what it was given. */
function checkQualified(
  node: SqlNode,
  reference: Reference | undefined,
  context: Context,
): Refusal | undefined {
  const name = child(node, 'this');
  if (node.children.length < 2 || name?.type !== 'Identifier') return undefined;
  if (reference?.kind === 'column' && !isSpelled(name, reference.output)) return checkName(name, context);
  if (reference?.kind === 'unknown') {
    const isGone = reference.missing === 'source' || reference.source?.kind === 'unknown-table';
    return isGone ? undefined : checkName(name, context);
  }
  if (reference?.kind !== 'open') return undefined;
  const { source, candidates } = reference;
  const sources = source === undefined ? candidates : [source];
  return sources.every(({ kind }) => isOfTables(kind, context)) ? undefined : checkName(name, context);
}

/**
 * Whether what nobody knows of a source is for whoever knows the tables: one that is not in the catalog is refused as a
 * table, and without a catalog a query over it shows columns that nobody can name.
 */
function isOfTables(kind: SourceKind, { schema }: Context): boolean {
  return kind === 'unknown-table' || (schema === NO_SCHEMA && !VALUE_SOURCES.has(kind));
}

/** A quoted name means the column of just these letters: `t."EMAIL"` is a call beside a column email. */
function isSpelled(name: SqlNode, { name: spelled, key }: Output): boolean {
  return name.flags.quoted === undefined || name.value === spelled || name.value === key;
}

const VALUE_SOURCES: ReadonlySet<string> = new Set(['function', 'array']);

/** `(t).f`, where the row source t has a column f and no column t, which would come first. */
function isColumnOfRow(row: SqlNode, field: SqlNode, resolved: Scopes): boolean {
  if (row.type !== 'Column' || row.children.length !== 1) return false;
  const reference = resolved.references[row.id];
  if (reference?.kind === 'open') return isRowOfUnknownTable(row, field, reference);
  if (reference?.kind !== 'column') return false;
  const { source, output } = reference;
  const rowKey = (child(row, 'this')?.value ?? '').toLowerCase();
  // A function of one value gives that value, not a row: `(g).f FROM generate_series(1, 2) AS g (f)` calls f.
  if (VALUE_SOURCES.has(source.kind) && source.columns.list.length < 2) return false;
  const isColumn = output.key === (field.value ?? '').toLowerCase() && isSpelled(field, output);
  return isColumn && source.key === rowKey && !source.columns.byKey.has(rowKey);
}

/** Whether a table has such a column is for whoever knows the table, as it is with `t.f`. */
function isRowOfUnknownTable(row: SqlNode, field: SqlNode, { name, source }: OpenReference): boolean {
  const rowKey = (child(row, 'this')?.value ?? '').toLowerCase();
  return source?.kind === 'unknown-table' && source.key === rowKey && name === field.value;
}

/** `(json_each(x)).key`. */
function isColumnOfCall(row: SqlNode, key: string): boolean {
  if (row.flags.call === undefined || row.value === undefined) return false;
  const columns = tableFunctionColumns(row.value, 'postgres', row.value) ?? [];
  // A function of one column gives a value, and a name behind the dot is a call.
  return columns.length > 1 && columns.some((column) => column.key === key);
}

/** As PostgreSQL looks it up: in lower case unless it is quoted. */
function foldedName({ value = '', flags }: SqlNode): string {
  return flags.quoted === undefined ? value.toLowerCase() : value;
}

function checkName(name: SqlNode, { schema, rules, redefined }: Context): Refusal | undefined {
  const key = foldedName(name);
  if (rules.functions.has(key) && !Object.hasOwn(rules.refused, key) && !redefined.has(key)) return undefined;
  if (schema.ownNames?.fields.includes(key) === true) return undefined;
  return refuse(
    `.${key} would call the function ${key} of what stands before the dot, where that is no row with such a column`,
    key,
    name,
  );
}
