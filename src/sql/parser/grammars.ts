/** The grammars of the dialects, each as its difference to the common one. Sources: the engines' own grammars. */
import type { DialectName } from '../dialects/dialect.ts';
import type { NodeType } from '../tree/node-types.ts';
import { type Grammar, type Infix, type InfixForm, LEVEL } from './reader/grammar.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.toUpperCase().trim().split(/\s+/));

const RESERVED = words(`
  select from where group having order limit union intersect except on and or not case when then else as in is
  between like using inner join cross natural distinct with null
`);

/** SQLite's words without a fallback to a name. */
const SQLITE_RESERVED: ReadonlySet<string> = new Set([
  ...RESERVED,
  ...words(`
    add alter autoincrement check commit constraint create default deferrable delete drop exists foreign index
    insert into isnull notnull primary references set table to transaction unique update values
  `),
]);

const NO_ALIAS = words(`
  left right full outer semi anti asof positional lateral straight_join offset fetch for window qualify set into end
  asc desc nulls returning glob match regexp rlike ilike similar escape collate isnull notnull at div mod xor
  filter within over ignore respect minus partition tablesample pivot unpivot match_recognize start connect match_condition lock directed
`);

const BARE_CALLS = 'current_date current_time current_timestamp';
const STANDARD_CALLS =
  'localtime localtimestamp current_user session_user current_role current_catalog current_schema';

/** PostgreSQL's levels, which most others follow. */
const COMMON: InfixTable = {
  OR: ['Or', LEVEL.or],
  AND: ['And', LEVEL.and],
  IS: ['Is', LEVEL.is, 'is'],
  '=': ['EQ', LEVEL.compare],
  '==': ['EQ', LEVEL.compare],
  '<>': ['NEQ', LEVEL.compare],
  '!=': ['NEQ', LEVEL.compare],
  '<': ['LT', LEVEL.compare],
  '<=': ['LTE', LEVEL.compare],
  '>': ['GT', LEVEL.compare],
  '>=': ['GTE', LEVEL.compare],
  NOT: ['Not', LEVEL.predicate, 'not'],
  IN: ['In', LEVEL.predicate, 'in'],
  BETWEEN: ['Between', LEVEL.predicate, 'between'],
  LIKE: ['Like', LEVEL.predicate, 'like'],
  ILIKE: ['ILike', LEVEL.predicate, 'like'],
  SIMILAR: ['SimilarTo', LEVEL.predicate, 'similar'],
  '||': ['DPipe', LEVEL.other],
  '|': ['BitwiseOr', LEVEL.bitOr],
  '&': ['BitwiseAnd', LEVEL.bitAnd],
  '<<': ['BitwiseLeftShift', LEVEL.shift],
  '>>': ['BitwiseRightShift', LEVEL.shift],
  '+': ['Add', LEVEL.add],
  '-': ['Sub', LEVEL.add],
  '*': ['Mul', LEVEL.multiply],
  '/': ['Div', LEVEL.multiply],
  '%': ['Mod', LEVEL.multiply],
  COLLATE: ['Collate', LEVEL.postfix, 'collate'],
  AT: ['AtTimeZone', LEVEL.postfix, 'at-time-zone'],
};

/** Trino, Snowflake, BigQuery: IS, IN, LIKE and BETWEEN stand on one level with the comparisons. */
const FLAT: InfixTable = {
  ...COMMON,
  IS: ['Is', LEVEL.compare, 'is'],
  NOT: ['Not', LEVEL.compare, 'not'],
  IN: ['In', LEVEL.compare, 'in'],
  BETWEEN: ['Between', LEVEL.compare, 'between'],
  LIKE: ['Like', LEVEL.compare, 'like'],
  ILIKE: ['ILike', LEVEL.compare, 'like'],
  SIMILAR: ['SimilarTo', LEVEL.compare, 'similar'],
  '^': ['BitwiseXor', LEVEL.bitXor],
};

const operators = (signs: string, level: number): InfixTable =>
  Object.fromEntries(signs.split(' ').map((sign) => [sign, ['Operator', level] as const]));

