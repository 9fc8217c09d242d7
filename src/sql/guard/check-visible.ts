/** Whether a statement reads only what its caller may see. Unknown means no. */
import { nearestNames } from '../../language/index.ts';
import type { DialectName } from '../dialects/dialect.ts';
import type { Span } from '../dialects/span.ts';
import { findNames } from '../scope/find-names.ts';
import { scopes } from '../scope/scopes.ts';
import { NAME_RULES } from '../scope/state/name-rules.ts';
import { type Home, type NamedSchema, type NamedTable, tableOfId } from '../scope/state/schema-index.ts';
import type { Scopes, Source } from '../scope/state/scope.ts';
import { child, type SqlNode, type SqlTree } from '../tree/node.ts';

/** A name that the caller's catalog does not answer for. */
export interface HiddenName {
  /** As written, with what stands before it. */
  readonly name: string;
  /** Why it is refused, in a sentence without its full stop. */
  readonly reason: string;
  /** Names that may be read, nearest first. */
  readonly nearest: readonly string[];
  readonly span: Span;
}

const NAME_ROLES: ReadonlySet<string> = new Set(['catalog', 'db', 'this']);
const NEAREST = 3;
/** A word, not a name: it stands in FROM where no table is read. */
const NO_TABLE: Readonly<Partial<Record<DialectName, string>>> = { mysql: 'dual' };

export interface VisibleOptions {
  /** `events_*` of BigQuery may read tables that no catalog has; nothing can be said about their rows. */
  readonly allowsWildcards: boolean;
}

/**
 * The first name of a statement that is no table or column of the catalog, or that the engine might take for another
 * one: a bare name for a table that needs its schema, letters of another case, a CTE that one engine sees and the next
 * does not. `undefined` when there is none.
 */
export function checkVisible(
  tree: SqlTree,
  catalog: NamedSchema,
  { allowsWildcards }: VisibleOptions,
): HiddenName | undefined {
  const resolved = scopes(tree, catalog);
  for (const node of tree.nodes) {
    const hidden = checkPlace(node, { resolved, catalog, allowsWildcards });
    if (hidden !== undefined) return hidden;
  }
  const problem = findNames(tree, catalog).problems.find(
    ({ kind, name }) => kind !== 'ambiguous-column' && name.toLowerCase() !== NO_TABLE[tree.dialect],
  );
  if (problem === undefined) return undefined;
  const { name, nearest, span } = problem;
  const what = problem.kind === 'unknown-table' ? 'table' : 'column';
  return { name, nearest, span: span ?? tree.root, reason: `there is no such ${what}` };
}

interface Place extends VisibleOptions {
  readonly resolved: Scopes;
  readonly catalog: NamedSchema;
}

function checkPlace(node: SqlNode, place: Place): HiddenName | undefined {
  const source = place.resolved.sources[node.id];
  if (source?.table !== undefined) return checkTable(node, source, place);
  if (node.type !== 'Table' || child(node, 'this')?.type !== 'Identifier') return undefined;
  if (source?.kind === 'cte') {
    const isCertain = isCertainCte(place.resolved.tree, node);
    return isCertain ? undefined : hide(node, place.catalog, 'it may mean a CTE or a table');
  }
  if (isNoTable(node, place.resolved.tree.dialect)) return undefined;
  // An element of an array column: `FROM t, t.items`.
  if (source?.kind === 'array') return undefined;
  return hide(node, place.catalog, 'there is no such table');
}

function checkTable(node: SqlNode, source: Source, place: Place): HiddenName | undefined {
  const table = source.table && tableOfId(place.catalog, source.table.id);
  if (table !== undefined && reaches(namesOf(node), table, place)) return undefined;
  const reason =
    table === undefined ? 'there is no such table' : `the table is written ${pathOf(table).join('.')}`;
  return hide(node, place.catalog, reason);
}

function isNoTable(node: SqlNode, dialect: DialectName): boolean {
  const [name, ...more] = namesOf(node);
  const isPlain = more.length === 0 && name?.flags.quoted === undefined;
  const word = NO_TABLE[dialect];
  return word !== undefined && isPlain && name?.value?.toLowerCase() === word;
}

/** The Identifiers of a table name, the last is the name itself. */
function namesOf(node: SqlNode): readonly SqlNode[] {
  if (node.type === 'Identifier') return [node];
  return node.children.filter(
    ({ role, type }) => type === 'Identifier' && (node.type !== 'Table' || NAME_ROLES.has(role)),
  );
}

