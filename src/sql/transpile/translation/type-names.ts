/** Names of types, as data: what each dialect's name means, and what each dialect calls it. */
import type { DialectName } from '../../dialects/dialect.ts';

/** What a type holds, independent of its name. */
export type TypeMeaning =
  | 'boolean'
  | 'int16'
  | 'int32'
  | 'int64'
  | 'float32'
  | 'float64'
  | 'decimal'
  /** SQLite's NUMERIC: whole or real, as the value is. */
  | 'number'
  | 'text'
  /** Padded or cut to its length. */
  | 'char'
  | 'bytes'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'timestamptz'
  | 'json'
  | 'uuid';

const SHARED = `
int16: SMALLINT, INT2; int32: INT, INTEGER, INT4; int64: BIGINT, INT8; float64: DOUBLE, DOUBLE
PRECISION, FLOAT8; float32: REAL, FLOAT4; decimal: DECIMAL, NUMERIC, DEC; text: TEXT, VARCHAR,
STRING, CHARACTER VARYING; char: CHAR, CHARACTER; boolean: BOOLEAN, BOOL; date: DATE; time: TIME,
TIME WITHOUT TIME ZONE; timestamp: TIMESTAMP, DATETIME, TIMESTAMP WITHOUT TIME ZONE; timestamptz:
TIMESTAMPTZ, TIMESTAMP WITH TIME ZONE; json: JSON, JSONB; uuid: UUID; bytes: BLOB, BYTEA, BINARY,
VARBINARY
`;

/** What differs from the shared names: read and written. */
const OWN: Readonly<Record<DialectName, string>> = {
  sqlite: '',
  duckdb: `float32: FLOAT, REAL, FLOAT4; text: BPCHAR, CHAR, CHARACTER; int64: LONG, INT64; int32: SIGNED, INT32;
    int16: SHORT, INT16`,
  postgres: 'float64: FLOAT; char: BPCHAR',
  mysql: `int64: SIGNED, SIGNED INTEGER, SIGNED INT; float32: FLOAT; float64: REAL; text: CHAR, NCHAR, CHARACTER`,
  trino: 'float32: REAL',
  snowflake: `float64: FLOAT, DOUBLE, REAL, FLOAT4, FLOAT8; decimal: NUMBER; timestamp: TIMESTAMP_NTZ,
    TIMESTAMPNTZ; timestamptz: TIMESTAMP_TZ, TIMESTAMP_LTZ; text: CHAR, CHARACTER; json:
    VARIANT; int64: BYTEINT, TINYINT, SMALLINT, INT, INTEGER`,
  bigquery: `int64: INT64, INT, INTEGER, SMALLINT, TINYINT, BYTEINT; float64: FLOAT64; decimal: BIGNUMERIC,
    BIGDECIMAL; bytes: BYTES; timestamp: DATETIME; timestamptz: TIMESTAMP; boolean: BOOL`,
};

const WRITTEN: Readonly<Record<DialectName, string>> = {
  sqlite: `int16: INTEGER; int32: INTEGER; int64: INTEGER; float32: REAL; float64: REAL; number: NUMERIC; text: TEXT; char: TEXT;
    bytes: BLOB`,
  duckdb: `boolean: BOOLEAN; int16: SMALLINT; int32: INTEGER; int64: BIGINT; float32: REAL; float64: DOUBLE; decimal: DECIMAL;
    text: VARCHAR; bytes: BLOB; date: DATE; time: TIME; timestamp: TIMESTAMP; timestamptz: TIMESTAMPTZ; json: JSON; uuid: UUID`,
  postgres: `boolean: BOOLEAN; int16: SMALLINT; int32: INTEGER; int64: BIGINT; float32: REAL; float64: DOUBLE PRECISION;
    decimal: NUMERIC; text: TEXT; char: CHAR; bytes: BYTEA; date: DATE; time: TIME; timestamp: TIMESTAMP;
    timestamptz: TIMESTAMPTZ; json: JSONB; uuid: UUID`,
  mysql: `int16: SIGNED; int32: SIGNED; int64: SIGNED; float32: FLOAT; float64: DOUBLE; decimal: DECIMAL; text: CHAR;
    bytes: BINARY; date: DATE; time: TIME; timestamp: DATETIME; json: JSON`,
  trino: `boolean: BOOLEAN; int16: SMALLINT; int32: INTEGER; int64: BIGINT; float32: REAL; float64: DOUBLE; decimal: DECIMAL;
    text: VARCHAR; char: CHAR; bytes: VARBINARY; date: DATE; time: TIME; timestamp: TIMESTAMP;
    timestamptz: TIMESTAMP WITH TIME ZONE; uuid: UUID`,
  snowflake: `boolean: BOOLEAN; int16: INTEGER; int32: INTEGER; int64: INTEGER; float64: DOUBLE; decimal: DECIMAL; text: VARCHAR;
    bytes: BINARY; date: DATE; time: TIME; timestamp: TIMESTAMP_NTZ; timestamptz: TIMESTAMP_TZ; json: VARIANT`,
  bigquery: `boolean: BOOL; int16: INT64; int32: INT64; int64: INT64; float64: FLOAT64; decimal: NUMERIC; text: STRING; bytes: BYTES;
    date: DATE; time: TIME; timestamp: DATETIME; timestamptz: TIMESTAMP; json: JSON`,
};

const MEANINGS: Readonly<Record<string, ReadonlyMap<string, TypeMeaning>>> = mapTables(OWN, (own) => {
  const read = (text: string): [string, TypeMeaning][] =>
    entriesOf(text).flatMap(([meaning, names]) =>
      names.map((name): [string, TypeMeaning] => [name, meaning]),
    );
  return new Map([...read(SHARED), ...read(own)]);
});

const NAMES: Readonly<Record<string, ReadonlyMap<TypeMeaning, string>>> = mapTables(
  WRITTEN,
  (text) => new Map(entriesOf(text).map(([meaning, names]) => [meaning, names[0] ?? ''])),
);

/** What a name means in a dialect; SQLite goes by parts of the name, as its rules of affinity do. */
export function typeMeaning(name: string, dialect: DialectName): TypeMeaning | undefined {
  return dialect === 'sqlite' ? affinityOf(name) : MEANINGS[dialect]?.get(name);
}

/** What a dialect calls a type: `typeName('float64', 'bigquery')` → `FLOAT64`. */
export function typeName(meaning: TypeMeaning, dialect: DialectName): string | undefined {
  return NAMES[dialect]?.get(meaning);
}

function affinityOf(name: string): TypeMeaning {
  if (name.includes('INT')) return 'int64';
  if (/CHAR|CLOB|TEXT/.test(name)) return 'text';
  if (name.includes('BLOB')) return 'bytes';
  return /REAL|FLOA|DOUB/.test(name) ? 'float64' : 'number';
}

/** `meaning: NAME, NAME; …`. */
function entriesOf(text: string): readonly (readonly [meaning: TypeMeaning, names: readonly string[]])[] {
  return text
    .trim()
    .split(/;\s*/)
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [meaning = '', list = ''] = entry.split(':');
      const names = list.split(',').map((name) => name.trim().replace(/\s+/g, ' '));
      return [meaning.trim() as TypeMeaning, names.filter((name) => name !== '')] as const;
    });
}

function mapTables<T>(
  tables: Readonly<Record<DialectName, string>>,
  read: (text: string) => T,
): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(tables).map(([dialect, text]) => [dialect, read(text)]));
}
