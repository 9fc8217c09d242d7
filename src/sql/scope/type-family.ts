/** The family of a declared type, from its text. */
import type { Family } from './scope.ts';

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

function readWords(lists: Readonly<Partial<Record<Family, string>>>): ReadonlyMap<string, Family> {
  return new Map(
    Object.entries(lists).flatMap(([family, words]) =>
      words.split(/\s+/).map((word) => [word, family as Family] as const),
    ),
  );
}

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

/** `familyOf('VARCHAR(20)')` → `text`; a type nobody knows, or none, is `unknown`. */
export function familyOf(type: string | undefined): Family {
  if (type === undefined) return 'unknown';
  const known = KNOWN.get(type);
  if (known !== undefined) return known;
  const family = readFamily(type.trim().toLowerCase());
  KNOWN.set(type, family);
  return family;
}

function readFamily(type: string): Family {
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
