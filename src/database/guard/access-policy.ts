/** Who may see what, as data, and its application to a statement. */
import { CandorError } from '../../errors.ts';
import type { DialectName } from '../../sql/index.ts';
import {
  bindProperties,
  bindSamples,
  checkRestriction,
  restrictTables,
  type SessionProperties,
  type TableRestriction,
} from '../../sql/rewrite/index.ts';
import { type Home, type NamedTable, type OwnNames, tableOfId } from '../../sql/scope/index.ts';
import type { SqlTree, StatementLimits } from '../../sql/tree/index.ts';

/** The tables that the guard resolves names against; the catalog that `candor onboard` reads is one. */
export interface VisibleTable extends NamedTable {
  /** Absent where its rows may be those of other tables, which the engine then reads whole; see `SchemaTable`. */
  readonly ownsRows?: true;
}

export interface VisibleCatalog {
  readonly tables: readonly VisibleTable[];
  readonly ownNames?: OwnNames;
  readonly home?: Home;
}

/**
 * What one group of callers may see. Ids are canonical, those of the catalog. Filters and masks are SQL of the
 * database's dialect over the columns of their own table as they are stored; `:tenant` stands for the property
 * `tenant` of the session. A filter that is NULL for a row hides it.
 */
export interface AccessPolicy {
  /** Ids of the tables that may be read; all of the catalog when absent. Filters may look into the others. */
  readonly visibleTables?: readonly string[];
  /** By table: the rows for which this holds are shown. */
  readonly rowFilters?: ReadonlyMap<string, string>;
  /** By column: what is shown in its place, as `NULL` or `SUBSTR(email, 1, 1)`. */
  readonly columnMasks?: ReadonlyMap<string, string>;
  /**
   * Ids of views, and of other tables that are not known to own their rows, which may be read though other tables are
   * restricted. No restriction follows into them: the engine reads what is behind them whole, so those that are not named
   * here are refused as soon as one table is restricted.
   */
  readonly trustedViews?: readonly string[];
}

/**
 * Throws `database.policy-invalid` for a policy that names what the catalog does not have, which would restrict
 * nothing, or whose SQL is no condition over its own table. Properties need no values yet.
 */
export function checkPolicy(policy: AccessPolicy, catalog: VisibleCatalog, dialect: DialectName): void {
  const unknown = unknownNames(policy, catalog);
  if (unknown.length > 0) {
    throw new CandorError(
      'database.policy-invalid',
      `The access policy names what the catalog does not have: ${unknown.join(', ')}.`,
      { data: { unknown } },
    );
  }
  if (!restrictsTables(policy)) return;
  for (const table of catalog.tables) {
    const restriction = restrictionOf(table, policy, (text) => bindSamples(text, dialect));
    const problem = restriction && checkRestriction(restriction, { table, dialect, schema: catalog });
    if (problem === undefined) continue;
    throw new CandorError('database.policy-invalid', `The access policy cannot be used: ${problem}.`, {
      data: { table: table.id },
    });
  }
}

function unknownNames(policy: AccessPolicy, catalog: VisibleCatalog): readonly string[] {
  const {
    rowFilters = new Map(),
    columnMasks = new Map(),
    trustedViews = [],
    visibleTables: listed = [],
  } = policy;
  const tables = new Map(catalog.tables.map((table) => [table.id, table]));
  const masked = new Set(columnMasks.keys());
  // A catalog may have hundreds of thousands of columns, of which a policy names a few.
  if (masked.size > 0) {
    for (const { columns } of catalog.tables) for (const { id } of columns) masked.delete(id);
  }
  return [...[...listed, ...rowFilters.keys(), ...trustedViews].filter((id) => !tables.has(id)), ...masked];
}

/** Whether a policy shows less of any table than there is. */
export function restrictsTables({ rowFilters, columnMasks }: AccessPolicy): boolean {
  return (rowFilters?.size ?? 0) + (columnMasks?.size ?? 0) > 0;
}

