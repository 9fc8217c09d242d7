/** The grammars of the dialects, each as its difference to the common one. Sources: the engines' own grammars. */
import type { DialectName } from '../dialect.ts';
import { type Grammar, LEVEL } from './grammar.ts';
import { INFIX } from './infix-tables.ts';

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