/** Whether the engine finds this very table under the name as written: with its own qualifier, or with its schema. */
function reaches(
  names: readonly SqlNode[],
  table: NamedTable,
  { resolved, allowsWildcards, catalog }: Place,
): boolean {
  const { dialect } = resolved.tree;
  const [last, before] = [names.at(-1), names.slice(0, -1)];
  if (last === undefined) return false;
  const isWildcard = NAME_RULES[dialect].hasWildcardTables && last.value?.endsWith('*') === true;
  const isNamed = isWildcard
    ? allowsWildcards && table.name.startsWith(last.value.slice(0, -1))
    : isTableName(last, table.name, dialect);
  if (!isNamed) return false;
  const { qualifier = [] } = table;
  if (before.length === 0) return qualifier.length === 0;
  return pathsTo(table, { dialect, home: catalog.home, length: before.length }).some(
    (path) =>
      path.length === before.length &&
      before.every((part, index) => isTableName(part, path[index] ?? '', dialect)),
  );
}

interface Around {
  readonly dialect: DialectName;
  readonly home: Home | undefined;
  /** How many names stand before that of the table. */
  readonly length: number;
}

/** The names that may stand before that of a table: its qualifier, and the place where it stands as far as known. */
function pathsTo(table: NamedTable, { dialect, home = {}, length }: Around): readonly (readonly string[])[] {
  const rules = NAME_RULES[dialect];
  // SQLite's own schema does not tell that it is called main.
  const schema =
    table.schema ?? home.schema ?? (rules.fixedSchemas?.has('main') === true ? 'main' : undefined);
  const catalog = table.catalog ?? home.catalog;
  const whole = [catalog, schema].filter((name) => name !== undefined);
  const isInDefault = table.schema === undefined && catalog !== undefined;
  return [
    table.qualifier ?? [],
    whole.slice(-length),
    ...(rules.catalogReachesDefault && isInDefault ? [[catalog]] : []),
  ];
}

function hide(node: SqlNode, catalog: NamedSchema, reason: string): HiddenName {
  const name = namesOf(node)
    .map(({ value }) => value ?? '')
    .join('.');
  const spelled = catalog.tables.map((table) => pathOf(table).join('.'));
  const { start, end } = node;
  return { name, reason, nearest: nearestNames(name, spelled, NEAREST), span: { start, end } };
}

function pathOf({ qualifier = [], name }: NamedTable): readonly string[] {
  return [...qualifier, name];
}

const SET_OPERATIONS: ReadonlySet<string> = new Set(['Union', 'Intersect', 'Except']);

/**
 * Whether a name that was resolved to a CTE means that CTE to every engine, and never a table of the same name. In
 * doubt stand a name in other letters than the CTE's own (`WITH "T" … FROM t`), one before the CTE is declared, and one
 * inside the CTE itself but in its recursive branch.
 */
export function isCertainCte(tree: SqlTree, reference: SqlNode): boolean {
  const name = child(reference, 'this') ?? reference;
  const declared = innermostCte(tree, reference, (name.value ?? '').toLowerCase());
  if (declared === undefined) return false;
  const { cte, identifier } = declared;
  if (!isSameCteName(name, identifier, tree.dialect)) return false;
  if (!isInside(reference, cte)) return true;
  const body = withoutBrackets(child(cte, 'this'));
  if (body === undefined || !SET_OPERATIONS.has(body.type)) return false;
  // SQLite takes every branch but the first for recursive, and knows no table behind the name in any of them.
  if (tree.dialect === 'sqlite') return isInside(reference, body) && !isInside(reference, firstBranch(body));
  const last = lastOperand(body);
  return last !== undefined && isInside(reference, last);
}

function firstBranch(operation: SqlNode): SqlNode {
  let at = operation;
  while (SET_OPERATIONS.has(at.type)) at = child(at, 'this') ?? at;
  return at;
}

interface DeclaredCte {
  readonly cte: SqlNode;
  /** Its name. */
  readonly identifier: SqlNode;
}

/** The CTEs that one query declares, by name in lower case, in the order of the text. */
type Declared = ReadonlyMap<string, readonly DeclaredCte[]>;

interface Declarations {
  /** By the id of the query. */
  readonly byQuery: ReadonlyMap<number, Declared>;
  /** By the id of a node: the nearest query above it that declares some. */
  readonly nearest: readonly (SqlNode | undefined)[];
}

const DECLARATIONS = new WeakMap<SqlTree, Declarations>();

