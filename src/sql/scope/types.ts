/** The family of every expression's type, through operators, functions, subqueries and the columns names mean. */
import { child, type SqlNode, type SqlTree } from '../tree/node.ts';
import type { Family, Output, Scopes } from './state/scope.ts';

interface Typing {
  readonly scopes: Scopes;
  readonly families: (Family | undefined)[];
  /** `undefined` while an output is being looked at. */
  readonly outputs: Map<Output, Family | undefined>;
}

/** Families by node id; a node that is no expression, or whose type cannot be told, is `unknown`. */
export function types(tree: SqlTree, scopes: Scopes): readonly Family[] {
  const typing: Typing = { scopes, families: new Array(tree.nodes.length), outputs: new Map() };
  // Children have higher ids than their parents, so backwards they come first and nothing nests deeply.
  for (let id = tree.nodes.length - 1; id >= 0; id -= 1) familyAt(typing, tree.nodes[id] as SqlNode);
  return typing.families.map((family) => family ?? 'unknown');
}

function familyAt(typing: Typing, node: SqlNode): Family {
  const known = typing.families[node.id];
  if (known !== undefined) return known;
  const family = readFamily(typing, node);
  typing.families[node.id] = family;
  return family;
}

type Reader = (typing: Typing, node: SqlNode) => Family;

/** What a function gives comes before what its node type gives: one type stands for functions of several kinds. */
function readFamily(typing: Typing, node: SqlNode): Family {
  const rule = node.flags.call === undefined ? undefined : FUNCTION_FAMILIES.get(functionName(node));
  if (rule !== undefined) return callFamily(typing, node, rule);
  return FIXED.get(node.type) ?? READERS.get(node.type)?.(typing, node) ?? 'unknown';
}

/** In upper case, without a schema before it. */
function functionName(node: SqlNode): string {
  const written = (node.value ?? '').toUpperCase();
  return written.slice(written.lastIndexOf('.') + 1);
}

const ARGUMENTS: ReadonlySet<string> = new Set(['this', 'expressions', 'true', 'false']);

function callFamily(typing: Typing, node: SqlNode, rule: FunctionFamily): Family {
  const parts = node.children.filter(({ role }) => ARGUMENTS.has(role));
  if (rule === 'argument') return parts[0] === undefined ? 'unknown' : familyAt(typing, parts[0]);
  if (rule === 'arguments') return combine(typing, parts);
  return rule === 'branches' ? combine(typing, parts.slice(1)) : rule;
}

/** The one family that all have, as far as they have one. */
function combine(typing: Typing, nodes: readonly SqlNode[]): Family {
  return unite(nodes.map((node) => familyAt(typing, node)));
}

function unite(families: readonly Family[]): Family {
  const known = new Set(families.filter((family) => family !== 'unknown'));
  const [only] = known;
  return known.size === 1 && only !== undefined ? only : 'unknown';
}

function columnFamily(typing: Typing, node: SqlNode): Family {
  const reference = typing.scopes.references[node.id];
  if (reference?.kind === 'text') return 'text';
  if (reference?.kind === 'row') return 'other';
  if (reference?.kind !== 'column' && reference?.kind !== 'alias') return 'unknown';
  return reference.fields.length === 0 ? outputFamily(typing, reference.output) : 'unknown';
}

function outputFamily(typing: Typing, output: Output): Family {
  if (typing.outputs.has(output)) return typing.outputs.get(output) ?? 'unknown';
  typing.outputs.set(output, undefined);
  const family = originFamily(typing, output);
  typing.outputs.set(output, family);
  return family;
}

function originFamily(typing: Typing, { origin }: Output): Family {
  switch (origin.kind) {
    case 'schema':
      return familyOf(origin.column.type);
    case 'expression':
      return familyAt(typing, origin.node);
    case 'element':
      return elementFamily(typing, origin.node);
    case 'outputs':
      return unite(origin.outputs.map((output) => outputFamily(typing, output)));
    case 'family':
      return origin.family;
    case 'unknown':
      return 'unknown';
  }
}

