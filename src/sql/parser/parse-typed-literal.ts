/** `DATE '2024-01-01'`, `TIMESTAMP '…'`, `JSON '…'`: a text with its type before it, a Cast in the tree. */
import { as, type Draft } from './draft.ts';
import { parseText } from './parse-text.ts';
import type { Parser } from './rules.ts';

const TYPES: ReadonlySet<string> = new Set(
  `DATE TIME TIMESTAMP TIMESTAMPTZ TIMETZ DATETIME JSON JSONB UUID INET NUMERIC BIGNUMERIC DECIMAL BIGDECIMAL RANGE
  POINT BOX CIRCLE LSEG PATH POLYGON LINE CIDR MACADDR INT4RANGE DATERANGE BOOLEAN BOOL CHAR VARCHAR DOUBLE REAL
  TIMESTAMP_NTZ TIMESTAMP_LTZ TIMESTAMP_TZ BLOB IPADDRESS BIGINT INTEGER SMALLINT TINYINT REGCLASS INT FLOAT
  BYTEA OID TEXT`.split(/\s+/),
);
/** Types of the engines in which a text behind a name is never its alias. */
const MORE_TYPES: ReadonlySet<string> = new Set(
  `TIMESTAMP_NS TIMESTAMP_S TIMESTAMP_MS TIMESTAMP_US UBIGINT UINTEGER USMALLINT UTINYINT HUGEINT UHUGEINT VARINT STRING
  HYPERLOGLOG BPCHAR FLOAT8 FLOAT4 INT8 INT4 INT2 TIMETZ VARBINARY MONEY XML BIT VARBIT NAME TSVECTOR TSQUERY MACADDR8 JSONPATH
  INT8RANGE NUMRANGE TSRANGE TSTZRANGE`.split(/\s+/),
);
const WITH_PRECISION: ReadonlySet<string> = new Set(['TIMESTAMP', 'TIME', 'DECIMAL', 'CHAR', 'VARCHAR']);

/** A type word and then a text; `timestamp with time zone '…'` too. */
export function isTypedLiteral(parser: Parser): boolean {
  // BigQuery: `RANGE<DATE> '[2014-01-01, 2015-01-01)'`.
  if (parser.looksAt('RANGE', '<') && parser.ahead(3) === '>') return parser.kindAhead(4) === 'text';
  // In PostgreSQL any name before a text is a type, which the guard looks up.
  const { ownOperators, reserved, noAlias, textAlias } = parser.grammar;
  const isAnyName =
    ownOperators && parser.kind === 'word' && !reserved.has(parser.key) && !noAlias.has(parser.key);
  const isType = TYPES.has(parser.key) || isAnyName || (!textAlias && MORE_TYPES.has(parser.key));
  if (!isType) return false;
  if (parser.kindAhead(1) === 'text') return true;
  // `double precision '1.5'`, `bit varying '101'`
  if (['PRECISION', 'VARYING'].includes(parser.ahead(1))) return parser.kindAhead(2) === 'text';
  if (!WITH_PRECISION.has(parser.key) && !isAnyName) return false;
  const isZoned = parser.ahead(1) === 'WITH' || parser.ahead(1) === 'WITHOUT';
  if (isZoned)
    return parser.ahead(2) === 'TIME' && parser.ahead(3) === 'ZONE' && parser.kindAhead(4) === 'text';
  return (
    parser.ahead(1) === '(' &&
    parser.kindAhead(2) === 'number' &&
    parser.ahead(3) === ')' &&
    parser.kindAhead(4) === 'text'
  );
}

export function parseTypedLiteral(parser: Parser): Draft {
  const { start } = parser;
  const to = as('to', parser.rules.dataType(parser));
  const text = as('this', parseText(parser));
  return parser.node('Cast', start, [to, text], undefined, { operator: 'literal' });
}