/** The tables a caller may name: of those that may show rows of others, once any table is restricted, only trusted ones. */
export function visibleTables<Known extends Pick<VisibleTable, 'id' | 'ownsRows'>>(
  policy: AccessPolicy,
  { tables }: { readonly tables: readonly Known[] },
): readonly Known[] {
  const listed = policy.visibleTables && new Set(policy.visibleTables);
  const named = listed === undefined ? tables : tables.filter(({ id }) => listed.has(id));
  if (!restrictsTables(policy)) return named;
  const trusted = new Set(policy.trustedViews);
  return named.filter(({ id, ownsRows }) => ownsRows === true || trusted.has(id));
}

export interface PolicyUse {
  readonly policy: AccessPolicy;
  /** All tables, not only the visible ones. */
  readonly catalog: VisibleCatalog;
  readonly properties: SessionProperties;
  /** What was found of a table before, by its id: none of the three above ever changes. */
  readonly restrictions: Map<string, TableRestriction | undefined>;
  /** How large a statement may become. */
  readonly limits?: StatementLimits | undefined;
}

/**
 * The statement in which every restricted table shows what the policy leaves of it. Throws `database.policy-invalid`
 * when a property is missing or a condition is no SQL, `database.not-restrictable` when the statement reads a table in
 * a way that no subquery can stand for. `tableIds` are those the statement reads.
 */
export function applyPolicy(tree: SqlTree, tableIds: Iterable<string>, use: PolicyUse): SqlTree {
  const restrictions = new Map<string, TableRestriction>();
  for (const tableId of tableIds) {
    const restriction = boundRestriction(tableId, tree.dialect, use);
    if (restriction !== undefined) restrictions.set(tableId, restriction);
  }
  if (restrictions.size === 0) return tree;
  const restricted = restrictTables(tree, restrictions, use.catalog, use.limits);
  if (restricted.ok) return restricted.tree;
  if (restricted.isTooLarge === true) {
    throw new CandorError(
      'sql.too-large',
      'The SQL is not run: it reads tables that are restricted for you in too many places.',
      { data: { limit: 'restricted' } },
    );
  }
  throw new CandorError(
    'database.not-restrictable',
    `The SQL reads tables that are restricted for you, in a way that cannot be restricted: ${restricted.reason}.`,
    { data: { reason: restricted.reason } },
  );
}

function boundRestriction(
  tableId: string,
  dialect: DialectName,
  { policy, catalog, properties, restrictions }: PolicyUse,
): TableRestriction | undefined {
  if (restrictions.has(tableId)) return restrictions.get(tableId);
  const table = tableOfId(catalog, tableId);
  const restriction =
    table && restrictionOf(table, policy, (text, owner) => bind(text, owner, { properties, dialect }));
  restrictions.set(tableId, restriction);
  return restriction;
}

interface Binding {
  readonly properties: SessionProperties;
  readonly dialect: DialectName;
}

function bind(text: string, owner: string, { properties, dialect }: Binding): string {
  const bound = bindProperties(text, properties, dialect);
  if (bound.ok) return bound.text;
  throw new CandorError(
    'database.policy-invalid',
    `The access policy cannot be applied to ${owner}: ${bound.reason}.`,
    { data: { owner } },
  );
}

/** What the policy leaves of one table, its properties bound by the caller. */
function restrictionOf(
  { id: tableId, columns }: NamedTable,
  { rowFilters, columnMasks }: AccessPolicy,
  bindText: (text: string, owner: string) => string,
): TableRestriction | undefined {
  const filter = rowFilters?.get(tableId);
  const masks = columns.flatMap(({ id }) => {
    const mask = columnMasks?.get(id);
    return mask === undefined ? [] : [[id, bindText(mask, id)] as const];
  });
  if (filter === undefined && masks.length === 0) return undefined;
  return {
    ...(filter === undefined ? {} : { filter: bindText(filter, tableId) }),
    masks: new Map(masks),
  };
}