/** Of an array written out, or of a column declared as an array. */
function elementFamily(typing: Typing, node: SqlNode): Family {
  if (node.type === 'Array') return combine(typing, node.children);
  const reference = typing.scopes.references[node.id];
  const origin = reference?.kind === 'column' ? reference.output.origin : undefined;
  return origin?.kind === 'schema' ? elementFamilyOf(origin.column.type) : 'unknown';
}

/** A subquery as a value is its first column. */
function queryFamily(typing: Typing, node: SqlNode): Family {
  let query: SqlNode | undefined = node;
  while (query?.type === 'Subquery') query = child(query, 'this');
  const output = query && typing.scopes.places[query.id]?.outputs.list[0];
  return output === undefined ? 'unknown' : outputFamily(typing, output);
}

function firstFamily(typing: Typing, node: SqlNode): Family {
  const inner = child(node, 'this') ?? node.children[0];
  return inner === undefined ? 'unknown' : familyAt(typing, inner);
}

function literalFamily(_typing: Typing, node: SqlNode): Family {
  return node.flags.string === undefined ? 'numeric' : 'text';
}

function castFamily({ scopes }: Typing, node: SqlNode): Family {
  const to = child(node, 'to');
  return to === undefined ? 'unknown' : familyOf(scopes.tree.text.slice(to.start, to.end));
}

function caseFamily(typing: Typing, node: SqlNode): Family {
  const values = node.children.flatMap((part) => {
    if (part.role === 'ifs') return child(part, 'true') ?? [];
    return part.role === 'default' ? [part] : [];
  });
  return combine(typing, values);
}

/** A date moved by something stays a date; the difference of two is a number. */
function sumFamily(typing: Typing, node: SqlNode): Family {
  const families = node.children.map((part) => familyAt(typing, part));
  const dates = families.filter((family) => family === 'date').length;
  if (dates === 1 || (dates > 1 && node.type === 'Add')) return 'date';
  if (dates === 0 && node.children.some((part) => part.type === 'Interval')) {
    return families.every((family) => family === 'other') ? 'other' : 'date';
  }
  return 'numeric';
}

/** Written as an operator it gives JSON; the functions give what the path leads to. */
function jsonFamily(_typing: Typing, node: SqlNode): Family {
  return node.flags.call === undefined ? 'other' : 'unknown';
}

function kwargFamily(typing: Typing, node: SqlNode): Family {
  const value = child(node, 'expression');
  return value === undefined ? 'unknown' : familyAt(typing, value);
}

const FIXED: ReadonlyMap<string, Family> = new Map(
  Object.entries({
    bool: `Boolean And Or Xor Not EQ NEQ GT GTE LT LTE NullSafeEQ NullSafeNEQ Is Like ILike Glob SimilarTo RegexpLike
      RegexpILike Escape Between In Exists`,
    numeric: `Mul Div IntDiv Mod Pow BitwiseAnd BitwiseOr BitwiseXor BitwiseLeftShift BitwiseRightShift Neg Pos
      BitwiseNot Extract`,
    text: 'DPipe Collate JSONExtractScalar',
    date: 'AtTimeZone',
    other: 'Interval Array Struct Map Tuple Comprehension Lambda HexString BitString',
  }).flatMap(([family, names]) => names.split(/\s+/).map((name) => [name, family as Family] as const)),
);

