/** Data types of Snowflake and the logical types of a semantic file. */

const WRITTEN: Readonly<Record<string, string>> = {
  String: 'VARCHAR',
  Integer: 'INTEGER',
  Decimal: 'NUMBER',
  Float: 'FLOAT',
  Boolean: 'BOOLEAN',
  Date: 'DATE',
  Time: 'TIME',
  DateTime: 'TIMESTAMP_NTZ',
  DateTimeTz: 'TIMESTAMP_TZ',
};

const READ: readonly (readonly [RegExp, string])[] = [
  [/^(?:VARCHAR|TEXT|STRING|CHAR)\b/i, 'String'],
  [/^(?:INT|INTEGER|BIGINT|SMALLINT)\b|^NUMBER\(\d+,\s*0\)$/i, 'Integer'],
  [/^(?:NUMBER|DECIMAL|NUMERIC)\b/i, 'Decimal'],
  [/^(?:FLOAT|DOUBLE|REAL)/i, 'Float'],
  [/^BOOLEAN$/i, 'Boolean'],
  [/^DATE$/i, 'Date'],
  [/^TIME\b/i, 'Time'],
  [/^(?:DATETIME|TIMESTAMP|TIMESTAMP_NTZ)\b/i, 'DateTime'],
  [/^TIMESTAMP_L?TZ\b/i, 'DateTimeTz'],
];

/** The logical type of a Snowflake type; `undefined` for VARIANT, GEOGRAPHY and others that have none. */
export function readSnowflakeType(type: string): string | undefined {
  return READ.find(([pattern]) => pattern.test(type.trim()))?.[1];
}

export function writeSnowflakeType(datatype: string): string | undefined {
  return WRITTEN[datatype];
}