const REGEXP_SIGNS: InfixTable = {
  '~': ['RegexpLike', LEVEL.other],
  '~*': ['RegexpILike', LEVEL.other],
  '!~': ['Operator', LEVEL.other],
  '!~*': ['Operator', LEVEL.other],
  '~~': ['Like', LEVEL.other],
  '~~*': ['ILike', LEVEL.other],
  '!~~': ['Operator', LEVEL.other],
  '!~~*': ['Operator', LEVEL.other],
  '->': ['JSONExtract', LEVEL.other],
  '->>': ['JSONExtractScalar', LEVEL.other],
  ISNULL: ['Is', LEVEL.is, 'is-null'],
  NOTNULL: ['Is', LEVEL.is, 'is-null'],
};

const SQLITE: InfixTable = {
  ...FLAT,
  GLOB: ['Glob', LEVEL.compare, 'like'],
  MATCH: ['Operator', LEVEL.compare, 'like'],
  REGEXP: ['RegexpLike', LEVEL.compare, 'like'],
  ISNULL: ['Is', LEVEL.compare, 'is-null'],
  NOTNULL: ['Is', LEVEL.compare, 'is-null'],
  '<': ['LT', LEVEL.predicate],
  '<=': ['LTE', LEVEL.predicate],
  '>': ['GT', LEVEL.predicate],
  '>=': ['GTE', LEVEL.predicate],
  '|': ['BitwiseOr', LEVEL.bitOr],
  '&': ['BitwiseAnd', LEVEL.bitOr],
  '<<': ['BitwiseLeftShift', LEVEL.bitOr],
  '>>': ['BitwiseRightShift', LEVEL.bitOr],
  '||': ['DPipe', LEVEL.power],
  '->': ['JSONExtract', LEVEL.power],
  '->>': ['JSONExtractScalar', LEVEL.power],
};

const POSTGRES: InfixTable = {
  ...COMMON,
  ...REGEXP_SIGNS,
  OPERATOR: ['Operator', LEVEL.other, 'named-operator'],
  ...operators(
    '@> <@ ? ?| ?& #- @@ @@@ @? <-> <=> <#> <+> && &< &> <<| |>> &<| |&> <<= >>= -|- ^@ ~= OVERLAPS',
    LEVEL.other,
  ),
  '#>': ['JSONExtract', LEVEL.other],
  '#>>': ['JSONExtractScalar', LEVEL.other],
  '#': ['BitwiseXor', LEVEL.other],
  '^': ['Pow', LEVEL.power],
};

const DUCKDB: InfixTable = {
  ...COMMON,
  ...REGEXP_SIGNS,
  ...operators('@> <@ && ^@ <-> <=>', LEVEL.other),
  GLOB: ['Glob', LEVEL.predicate, 'like'],
  '~~~': ['Glob', LEVEL.other],
  '^': ['Pow', LEVEL.power],
  '**': ['Pow', LEVEL.power],
  '//': ['IntDiv', LEVEL.multiply],
  '!': ['UnaryOperator', LEVEL.other, 'factorial'],
};

const REGEXP_WORD = ['RegexpLike', LEVEL.compare, 'like'] as const;
const MYSQL: InfixTable = {
  ...FLAT,
  '||': ['Or', LEVEL.or],
  '&&': ['And', LEVEL.and],
  XOR: ['Xor', LEVEL.xor],
  '<=>': ['NullSafeEQ', LEVEL.compare],
  REGEXP: REGEXP_WORD,
  RLIKE: REGEXP_WORD,
  SOUNDS: ['Operator', LEVEL.compare, 'similar'],
  MEMBER: ['Operator', LEVEL.compare, 'member-of'],
  DIV: ['IntDiv', LEVEL.multiply],
  MOD: ['Mod', LEVEL.multiply],
  '^': ['BitwiseXor', LEVEL.power],
  '->': ['JSONExtract', LEVEL.postfix],
  '->>': ['JSONExtractScalar', LEVEL.postfix],
};

const SNOWFLAKE: InfixTable = { ...FLAT, RLIKE: REGEXP_WORD, REGEXP: REGEXP_WORD };
const BIGQUERY: InfixTable = { ...FLAT, '||': ['DPipe', LEVEL.multiply] };

/** By dialect; `common` is what the others begin with. */
const INFIX = {
  common: tableOf(COMMON),
  sqlite: tableOf(SQLITE),
  duckdb: tableOf(DUCKDB),
  postgres: tableOf(POSTGRES),
  mysql: tableOf(MYSQL),
  trino: tableOf(FLAT),
  snowflake: tableOf(SNOWFLAKE),
  bigquery: tableOf(BIGQUERY),
} as const;