const NAMES: Readonly<Partial<Record<FunctionFamily, string>>> = {
  numeric: `COUNT SUM AVG TOTAL ABS ROUND CEIL CEILING FLOOR SQRT CBRT POWER POW EXP LN LOG LOG10 LOG2 LOG1P MOD SIGN PI
    RADIANS DEGREES SIN COS TAN ASIN ACOS ATAN ATAN2 SINH COSH TANH COT RANDOM RAND RANDN UNIFORM WIDTH_BUCKET
    LENGTH LEN CHAR_LENGTH CHARACTER_LENGTH OCTET_LENGTH BIT_LENGTH BYTE_LENGTH STRLEN INSTR POSITION STRPOS LOCATE
    CHARINDEX ASCII UNICODE ORD CODEPOINT LEVENSHTEIN EDITDISTANCE EDIT_DISTANCE DIFFERENCE FIELD FIND_IN_SET STRCMP
    ROW_NUMBER RANK DENSE_RANK NTILE PERCENT_RANK CUME_DIST GROUPING GROUPING_ID
    STD STDDEV STDDEV_POP STDDEV_SAMP STDEV VARIANCE VAR_POP VAR_SAMP VARIANCE_POP VARIANCE_SAMP CORR COVAR_POP
    COVAR_SAMP KURTOSIS SKEWNESS REGR_SLOPE REGR_INTERCEPT REGR_COUNT REGR_R2 ENTROPY
    PERCENTILE_CONT PERCENTILE_DISC PERCENTILE QUANTILE QUANTILE_CONT QUANTILE_DISC APPROX_PERCENTILE APPROX_QUANTILE
    APPROX_COUNT_DISTINCT APPROX_DISTINCT HLL COUNTIF COUNT_IF FSUM KAHAN_SUM SUMKAHAN PRODUCT BIT_COUNT
    YEAR QUARTER MONTH WEEK DAY HOUR MINUTE SECOND MILLISECOND MICROSECOND DAYOFWEEK DAYOFMONTH DAYOFYEAR DAY_OF_WEEK
    DAY_OF_MONTH DAY_OF_YEAR WEEKOFYEAR WEEK_OF_YEAR WEEKDAY WEEKISO ISODOW ISOYEAR YEAROFWEEK YEARWEEK DOW DOY
    DATE_PART DATEPART DATEDIFF DATE_DIFF DATESUB TIMESTAMPDIFF TIMESTAMP_DIFF DATETIME_DIFF TIME_DIFF TIMEDIFF
    MONTHS_BETWEEN JULIANDAY JULIAN UNIXEPOCH EPOCH EPOCH_MS UNIX_TIMESTAMP UNIX_SECONDS UNIX_MILLIS UNIX_MICROS
    UNIX_DATE TO_UNIXTIME TO_DAYS TO_SECONDS TIME_TO_SEC PERIOD_DIFF
    TO_NUMBER TO_DECIMAL TO_NUMERIC TO_DOUBLE TRY_TO_NUMBER TRY_TO_DECIMAL TRY_TO_DOUBLE SAFE_DIVIDE DIV0 DIV0NULL DIV
    FDIV IEEE_DIVIDE SAFE_ADD SAFE_SUBTRACT SAFE_MULTIPLY CARDINALITY ARRAY_LENGTH ARRAY_SIZE LIST_COUNT
    JSON_ARRAY_LENGTH JSON_LENGTH ARRAY_POSITION LIST_POSITION HASH FARM_FINGERPRINT CRC32 CHANGES LAST_INSERT_ROWID
    ST_DISTANCE ST_AREA ST_LENGTH ST_X ST_Y HAVERSINE SQUARE TRUNCATE BITAND BITOR BITXOR FACTORIAL GCD LCM CONV`,
  text: `UPPER LOWER UCASE LCASE INITCAP SUBSTR SUBSTRING SUBSTRING_INDEX MID LEFT RIGHT TRIM LTRIM RTRIM BTRIM REPLACE
    CONCAT CONCAT_WS LPAD RPAD REPEAT REVERSE SPACE FORMAT PRINTF STRFTIME DATE_FORMAT TIME_FORMAT TO_CHAR TO_VARCHAR
    TO_STRING FORMAT_DATE FORMAT_DATETIME FORMAT_TIMESTAMP FORMAT_TIME GROUP_CONCAT STRING_AGG LISTAGG SPLIT_PART
    REGEXP_REPLACE REGEXP_EXTRACT REGEXP_SUBSTR CHR CHAR HEX TO_HEX MD5 SHA1 SHA2 SHA256 SHA512 TYPEOF QUOTE QUOTENAME
    QUOTE_LITERAL QUOTE_IDENT TRANSLATE JSON_VALUE JSON_EXTRACT_SCALAR JSON_EXTRACT_STRING JSON_UNQUOTE JSON_TYPE
    JSON_EXTRACT_PATH_TEXT JSONB_EXTRACT_PATH_TEXT TO_JSON_STRING MONTHNAME DAYNAME UUID GENERATE_UUID GEN_RANDOM_UUID
    UUID_STRING SOUNDEX OVERLAY INSERT STUFF STR SQLITE_VERSION VERSION CURRENT_USER USER DATABASE BASE64_ENCODE
    TO_BASE64 NORMALIZE ARRAY_TO_STRING ARRAY_JOIN LIST_TO_STRING STRIP_ACCENTS UNHEX INITCAP SAFE_CONVERT_BYTES_TO_STRING
    REGEXP_EXTRACT_STRING SPLIT_INDEX CURRENT_SCHEMA CURRENT_DATABASE CURRENT_CATALOG SESSION_USER`,
  date: `DATE DATETIME TIMESTAMP TIME TO_DATE TO_TIMESTAMP TO_TIMESTAMP_NTZ TO_TIMESTAMP_LTZ TO_TIMESTAMP_TZ TO_TIME
    TRY_TO_DATE TRY_TO_TIMESTAMP TRY_TO_TIMESTAMP_NTZ TRY_TO_TIME STR_TO_DATE STRPTIME TRY_STRPTIME PARSE_DATE
    PARSE_DATETIME PARSE_TIMESTAMP PARSE_TIME DATE_PARSE DATE_TRUNC DATETRUNC TIMESTAMP_TRUNC DATETIME_TRUNC TIME_TRUNC
    DATE_ADD DATE_SUB DATEADD TIMESTAMPADD TIMESTAMP_ADD TIMESTAMP_SUB DATETIME_ADD DATETIME_SUB TIME_ADD TIME_SUB
    ADDDATE SUBDATE ADDTIME SUBTIME ADD_MONTHS LAST_DAY NEXT_DAY PREVIOUS_DAY MAKE_DATE MAKEDATE MAKE_TIME MAKETIME
    MAKE_TIMESTAMP DATE_FROM_PARTS DATEFROMPARTS TIMESTAMP_FROM_PARTS TIMESTAMP_NTZ_FROM_PARTS TIME_FROM_PARTS
    FROM_UNIXTIME FROM_DAYS SEC_TO_TIME TIMESTAMP_SECONDS TIMESTAMP_MILLIS TIMESTAMP_MICROS DATE_FROM_UNIX_DATE
    CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP CURRENT_DATETIME LOCALTIME LOCALTIMESTAMP NOW TODAY CURDATE CURTIME
    SYSDATE GETDATE SYSTIMESTAMP UTC_DATE UTC_TIME UTC_TIMESTAMP CONVERT_TIMEZONE CONVERT_TZ TIMEZONE TIME_BUCKET
    DATE_BIN TIME_SLICE TIMEADD CLOCK_TIMESTAMP STATEMENT_TIMESTAMP TRANSACTION_TIMESTAMP`,
  bool: `REGEXP_LIKE REGEXP_CONTAINS REGEXP_MATCHES REGEXP RLIKE STARTS_WITH STARTSWITH ENDS_WITH ENDSWITH PREFIX SUFFIX
    CONTAINS CONTAINS_SUBSTR LIKE GLOB ISNULL IS_NULL ISNAN IS_NAN IS_INF ISINF BOOL_AND BOOL_OR EVERY LOGICAL_AND
    LOGICAL_OR BOOLAND_AGG BOOLOR_AGG ARRAY_CONTAINS LIST_CONTAINS LIST_HAS ARRAY_HAS ARRAYS_OVERLAP JSON_VALID
    JSON_CONTAINS JSON_EXISTS ST_CONTAINS ST_INTERSECTS ST_WITHIN ST_DWITHIN ST_COVERS EQUAL_NULL TO_BOOLEAN
    TRY_TO_BOOLEAN ANY_MATCH ALL_MATCH NONE_MATCH LIKELY UNLIKELY EXISTS MATCH`,
  other: `ARRAY_AGG ARRAY_CONCAT_AGG LIST ARRAY ARRAY_CONSTRUCT JSON_OBJECT JSON_ARRAY JSON_GROUP_ARRAY JSON_GROUP_OBJECT
    JSON_AGG JSONB_AGG JSON_OBJECT_AGG JSONB_OBJECT_AGG JSON_ARRAYAGG JSON_OBJECTAGG JSON_BUILD_OBJECT JSONB_BUILD_OBJECT
    JSON_QUERY JSON_KEYS PARSE_JSON TRY_PARSE_JSON TO_JSON TO_JSONB ROW_TO_JSON OBJECT_CONSTRUCT OBJECT_AGG OBJECT_KEYS
    TO_VARIANT SPLIT STRING_SPLIT STR_SPLIT STRING_TO_ARRAY STRTOK_TO_ARRAY REGEXP_SPLIT_TO_ARRAY REGEXP_EXTRACT_ALL
    STRUCT STRUCT_PACK ROW MAP MAP_AGG MAP_FROM_ENTRIES HISTOGRAM GENERATE_ARRAY GENERATE_DATE_ARRAY SEQUENCE
    LIST_VALUE LIST_TRANSFORM LIST_FILTER LIST_SORT LIST_DISTINCT ARRAY_SORT ARRAY_DISTINCT ARRAY_CAT ARRAY_CONCAT
    ARRAY_FILTER TRANSFORM FILTER FLATTEN APPROX_QUANTILES APPROX_TOP_COUNT ST_GEOGPOINT ST_POINT ST_MAKEPOINT
    ST_GEOGFROMTEXT ST_GEOMFROMTEXT AGE MAKE_INTERVAL JUSTIFY_DAYS JUSTIFY_INTERVAL TO_BINARY ZEROBLOB RANDOMBLOB`,
  argument: `MIN MAX ANY_VALUE ARBITRARY FIRST LAST FIRST_VALUE LAST_VALUE NTH_VALUE LAG LEAD MODE MEDIAN MIN_BY MAX_BY
    ARG_MIN ARG_MAX ARGMIN ARGMAX NULLIF NULLIFZERO ZEROIFNULL TRUNC TRY PARSE_IDENT GENERATE_SERIES RANGE UNNEST
    ABS_MIN BIT_AND BIT_OR BIT_XOR`,
  arguments: 'COALESCE IFNULL NVL GREATEST LEAST',
  branches: 'IF IIF IFF NVL2',
};

