/**
 * The node types of our tree as data: for each the roles its children may fill. Names are SQLGlot's where it has
 * one, so that figures of the field that count its nodes can be compared with ours.
 */

/**
 * `role*` may come many times, `role?` at most once, `role` exactly once. What the marks (`flags`) of a type mean
 * stands in `node.ts`.
 */
export const NODE_SHAPES = {
  // Queries. A query is a Select, a set operation, Values, or a Subquery (brackets around one of them).
  Select:
    'with? distinct? into? expressions* from? joins* where? connect? group? having? qualify? windows* order? limit? offset? sample? locks*',
  /** `using`: the columns of BY NAME ON (…) and CORRESPONDING BY (…). */
  Union: 'with? this using* expression order? limit? offset? locks* into?',
  Intersect: 'with? this using* expression order? limit? offset? locks* into?',
  Except: 'with? this using* expression order? limit? offset? locks* into?',
  /** In FROM and JOIN it has an alias. Around a bare relation, `(a JOIN b …)`, `this` is that relation. */
  Subquery: 'with? this joins* alias? order? limit? offset? pivots* sample? locks* into?',
  Values: 'with? expressions* alias? order? limit? offset? locks* into?',
  /** A statement that is not a query; `value` is its first word. Nothing inside is parsed. */
  Command: 'with? order? limit? offset? locks* into?',
  With: 'expressions*',
  /** `columns` come new by SEARCH and CYCLE of PostgreSQL. `alias` is a TableAlias: the name, and columns when given. `this` may be a Command (INSERT … RETURNING). */
  CTE: 'alias this columns*',

  // Relations and clauses.
  From: 'this',
  /** A comma in FROM is a Join with the flag `comma`. */
  Join: 'this match_condition? on? using*',
  /** `this` is an Identifier, or a function in FROM (a function node). Nested joins hang on `joins`. */
  Table: 'catalog? db? this alias? hints* joins* pivots* sample? version? ordinality? offset?',
  /** `USE INDEX (i)`, `INDEXED BY i`: changes no row. `PARTITION (p)` does; its flag `kind` says which. */
  TableHint: '',
  TableAlias: 'this? columns*',
  Unnest: 'expressions* alias? offset? ordinality? pivots* sample? joins*',
  /** LATERAL f(x) or LATERAL (SELECT …): `this` is the function or the Subquery. */
  Lateral: 'this alias? ordinality? joins*',
  /** TABLE(f(x)) in FROM of Snowflake, Trino. */
  TableFromRows: 'this? expressions* alias? ordinality? sample? pivots* joins*',
  /** Behind a relation; DuckDB's statement `PIVOT t ON …` has the relation in `this`. */
  Pivot:
    'with? this? expressions* fields* default? aliases* group* alias? order? limit? offset? locks* into?',
  PivotIn: 'this? expressions*',
  /**
   * Behind a relation, among `pivots`: `expressions` are the measures, `aliases` the variables of the pattern, `fields`
   * their definitions. `value` is what stands between measures and definitions; the flag `all`: every row of a match
   * comes out.
   */
  MatchRecognize: 'partition_by* order? expressions* aliases* fields* alias?',
  PatternDefinition: 'alias this',
  TableSample: 'size? seed?',
  Version: 'this? expression?',
  Into: 'this',
  Distinct: 'on? expressions*',
  Where: 'this',
  /** START WITH a CONNECT BY b of Snowflake: `this` is b, `condition` is a. */
  Connect: 'condition? this',
  /** The flag `all` is GROUP BY ALL. */
  Group: 'expressions*',
  Rollup: 'expressions*',
  Cube: 'expressions*',
  GroupingSets: 'expressions*',
  Having: 'this',
  Qualify: 'this',
  Order: 'expressions*',
  Ordered: 'this',
  /** MySQL's and SQLite's `LIMIT 10, 5` has its offset inside. */
  Limit: 'expression? offset?',
  Offset: 'expression',
  Fetch: 'count?',
  Lock: 'expressions*',

  // Names.
  Identifier: '',
  /** `this` is an Identifier or a Star; dotted names of up to four parts. Deeper access is Dot. */
  Column: 'catalog? db? table? this',
  /** With changes as in `* EXCEPT (a)`; `condition` is the pattern of `* ILIKE 'a%'`, a text. */
  Star: 'condition? except* replace* rename*',
  Alias: 'this alias',
  Aliases: 'this aliases*',
  Dot: 'this expression',
  ColumnDef: 'this kind?',

  // Literals.
  Literal: '',
  Boolean: '',
  Null: '',
  HexString: '',
  BitString: '',
  Placeholder: '',
  /** `@name`, `@@name`: a variable of the session. */
  Parameter: '',
  Interval: 'this? unit?',
  /** Path into a value behind `:`, as written. */
  JSONPath: 'expressions*',
  /** A bare word that is no column: a unit of time, a keyword argument's value. */
  Var: '',

  // Operators.
  Paren: 'this',
  Tuple: 'expressions*',
  And: 'this expression',
  Or: 'this expression',
  Xor: 'this expression',
  Not: 'this',
  EQ: 'this expression',
  NEQ: 'this expression',
  GT: 'this expression',
  GTE: 'this expression',
  LT: 'this expression',
  LTE: 'this expression',
  NullSafeEQ: 'this expression',
  NullSafeNEQ: 'this expression',
  Is: 'this expression',
  Like: 'this expression',
  ILike: 'this expression',
  Glob: 'this expression',
  SimilarTo: 'this expression',
  RegexpLike: 'this expression',
  RegexpILike: 'this expression',
  /** Any other operator of a dialect; the flag `operator` is the sign. */
  Operator: 'this expression',
  Escape: 'this expression',
  Collate: 'this expression',
  Between: 'this low high',
  /** `IN (1, 2)` fills `expressions`, `IN (SELECT …)` `query` (a Subquery), `IN UNNEST(…)` `unnest`, `IN t` `field`. */
  In: 'this expressions* query? unnest? field?',
  Exists: 'this',
  Any: 'this',
  All: 'this',
  Add: 'this expression',
  Sub: 'this expression',
  Mul: 'this expression',
  Div: 'this expression',
  IntDiv: 'this expression',
  Mod: 'this expression',
  Pow: 'this expression',
  DPipe: 'this expression',
  BitwiseAnd: 'this expression',
  BitwiseOr: 'this expression',
  BitwiseXor: 'this expression',
  BitwiseLeftShift: 'this expression',
  BitwiseRightShift: 'this expression',
  Neg: 'this',
  Pos: 'this',
  BitwiseNot: 'this',
  UnaryOperator: 'this',
  /** `->`, `:` of Snowflake, `#>`. */
  JSONExtract: 'this expression',
  /** `->>`, `#>>`. */
  JSONExtractScalar: 'this expression',
  /** `@x := 1` and `name := 1` in a select list. */
  PropertyEQ: 'this expression',
  Cast: 'this to expression?',
  TryCast: 'this to expression?',
  Extract: 'this expression',
  /** `value` is the name in upper case, without arguments; `expressions` the arguments, nested types or fields. */
  DataType: 'expressions*',
  DataTypeParam: 'this',
  AtTimeZone: 'this zone',
  Bracket: 'this expressions*',
  Slice: 'this? expression? step?',
  Array: 'expressions*',
  Struct: 'expressions*',
  Map: 'expressions*',
  Comprehension: 'this expressions* iterator condition?',
  Lambda: 'expressions* this',
  /** `WITH(a AS 1, b AS a + 1, a + b)` of BigQuery: each name is known to those after it. */
  Let: 'expressions* this',
  LetName: 'alias this',
  /** The COLUMNS of JSON_TABLE and XMLTABLE; a TableColumn without a name nests others. */
  TableColumns: 'expressions*',
  TableColumn: 'this? kind? expressions*',
  /** `#1` of DuckDB, `$1` of Snowflake: a column of the sources by its place, which is the value. */
  PositionalReference: '',
  /** `'key': value` and `'key' VALUE value` of SQL/JSON. */
  JSONKeyValue: 'this expression',
  /** `ANY_VALUE(x HAVING MAX y)`. */
  HavingMax: 'this',
  /** `name => value` among arguments. */
  Kwarg: 'this expression',
  Case: 'this? ifs* default?',
  /** A branch of CASE, and IF(c, a, b) or IIF(c, a, b). */
  If: 'this true? false?',

  // Calls. `value` is the name as written. Named functions have the types of `function-types.ts`.
  Anonymous: 'expressions*',
  Window: 'this partition_by* order? spec? alias?',
  WindowSpec: 'from? to?',
  Filter: 'this expression',
  WithinGroup: 'this expression',
  IgnoreNulls: 'this',
  RespectNulls: 'this',
} as const;

