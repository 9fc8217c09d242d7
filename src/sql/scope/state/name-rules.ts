/** What differs between engines in finding names: one record of data per dialect. */

export type RuleDialect = 'sqlite' | 'duckdb' | 'postgres' | 'mysql' | 'trino' | 'snowflake' | 'bigquery';

/** The part of a query a name stands in, as far as aliases of the select list can be seen there. */
export type Clause =
  | 'from'
  | 'on'
  | 'select'
  | 'where'
  | 'group'
  | 'having'
  | 'window'
  | 'qualify'
  | 'order'
  /** ORDER BY of a set operation, which sees nothing but output columns. */
  | 'outputs';

/** Whether a name can mean an alias, and what wins when a column has the same name. */
export type AliasUse = 'never' | 'after-columns' | 'before-columns';

/** `bare`: the name is the whole term of GROUP BY or ORDER BY; `inside`: it is part of an expression. */
interface AliasRule {
  readonly bare: AliasUse;
  readonly inside: AliasUse;
}

/** `{0}` is the place, counted from `first`. */
export interface NumberedName {
  readonly template: string;
  readonly first: number;
}

export interface NameRules {
  readonly aliases: Readonly<Record<Clause, AliasRule>>;
  /** A bare name in ORDER BY may be that of a plain column of the select list, though it has no AS. */
  readonly orderSeesPlainColumns: boolean;
  /** What a bare name in ORDER BY means that the select list shows several times. */
  readonly repeatedInOrder: 'first' | 'first-alias' | 'ambiguous';
  /** ORDER BY of a set operation may use the names of any branch. */
  readonly orderSeesAllBranches: boolean;
  /** ORDER BY of a set operation may repeat an expression of its first branch: `ORDER BY max(t.a)`. */
  readonly orderRepeatsExpressions: boolean;
  /** `"x"` that names nothing is the text 'x'. */
  readonly quotedMayBeText: boolean;
  /** Functions of dates take a bare word for the unit: `DATEDIFF(day, a, b)`. */
  readonly hasBareUnits: boolean;
  /** A derived table sees the sources before it without LATERAL. */
  readonly derivedSeesSiblings: boolean;
  /** An ON condition may name sources that come after it, and is ambiguous with them. */
  readonly onSeesLaterSources: boolean;
  /** In `a, b JOIN c …` the join is one of b and c; else of all three. */
  readonly commaBindsLoosely: boolean;
  /** Yet its ON may name a. */
  readonly onSeesCommaSources: boolean;
  /** USING and NATURAL take the first column of that name on their left; else two are an error. */
  readonly usingTakesFirst: boolean;
  /** A CTE may name itself only after WITH RECURSIVE. */
  readonly recursionNeedsKeyword: boolean;
  /** A CTE may name those after it. */
  readonly cteSeesLater: boolean;
  /** A name that a derived table has twice is an error; else the first is meant. */
  readonly repeatedIsAmbiguous: boolean;
  /** The second column of a name becomes `name_1` in a derived table. */
  readonly numbersRepeated: boolean;
  /** A column merged by USING wins over columns of that name in other sources. */
  readonly mergedHidesOthers: boolean;
  /** `x.a` may mean an outer source x where the inner x has no column a. */
  readonly qualifierMayBeOuter: boolean;
  /** A dot may reach into a column. */
  readonly hasStructs: boolean;
  /** The name of a source may stand for its whole row. */
  readonly hasRowValues: boolean;
  /** FROM may name an array column of a source before it: `FROM t, t.items`. */
  readonly hasArrayPaths: boolean;
  /** `x IN t` reads the table t. */
  readonly inNameIsTable: boolean;
  /** `events_*` reads all tables whose name starts so. */
  readonly hasWildcardTables: boolean;
  /** The alias of UNNEST or of a function with one column names that column. */
  readonly functionAliasNamesColumn: boolean;
  /** The name of an expression without alias: its text, that of its function, or one with its place. */
  readonly unnamedOutput: 'text' | 'function' | NumberedName;
  /** Column names of VALUES without a list. */
  readonly valuesColumn: NumberedName;
  /** Columns of every table that no star shows. */
  readonly hiddenColumns: ReadonlySet<string>;
  /** Schemas that are meant when a name is in several. */
  readonly defaultSchemas: ReadonlySet<string>;
  /** The only schemas there are, where the engine has fixed ones. */
  readonly fixedSchemas: ReadonlySet<string> | undefined;
  /** `t MATCH 'x'` searches the table t, which then has a rank. */
  readonly hasFullText: boolean;
  /** A catalog alone may stand before a table of its default schema. */
  readonly catalogReachesDefault: boolean;
}