const FUNCTION_FAMILIES: ReadonlyMap<string, FunctionFamily> = new Map(
  Object.entries(NAMES).flatMap(([family, names]) =>
    names.split(/\s+/).map((name) => [name, family as FunctionFamily] as const),
  ),
);

// The family of a declared type, from its text.

/** By the first word of the type; what is not listed is told by the parts of its name. */
const FAMILIES: ReadonlyMap<string, Family> = readWords({
  numeric: `int integer tinyint smallint mediumint bigint hugeint uhugeint utinyint usmallint uinteger ubigint int1 int2
    int3 int4 int8 int16 int32 int64 int128 byteint unsigned signed real float float4 float8 float16 float32 float64
    double decimal dec numeric number bignumeric bigdecimal fixed money smallmoney serial bigserial smallserial
    serial2 serial4 serial8 oid year decfloat long short byte`,
  text: `text char character varchar varchar2 nvarchar nvarchar2 nchar bpchar string clob nclob tinytext mediumtext
    longtext citext name enum set uuid xml national sysname`,
  date: `date datetime datetime2 smalldatetime time timetz timestamp timestamptz timestampntz timestampltz timestamp_s
    timestamp_ms timestamp_ns timestamp_us timestamp_ntz timestamp_ltz timestamp_tz`,
  bool: 'bool boolean logical',
  other: `blob bytea binary varbinary tinyblob mediumblob longblob bytes bit varbit json jsonb variant object array list
    struct row map union hstore interval inet cidr macaddr point line lseg box path polygon circle geometry geography
    tsvector tsquery int4range int8range numrange tsrange tstzrange daterange vector range super multiset
    hyperloglog qdigest tdigest ipaddress`,
});