/** Types of called functions are open (Sum, Count, Round, …): `function-types.ts` maps names to them. */
export type NodeType = keyof typeof NODE_SHAPES | (string & {});

export type Role =
  | 'root'
  | 'alias'
  | 'aliases'
  | 'catalog'
  | 'columns'
  | 'condition'
  | 'count'
  | 'db'
  | 'default'
  | 'distinct'
  | 'except'
  | 'expression'
  | 'expressions'
  | 'false'
  | 'field'
  | 'fields'
  | 'from'
  | 'group'
  | 'having'
  | 'hints'
  | 'high'
  | 'ifs'
  | 'into'
  | 'iterator'
  | 'joins'
  | 'kind'
  | 'limit'
  | 'locks'
  | 'low'
  | 'match_condition'
  | 'connect'
  | 'offset'
  | 'on'
  | 'order'
  | 'ordinality'
  | 'partition_by'
  | 'pivots'
  | 'qualify'
  | 'query'
  | 'rename'
  | 'replace'
  | 'sample'
  | 'seed'
  | 'size'
  | 'spec'
  | 'step'
  | 'table'
  | 'this'
  | 'to'
  | 'true'
  | 'unit'
  | 'unnest'
  | 'using'
  | 'version'
  | 'where'
  | 'windows'
  | 'with'
  | 'zone';
