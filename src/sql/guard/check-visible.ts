/** Whether a statement reads only what its caller may see. Unknown means no. */
import type { DialectName } from '../dialect.ts';
import { nearestNames } from '../nearest-name.ts';
import { findNames } from '../scope/find-names.ts';
import { NAME_RULES } from '../scope/name-rules.ts';
import { type Home, type NamedSchema, type NamedTable, tableOfId } from '../scope/schema-index.ts';
import type { Scopes, Source } from '../scope/scope.ts';
import { scopes } from '../scope/scopes.ts';
import type { Span } from '../span.ts';
import { child, type SqlNode, type SqlTree } from '../tree/node.ts';
import { isCertainCte } from './certain-cte.ts';
import { isTableName } from './name-case.ts';

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