/** In the order of the affinity rules of SQLite, which takes any word for a type. */
const PARTS: readonly (readonly [part: string, family: Family])[] = [
  ['int', 'numeric'],
  ['char', 'text'],
  ['clob', 'text'],
  ['text', 'text'],
  ['string', 'text'],
  ['blob', 'other'],
  ['real', 'numeric'],
  ['floa', 'numeric'],
  ['doub', 'numeric'],
  ['num', 'numeric'],
  ['dec', 'numeric'],
  ['bool', 'bool'],
  ['date', 'date'],
  ['time', 'date'],
];

const KNOWN = new Map<string, Family>();

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['Column', columnFamily],
  ['Literal', literalFamily],
  ['Add', sumFamily],
  ['Sub', sumFamily],
  ['Cast', castFamily],
  ['TryCast', castFamily],
  ['Case', caseFamily],
  ['JSONExtract', jsonFamily],
  ['Kwarg', kwargFamily],
  ...['Select', 'Union', 'Intersect', 'Except', 'Values', 'Pivot', 'Subquery'].map(
    (type) => [type, queryFamily] as const,
  ),
  ...[
    'Alias',
    'Paren',
    'Window',
    'Filter',
    'WithinGroup',
    'IgnoreNulls',
    'RespectNulls',
    'Distinct',
    'Ordered',
    'Where',
    'Having',
    'Qualify',
    'Any',
    'All',
  ].map((type) => [type, firstFamily] as const),
]);