/** Found once for a tree: a statement may name thousands of CTEs. */
function declarationsOf(tree: SqlTree): Declarations {
  const known = DECLARATIONS.get(tree);
  if (known !== undefined) return known;
  const byQuery = new Map<number, Declared>();
  const nearest: (SqlNode | undefined)[] = [];
  // Nodes come in preorder, so what stands above a node was looked at before.
  for (const { id, type, parent, children } of tree.nodes) {
    nearest[id] = parent && (byQuery.has(parent.id) ? parent : nearest[parent.id]);
    if (type === 'CTE' || children.length === 0) continue;
    const clause = children.find(({ role }) => role === 'with');
    if (clause !== undefined) byQuery.set(id, declaredIn(clause));
  }
  const found = { byQuery, nearest };
  DECLARATIONS.set(tree, found);
  return found;
}

function declaredIn(clause: SqlNode): Declared {
  const declared = new Map<string, DeclaredCte[]>();
  for (const { cte, identifier } of clause.children.flatMap(toDeclared)) {
    const key = (identifier.value ?? '').toLowerCase();
    const same = declared.get(key) ?? [];
    same.push({ cte, identifier });
    declared.set(key, same);
  }
  return declared;
}

/** The CTE of that name, in any letters, that is declared around or before a place, from the inside outwards. */
function innermostCte(tree: SqlTree, place: SqlNode, key: string): DeclaredCte | undefined {
  const { byQuery, nearest } = declarationsOf(tree);
  for (let query = nearest[place.id]; query !== undefined; query = nearest[query.id]) {
    const named = byQuery.get(query.id)?.get(key);
    const last = named && lastBefore(named, place.start);
    if (last !== undefined) return last;
  }
  return undefined;
}

/** The last of a list in the order of the text that begins at a place or before it. */
function lastBefore(named: readonly DeclaredCte[], start: number): DeclaredCte | undefined {
  let [from, to] = [0, named.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((named[middle] as DeclaredCte).cte.start <= start) from = middle + 1;
    else to = middle;
  }
  return named[from - 1];
}

function toDeclared(cte: SqlNode): readonly DeclaredCte[] {
  const alias = child(cte, 'alias');
  const identifier = alias?.type === 'Identifier' ? alias : alias && child(alias, 'this');
  return identifier === undefined ? [] : [{ cte, identifier }];
}

function isInside(place: SqlNode, around: SqlNode): boolean {
  for (let at: SqlNode | undefined = place; at !== undefined; at = at.parent) if (at === around) return true;
  return false;
}

function withoutBrackets(query: SqlNode | undefined): SqlNode | undefined {
  let at = query;
  while (at?.type === 'Subquery') at = child(at, 'this');
  return at;
}

function lastOperand(operation: SqlNode): SqlNode | undefined {
  return operation.children.find(({ role }) => role === 'expression');
}

// When two spellings of a name are one and the same name to an engine.

/**
 * `ignored`: letters of either case are equal; `lowered`, `raised`: a name without quotes is changed so, a quoted one
 * stands as written; `kept`: every letter counts.
 */
type LetterCase = 'ignored' | 'lowered' | 'raised' | 'kept';

/**
 * Tables. What a server decides by its settings (`lower_case_table_names` of MySQL) is taken in its strictest form: a
 * name that is refused can be written as the catalog spells it, one that means another table cannot be taken back.
 */
const TABLES: Readonly<Record<DialectName, LetterCase>> = {
  sqlite: 'ignored',
  duckdb: 'ignored',
  postgres: 'lowered',
  mysql: 'kept',
  trino: 'ignored',
  snowflake: 'raised',
  bigquery: 'kept',
};

/** CTEs: where two spellings are two names, the second may be that of a table. */
const CTES: Readonly<Record<DialectName, LetterCase>> = { ...TABLES, bigquery: 'ignored' };

/** Whether a table name as written means the table that the engine spells `name`. */
function isTableName(written: SqlNode, name: string, dialect: DialectName): boolean {
  const letters = TABLES[dialect];
  if (letters === 'ignored') return lower(written.value ?? '') === lower(name);
  return fold(written, letters) === name;
}

/** Whether two written names mean the same CTE. */
export function isSameCteName(a: SqlNode, b: SqlNode, dialect: DialectName): boolean {
  const letters = CTES[dialect];
  return fold(a, letters) === fold(b, letters);
}

function fold({ value = '', flags }: SqlNode, letters: LetterCase): string {
  if (letters === 'ignored') return lower(value);
  if (letters === 'kept' || flags.quoted !== undefined) return value;
  return letters === 'lowered' ? lower(value) : raise(value);
}

/** Engines fold ASCII letters alone or may do so; `K` (Kelvin) is not `k` then. */
function lower(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function raise(name: string): string {
  return name.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}