const NEVER: AliasRule = { bare: 'never', inside: 'never' };
const AFTER: AliasRule = { bare: 'after-columns', inside: 'after-columns' };
const BEFORE: AliasRule = { bare: 'before-columns', inside: 'before-columns' };
const BARE_AFTER: AliasRule = { bare: 'after-columns', inside: 'never' };
const BARE_BEFORE: AliasRule = { bare: 'before-columns', inside: 'never' };
const BEFORE_OR_AFTER: AliasRule = { bare: 'before-columns', inside: 'after-columns' };

/** The standard: only a bare name in ORDER BY can be an alias. PostgreSQL 15 confirmed it, with GROUP BY added. */
const STANDARD_ALIASES: NameRules['aliases'] = {
  from: NEVER,
  on: NEVER,
  select: NEVER,
  where: NEVER,
  group: NEVER,
  having: NEVER,
  window: NEVER,
  qualify: NEVER,
  order: BARE_BEFORE,
  outputs: BEFORE,
};

const STANDARD: NameRules = {
  aliases: STANDARD_ALIASES,
  orderSeesPlainColumns: true,
  repeatedInOrder: 'ambiguous',
  orderSeesAllBranches: false,
  orderRepeatsExpressions: false,
  quotedMayBeText: false,
  hasBareUnits: false,
  derivedSeesSiblings: false,
  onSeesLaterSources: false,
  commaBindsLoosely: true,
  onSeesCommaSources: false,
  usingTakesFirst: false,
  recursionNeedsKeyword: true,
  cteSeesLater: false,
  repeatedIsAmbiguous: true,
  numbersRepeated: false,
  mergedHidesOthers: false,
  qualifierMayBeOuter: false,
  hasStructs: false,
  hasRowValues: false,
  hasArrayPaths: false,
  inNameIsTable: false,
  hasWildcardTables: false,
  functionAliasNamesColumn: false,
  unnamedOutput: 'text',
  valuesColumn: { template: 'column{0}', first: 1 },
  hiddenColumns: new Set(),
  defaultSchemas: new Set(['public', 'main', 'dbo']),
  fixedSchemas: undefined,
  catalogReachesDefault: false,
  hasFullText: false,
};

/** Read off SQLite 3.53: columns win everywhere but in a bare ORDER BY term. */
const SQLITE: NameRules = {
  ...STANDARD,
  aliases: {
    ...STANDARD_ALIASES,
    on: AFTER,
    where: AFTER,
    group: AFTER,
    having: AFTER,
    order: BEFORE_OR_AFTER,
  },
  orderSeesPlainColumns: false,
  repeatedInOrder: 'first',
  orderSeesAllBranches: true,
  orderRepeatsExpressions: true,
  quotedMayBeText: true,
  onSeesLaterSources: true,
  commaBindsLoosely: false,
  usingTakesFirst: true,
  recursionNeedsKeyword: false,
  cteSeesLater: true,
  repeatedIsAmbiguous: false,
  inNameIsTable: true,
  qualifierMayBeOuter: true,
  hiddenColumns: new Set(['rowid', 'oid', '_rowid_']),
  hasFullText: true,
  fixedSchemas: new Set(['main', 'temp']),
};