// What functions give, by their name in upper case: a family, or the family of some of their arguments.

/** `argument`: of the first one; `arguments`: of all; `branches`: of all but the first. */
type FunctionFamily = Family | 'argument' | 'arguments' | 'branches';

function readWords(lists: Readonly<Partial<Record<Family, string>>>): ReadonlyMap<string, Family> {
  return new Map(
    Object.entries(lists).flatMap(([family, words]) =>
      words.split(/\s+/).map((word) => [word, family as Family] as const),
    ),
  );
}

/** `familyOf('VARCHAR(20)')` → `text`; a type nobody knows, or none, is `unknown`. */
export function familyOf(type: string | undefined): Family {
  if (type === undefined) return 'unknown';
  const known = KNOWN.get(type);
  if (known !== undefined) return known;
  const family = familyOfName(type.trim().toLowerCase());
  KNOWN.set(type, family);
  return family;
}

function familyOfName(type: string): Family {
  if (type.endsWith(']') || type.endsWith('[]')) return 'other';
  const word = /^[\p{L}\p{N}_]+/u.exec(type)?.[0] ?? '';
  return FAMILIES.get(word) ?? PARTS.find(([part]) => type.includes(part))?.[1] ?? 'unknown';
}

/** The family of the elements of an array type: `ARRAY<STRING>`, `text[]`, `ARRAY(VARCHAR)`. */
export function elementFamilyOf(type: string | undefined): Family {
  const written = type?.trim() ?? '';
  const inner = /^array\s*[<(](.*)[>)]$/i.exec(written)?.[1] ?? /^(.*)\[\d*\]$/.exec(written)?.[1];
  return familyOf(inner);
}
