import { type Phrase, phrase } from './phrase.ts';

/** A part of a time as a number: `part('year', '%Y')`. */
function part(unit: string, code: string, names: readonly string[] = [unit.toUpperCase()]): Phrase {
  const word = unit.toUpperCase();
  const calls = names.map((name) => `${name}(_time)`);
  const extract = `EXTRACT(${word} FROM _time)`;
  return phrase({
    sqlite: [
      `CAST(STRFTIME('${code}', _time) AS INTEGER)`,
      `CAST(STRFTIME('${code}', _time) AS INT)`,
      `STRFTIME('${code}', _time) + 0`,
    ],
    duckdb: [...calls, extract, `DATE_PART('${unit}', _time)`, `DATEPART('${unit}', _time)`],
    postgres: [extract, `DATE_PART('${unit}', _time)`],
    'mysql trino': [...calls, extract],
    snowflake: [...calls, extract, `DATE_PART(${word}, _time)`, `DATE_PART('${unit}', _time)`],
    bigquery: extract,
  });
}

const WEEKDAY = 'EXTRACT(DAYOFWEEK FROM _time)';

/** Parts of times that need more than a name. */
const SPECIAL_PARTS: readonly Phrase[] = [
  phrase({
    sqlite: "(CAST(STRFTIME('%m', _time) AS INTEGER) + 2) / 3",
    duckdb: ['QUARTER(_time)', 'EXTRACT(QUARTER FROM _time)', "DATE_PART('quarter', _time)"],
    postgres: ['EXTRACT(QUARTER FROM _time)', "DATE_PART('quarter', _time)"],
    'mysql trino': ['QUARTER(_time)', 'EXTRACT(QUARTER FROM _time)'],
    snowflake: ['QUARTER(_time)', 'EXTRACT(QUARTER FROM _time)', 'DATE_PART(QUARTER, _time)'],
    bigquery: 'EXTRACT(QUARTER FROM _time)',
  }),
  phrase({
    sqlite: "CAST(STRFTIME('%j', _time) AS INTEGER)",
    duckdb: ['DAYOFYEAR(_time)', 'EXTRACT(DOY FROM _time)'],
    postgres: ['EXTRACT(DOY FROM _time)', "DATE_PART('doy', _time)"],
    'mysql snowflake': 'DAYOFYEAR(_time)',
    trino: ['DAY_OF_YEAR(_time)', 'DOY(_time)'],
    bigquery: 'EXTRACT(DAYOFYEAR FROM _time)',
  }),
  phrase({
    sqlite: "CAST(STRFTIME('%w', _time) AS INTEGER)",
    duckdb: ['DAYOFWEEK(_time)', 'EXTRACT(DOW FROM _time)', "DATE_PART('dow', _time)"],
    postgres: ['EXTRACT(DOW FROM _time)', "DATE_PART('dow', _time)"],
    mysql: 'DAYOFWEEK(_time) - 1',
    trino: 'DAY_OF_WEEK(_time) % 7',
    snowflake: 'DAYOFWEEK(_time)',
    bigquery: `${WEEKDAY} - 1`,
  }),
  phrase({
    mysql: 'DAYOFWEEK(_time)',
    bigquery: WEEKDAY,
    sqlite: ">CAST(STRFTIME('%w', _time) AS INTEGER) + 1",
    'duckdb snowflake': '>DAYOFWEEK(_time) + 1',
    postgres: '>EXTRACT(DOW FROM _time) + 1',
    trino: '>DAY_OF_WEEK(_time) % 7 + 1',
  }),
  phrase({
    duckdb: ['ISODOW(_time)', 'EXTRACT(ISODOW FROM _time)'],
    postgres: ['EXTRACT(ISODOW FROM _time)', "DATE_PART('isodow', _time)"],
    trino: ['DAY_OF_WEEK(_time)', 'DOW(_time)'],
    snowflake: 'DAYOFWEEKISO(_time)',
    mysql: 'WEEKDAY(_time) + 1',
    bigquery: `>MOD(${WEEKDAY} + 5, 7) + 1`,
    sqlite: ">(CAST(STRFTIME('%w', _time) AS INTEGER) + 6) % 7 + 1",
  }),
  phrase({
    mysql: 'WEEKDAY(_time)',
    duckdb: '>ISODOW(_time) - 1',
    postgres: '>EXTRACT(ISODOW FROM _time) - 1',
    trino: '>DAY_OF_WEEK(_time) - 1',
    snowflake: '>DAYOFWEEKISO(_time) - 1',
    bigquery: `>MOD(${WEEKDAY} + 5, 7)`,
    sqlite: ">(CAST(STRFTIME('%w', _time) AS INTEGER) + 6) % 7",
  }),
  phrase({
    duckdb: ['WEEK(_time)', 'WEEKOFYEAR(_time)', 'EXTRACT(WEEK FROM _time)'],
    postgres: ['EXTRACT(WEEK FROM _time)', "DATE_PART('week', _time)"],
    mysql: ['WEEKOFYEAR(_time)', 'WEEK(_time, 3)'],
    trino: ['WEEK(_time)', 'WEEK_OF_YEAR(_time)'],
    snowflake: 'WEEKISO(_time)',
    bigquery: 'EXTRACT(ISOWEEK FROM _time)',
  }),
  phrase({
    'mysql duckdb': 'MONTHNAME(_time)',
    postgres: "TO_CHAR(_time, 'FMMonth')",
    trino: "DATE_FORMAT(_time, '%M')",
    bigquery: "FORMAT_DATETIME('%B', CAST(_time AS DATETIME))",
  }),
  phrase({
    'mysql duckdb': 'DAYNAME(_time)',
    postgres: "TO_CHAR(_time, 'FMDay')",
    trino: "DATE_FORMAT(_time, '%W')",
    bigquery: "FORMAT_DATETIME('%A', CAST(_time AS DATETIME))",
  }),
];

