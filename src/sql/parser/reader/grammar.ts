/** What a dialect's grammar adds to or takes from the common one; pure data, made in `grammars.ts`. */
import type { DialectName } from '../../dialects/dialect.ts';
import type { NodeType } from '../../tree/node-types.ts';

/** How tight an operator holds its operands; a higher level holds tighter. */
export const LEVEL = {
  lowest: 0,
  or: 1,
  xor: 2,
  and: 3,
  not: 4,
  is: 5,
  compare: 6,
  predicate: 7,
  other: 8,
  bitOr: 9,
  bitXor: 10,
  bitAnd: 11,
  shift: 12,
  add: 13,
  multiply: 14,
  power: 15,
  unary: 17,
  postfix: 18,
} as const;

/** How an infix operator goes on after its left operand. */
export type InfixForm =
  | 'binary'
  | 'is'
  | 'in'
  | 'like'
  | 'between'
  | 'not'
  | 'is-null'
  | 'collate'
  | 'at-time-zone'
  | 'member-of'
  | 'named-operator'
  | 'factorial'
  | 'similar';

export interface Infix {
  readonly form: InfixForm;
  readonly type: NodeType;
  readonly level: number;
}

export interface Grammar {
  readonly dialect: DialectName;
  readonly infix: ReadonlyMap<string, Infix>;
  /** The level from which on the operands of IN, LIKE and BETWEEN are read. */
  readonly operandLevel: number;
  /** INTERSECT binds tighter than UNION and EXCEPT; in SQLite all bind alike. */
  readonly intersectFirst: boolean;
  /** Words that neither name a column nor stand as an alias without AS. */
  readonly reserved: ReadonlySet<string>;
  /** Words that are no alias without AS, though they may name a column. */
  readonly noAlias: ReadonlySet<string>;
  /** `SELECT a 'name'`: a text may be an alias. */
  readonly textAlias: boolean;
  /**
   * DuckDB's own forms: FROM before SELECT or without it, PIVOT as a statement, `name: value` in the select list,
   * `value.f()`, FILTER without WHERE.
   */
  readonly duckdbForms: boolean;
  /** `FROM t |> WHERE a` goes on by steps. */
  readonly pipes: boolean;
  /** `payload:a.b[0]` reads into a value. */
  readonly colonPath: boolean;
  /** `a -> a + 1` among arguments is a function, never an operator. */
  readonly arrowIsLambda: boolean;
  /** Functions whose arguments may be `x -> …` although `->` is an operator too. */
  readonly lambdaFunctions: ReadonlySet<string>;
  /** `[1, 2]` is an array, `{'a': 1}` a struct. */
  readonly bracketArrays: boolean;
  /** A text may name a table in FROM's aliases, and a table or column around a dot. */
  readonly textNames: boolean;
  /** `FROM ONLY t`. */
  readonly onlyTables: boolean;
  /** `TABLE t` is a query. */
  readonly tableStatement: boolean;
  /** `INT[]`, `INT[3]` are types; elsewhere the bracket begins a list or an index. */
  readonly bracketTypes: boolean;
  /** `INT ARRAY` is a type. */
  readonly arrayTypes: boolean;
  /** `FROM @stage`, `FROM $name`. */
  readonly placesInFrom: boolean;
  /** The first argument may be a short unit: `DATEDIFF(d, a, b)`. */
  readonly shortUnits: boolean;
  /** A quoted name may hold several parts: `a.b.c`. */
  readonly dottedQuotes: boolean;
  /** Names of projects with dashes in FROM. */
  readonly dashedNames: boolean;
  /** Functions that are called without brackets, upper case. */
  readonly bareCalls: ReadonlySet<string>;
  /** `DIV` and `MOD` between operands, `!` and `BINARY` before one. */
  readonly mysqlWords: boolean;
  /** Any signs may be an operator, before an operand and between two. */
  readonly ownOperators: boolean;
  /** `ISNULL`, `NOTNULL` after an operand. */
  readonly postfixNull: boolean;
  /** INTERVAL never names a column. */
  readonly intervalReserved: boolean;
  /** A unit of time may stand bare among arguments: `DATEDIFF(day, a, b)`. */
  readonly bareUnits: boolean;
  /** Texts beside each other are one text. */
  readonly textsJoin: boolean;
  /** START WITH … CONNECT BY, PRIOR, and ASOF with MATCH_CONDITION. */
  readonly connectBy: boolean;
  /** A comma may stand before FROM. */
  readonly trailingComma: boolean;
  /** MATCH_RECOGNIZE behind a relation. */
  readonly rowPatterns: boolean;
  /** `SELECT TOP 5`. */
  readonly top: boolean;
  /** Clause words that only this dialect knows, before which a table alias must end. */
  readonly sampleWords: ReadonlySet<string>;
}