/** Read off DuckDB 1.5 and 2.0. */
const DUCKDB: NameRules = {
  ...STANDARD,
  aliases: {
    ...STANDARD_ALIASES,
    select: AFTER,
    where: AFTER,
    group: BARE_AFTER,
    having: AFTER,
    window: AFTER,
    qualify: AFTER,
    order: BEFORE_OR_AFTER,
  },
  repeatedInOrder: 'first-alias',
  orderSeesAllBranches: true,
  derivedSeesSiblings: true,
  onSeesCommaSources: true,
  numbersRepeated: true,
  repeatedIsAmbiguous: false,
  mergedHidesOthers: true,
  qualifierMayBeOuter: true,
  hasStructs: true,
  hasRowValues: true,
  valuesColumn: { template: 'col{0}', first: 0 },
  hiddenColumns: new Set(['rowid', 'filename', 'file_row_number']),
  catalogReachesDefault: true,
};

const POSTGRES: NameRules = {
  ...STANDARD,
  aliases: { ...STANDARD_ALIASES, group: BARE_AFTER },
  hasRowValues: true,
  functionAliasNamesColumn: true,
  unnamedOutput: 'function',
  hiddenColumns: new Set(['ctid', 'oid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid']),
};

/** "For GROUP BY or HAVING clauses, it searches the FROM clause before searching in the select_expr values." */
const MYSQL: NameRules = {
  ...STANDARD,
  aliases: { ...STANDARD_ALIASES, group: AFTER, having: AFTER, order: BEFORE_OR_AFTER },
  quotedMayBeText: true,
  hasBareUnits: true,
  valuesColumn: { template: 'column_{0}', first: 0 },
  hiddenColumns: new Set(['_rowid']),
};

const TRINO: NameRules = {
  ...STANDARD,
  aliases: { ...STANDARD_ALIASES, order: BEFORE },
  hasStructs: true,
  unnamedOutput: { template: '_col{0}', first: 0 },
  valuesColumn: { template: '_col{0}', first: 0 },
  hiddenColumns: new Set(['$path', '$bucket', '$partition', '$file_size', '$file_modified_time', '$row_id']),
};

/** Aliases are seen in the whole query, columns first; only ORDER BY prefers the alias. */
const SNOWFLAKE: NameRules = {
  ...STANDARD,
  aliases: {
    ...STANDARD_ALIASES,
    select: AFTER,
    where: AFTER,
    group: AFTER,
    having: AFTER,
    window: AFTER,
    qualify: AFTER,
    order: BEFORE,
  },
  hasBareUnits: true,
  recursionNeedsKeyword: false,
  hasStructs: true,
  hiddenColumns: new Set([
    'metadata$filename',
    'metadata$file_row_number',
    'metadata$action',
    'metadata$isupdate',
    'metadata$row_id',
  ]),
};

/** "If a query contains aliases in the SELECT clause, those aliases override names in the FROM clause." */
const BIGQUERY: NameRules = {
  ...STANDARD,
  aliases: { ...STANDARD_ALIASES, group: BEFORE, having: BEFORE, qualify: BEFORE, order: BEFORE },
  hasBareUnits: true,
  commaBindsLoosely: false,
  hasStructs: true,
  hasRowValues: true,
  hasArrayPaths: true,
  hasWildcardTables: true,
  functionAliasNamesColumn: true,
  unnamedOutput: { template: 'f{0}_', first: 0 },
  hiddenColumns: new Set(['_table_suffix', '_partitiontime', '_partitiondate', '_file_name']),
};

export const NAME_RULES: Readonly<Record<RuleDialect, NameRules>> = {
  sqlite: SQLITE,
  duckdb: DUCKDB,
  postgres: POSTGRES,
  mysql: MYSQL,
  trino: TRINO,
  snowflake: SNOWFLAKE,
  bigquery: BIGQUERY,
};