/** Days since the noon that Julian days are counted from. */
export const JULIAN_DAY = phrase({
  sqlite: 'JULIANDAY(_time)',
  duckdb: '>EPOCH(_time) / 86400.0 + 2440587.5',
  postgres: '>EXTRACT(EPOCH FROM _time) / 86400.0 + 2440587.5',
  mysql: '>UNIX_TIMESTAMP(_time) / 86400.0 + 2440587.5',
  trino: '>TO_UNIXTIME(_time) / 86400e0 + 2440587.5',
});

/** Seconds since 1970. */
export const EPOCH_SECONDS = phrase({
  sqlite: ["CAST(STRFTIME('%s', _time) AS INTEGER)", 'UNIXEPOCH(_time)'],
  duckdb: ['EPOCH(_time)', 'EXTRACT(EPOCH FROM _time)'],
  postgres: ['EXTRACT(EPOCH FROM _time)', "DATE_PART('epoch', _time)"],
  mysql: 'UNIX_TIMESTAMP(_time)',
  trino: 'TO_UNIXTIME(_time)',
  snowflake: 'DATE_PART(EPOCH_SECOND, _time)',
  bigquery: '>UNIX_SECONDS(CAST(_time AS TIMESTAMP))',
});

/** The moment of the query, and dates out of times. */
const MOMENTS: readonly Phrase[] = [
  phrase({
    all: ['CURRENT_DATE', 'CURRENT_DATE()'],
    sqlite: ["DATE('now')", 'CURRENT_DATE'],
    duckdb: ['CURRENT_DATE', 'TODAY()'],
    mysql: ['CURRENT_DATE', 'CURDATE()', 'CURRENT_DATE()'],
  }),
  phrase({
    all: 'CURRENT_TIMESTAMP',
    sqlite: ["DATETIME('now')", 'CURRENT_TIMESTAMP'],
    'duckdb postgres trino': ['CURRENT_TIMESTAMP', 'NOW()'],
    mysql: ['CURRENT_TIMESTAMP', 'NOW()', 'CURRENT_TIMESTAMP()'],
    snowflake: ['CURRENT_TIMESTAMP', 'GETDATE()', 'SYSDATE()'],
  }),
  phrase({
    'sqlite mysql bigquery trino': 'DATE(_time)',
    snowflake: ['TO_DATE(_time)', 'DATE(_time)'],
    'duckdb postgres': '>CAST(_time AS DATE)',
  }),
  phrase({
    'mysql snowflake bigquery': 'LAST_DAY(_time)',
    duckdb: 'LAST_DAY(_time)',
    trino: 'LAST_DAY_OF_MONTH(_time)',
    postgres: ">CAST(DATE_TRUNC('month', _time) + INTERVAL '1 month' - INTERVAL '1 day' AS DATE)",
    sqlite: "DATE(_time, 'start of month', '+1 month', '-1 day')",
  }),
  phrase({
    'duckdb postgres': 'MAKE_DATE(_y, _m, _d)',
    snowflake: ['DATE_FROM_PARTS(_y, _m, _d)', 'DATEFROMPARTS(_y, _m, _d)'],
    bigquery: 'DATE(_y, _m, _d)',
  }),
  EPOCH_SECONDS,
  phrase({
    sqlite: "DATETIME(_n, 'unixepoch')",
    'duckdb postgres snowflake': 'TO_TIMESTAMP(_n)',
    'mysql trino': 'FROM_UNIXTIME(_n)',
    bigquery: 'TIMESTAMP_SECONDS(_n)',
  }),
  phrase({
    sqlite: 'JULIANDAY(_time1) - JULIANDAY(_time2)',
    duckdb: '>EPOCH(_time1 - _time2) / 86400.0',
    postgres: '>EXTRACT(EPOCH FROM _time1 - _time2) / 86400.0',
    mysql: '>TIMESTAMPDIFF(SECOND, _time2, _time1) / 86400.0',
    trino: ">DATE_DIFF('second', _time2, _time1) / 86400e0",
    snowflake: '>DATEDIFF(SECOND, _time2, _time1) / 86400.0',
    bigquery: '>DATETIME_DIFF(_time1, _time2, SECOND) / 86400.0',
  }),
  JULIAN_DAY,
];

export const TIME_PHRASES: readonly Phrase[] = [
  part('year', '%Y'),
  part('month', '%m'),
  part('day', '%d', ['DAY', 'DAYOFMONTH']),
  part('hour', '%H'),
  part('minute', '%M'),
  part('second', '%S'),
  ...SPECIAL_PARTS,
  ...MOMENTS,
];