const BASE: Grammar = {
  dialect: 'sqlite',
  bareCalls: words(BARE_CALLS),
  infix: INFIX.common,
  operandLevel: LEVEL.other,
  intersectFirst: true,
  reserved: RESERVED,
  noAlias: NO_ALIAS,
  textAlias: false,
  duckdbForms: false,
  pipes: false,
  colonPath: false,
  arrowIsLambda: false,
  lambdaFunctions: new Set(),
  bracketArrays: false,
  textNames: false,
  tableStatement: true,
  onlyTables: false,
  bracketTypes: false,
  arrayTypes: false,
  placesInFrom: false,
  shortUnits: false,
  dottedQuotes: false,
  dashedNames: false,
  mysqlWords: false,
  ownOperators: false,
  rowPatterns: false,
  postfixNull: false,
  intervalReserved: false,
  textsJoin: false,
  bareUnits: false,
  connectBy: false,
  trailingComma: false,
  top: false,
  sampleWords: words('tablesample'),
};

export const GRAMMARS: Readonly<Record<DialectName, Grammar>> = {
  sqlite: {
    ...BASE,
    dialect: 'sqlite',
    textNames: true,
    tableStatement: false,
    infix: INFIX.sqlite,
    intersectFirst: false,
    textAlias: true,
    postfixNull: true,
    operandLevel: LEVEL.predicate,
    reserved: SQLITE_RESERVED,
  },
  duckdb: {
    ...BASE,
    dialect: 'duckdb',
    bracketTypes: true,
    infix: INFIX.duckdb,
    duckdbForms: true,
    bareCalls: words(`${BARE_CALLS} ${STANDARD_CALLS}`),
    trailingComma: true,
    postfixNull: true,
    bracketArrays: true,
    sampleWords: words('tablesample using'),
    lambdaFunctions: words(`
      list_transform list_apply apply transform array_transform array_apply list_filter array_filter filter
      list_reduce array_reduce reduce list_sort
    `),
  },
  postgres: {
    ...BASE,
    dialect: 'postgres',
    ownOperators: true,
    onlyTables: true,
    bracketTypes: true,
    arrayTypes: true,
    infix: INFIX.postgres,
    textsJoin: true,
    postfixNull: true,
    bareCalls: words(`${BARE_CALLS} ${STANDARD_CALLS} user`),
  },
  mysql: {
    ...BASE,
    dialect: 'mysql',
    infix: INFIX.mysql,
    textAlias: true,
    mysqlWords: true,
    bareUnits: true,
    bareCalls: words(
      `${BARE_CALLS} localtime localtimestamp current_user current_role utc_date utc_time utc_timestamp`,
    ),
    intervalReserved: true,
    textsJoin: true,
  },
  trino: {
    ...BASE,
    dialect: 'trino',
    rowPatterns: true,
    infix: INFIX.trino,
    arrowIsLambda: true,
    bareCalls: words(`${BARE_CALLS} ${STANDARD_CALLS} current_path current_groups`),
  },
  snowflake: {
    ...BASE,
    dialect: 'snowflake',
    rowPatterns: true,
    placesInFrom: true,
    shortUnits: true,
    infix: INFIX.snowflake,
    colonPath: true,
    bareUnits: true,
    connectBy: true,
    trailingComma: true,
    top: true,
    arrowIsLambda: true,
    bareCalls: words(`${BARE_CALLS} ${STANDARD_CALLS}`),
    bracketArrays: true,
    textAlias: true,
    sampleWords: words('tablesample sample'),
  },
  bigquery: {
    ...BASE,
    dialect: 'bigquery',
    infix: INFIX.bigquery,
    bracketArrays: true,
    dottedQuotes: true,
    pipes: true,
    bareUnits: true,
    intervalReserved: true,
    textsJoin: true,
    trailingComma: true,
    dashedNames: true,
    bareCalls: words(`${BARE_CALLS} current_datetime`),
    arrowIsLambda: true,
  },
};

// The operators between operands and their levels, for each dialect as its difference to the common ones.

type InfixTable = Readonly<Record<string, readonly [type: NodeType, level: number, form?: InfixForm]>>;

function tableOf(infix: InfixTable): ReadonlyMap<string, Infix> {
  return new Map(
    Object.entries(infix).map(([key, [type, level, form]]) => [key, { type, level, form: form ?? 'binary' }]),
  );
}
