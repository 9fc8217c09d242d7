import { type Phrase, phrase } from './phrase.ts';

/** Cut down to the beginning of a unit. The templates of SQLite and MySQL are written by hand. */
const CUT: Readonly<Record<string, { readonly sqlite: string; readonly mysql: string }>> = {
  year: {
    sqlite: "DATE(_time, 'start of year')",
    mysql: ">CAST(DATE_FORMAT(_time, '%Y-01-01') AS DATE)",
  },
  quarter: {
    sqlite: '',
    mysql: '>MAKEDATE(YEAR(_time), 1) + INTERVAL QUARTER(_time) - 1 QUARTER',
  },
  month: {
    sqlite: "DATE(_time, 'start of month')",
    mysql: ">CAST(DATE_FORMAT(_time, '%Y-%m-01') AS DATE)",
  },
  week: {
    sqlite: "DATE(_time, 'weekday 0', '-6 days')",
    mysql: '>DATE_SUB(DATE(_time), INTERVAL WEEKDAY(_time) DAY)',
  },
  day: { sqlite: '>DATE(_time)', mysql: '>DATE(_time)' },
  hour: {
    sqlite: "STRFTIME('%Y-%m-%d %H:00:00', _time)",
    mysql: ">CAST(DATE_FORMAT(_time, '%Y-%m-%d %H:00:00') AS DATETIME)",
  },
  minute: {
    sqlite: "STRFTIME('%Y-%m-%d %H:%M:00', _time)",
    mysql: ">CAST(DATE_FORMAT(_time, '%Y-%m-%d %H:%i:00') AS DATETIME)",
  },
};

/** The beginning of a unit: `cut('month')`. */
export function cut(unit: string): Phrase {
  const word = unit.toUpperCase();
  const own = CUT[unit];
  const bigqueryUnit = unit === 'week' ? 'ISOWEEK' : word;
  const isTime = unit === 'hour' || unit === 'minute';
  const call = `DATE_TRUNC('${unit}', _time)`;
  return phrase({
    duckdb: [call, `DATETRUNC('${unit}', _time)`],
    'postgres trino': call,
    snowflake: [call, `DATE_TRUNC(${word}, _time)`],
    bigquery: [
      ...(isTime ? [] : [`DATE_TRUNC(_time, ${bigqueryUnit})`]),
      `DATETIME_TRUNC(_time, ${bigqueryUnit})`,
      `TIMESTAMP_TRUNC(_time, ${bigqueryUnit})`,
    ],
    sqlite: own?.sqlite ?? '',
    mysql: own?.mysql ?? '',
  });
}

/** How many boundaries of a unit lie between two times; whole units are another thing. */
function boundaries(unit: string): Phrase {
  const word = unit.toUpperCase();
  return phrase({
    duckdb: [`DATE_DIFF('${unit}', _time1, _time2)`, `DATEDIFF('${unit}', _time1, _time2)`],
    snowflake: [
      `DATEDIFF(${word}, _time1, _time2)`,
      `DATEDIFF('${unit}', _time1, _time2)`,
      `TIMESTAMPDIFF(${word}, _time1, _time2)`,
    ],
    bigquery: [`DATE_DIFF(_time2, _time1, ${word})`, `DATETIME_DIFF(_time2, _time1, ${word})`],
  });
}

function wholeUnits(unit: string): Phrase {
  return phrase({
    mysql: `TIMESTAMPDIFF(${unit.toUpperCase()}, _time1, _time2)`,
    trino: `DATE_DIFF('${unit}', _time1, _time2)`,
    duckdb: [`DATE_SUB('${unit}', _time1, _time2)`, `DATESUB('${unit}', _time1, _time2)`],
    postgres: unit === 'year' ? '>EXTRACT(YEAR FROM AGE(_time2, _time1))' : '',
  });
}

/** Days from `_time1` to `_time2`. */
export const DAYS_BETWEEN = phrase({
  mysql: 'DATEDIFF(_time2, _time1)',
  duckdb: ["DATE_DIFF('day', _time1, _time2)", "DATEDIFF('day', _time1, _time2)"],
  snowflake: ['DATEDIFF(DAY, _time1, _time2)', "DATEDIFF('day', _time1, _time2)"],
  bigquery: ['DATE_DIFF(CAST(_time2 AS DATE), CAST(_time1 AS DATE), DAY)', 'DATE_DIFF(_time2, _time1, DAY)'],
  postgres: 'CAST(_time2 AS DATE) - CAST(_time1 AS DATE)',
  trino: "DATE_DIFF('day', CAST(_time1 AS DATE), CAST(_time2 AS DATE))",
  sqlite: [
    'CAST(JULIANDAY(DATE(_time2)) - JULIANDAY(DATE(_time1)) AS INTEGER)',
    'JULIANDAY(DATE(_time2)) - JULIANDAY(DATE(_time1))',
  ],
});

const READ_TEXT = {
  postgres: "TO_TIMESTAMP(_text, '_format')",
  duckdb: "STRPTIME(_text, '_format')",
  mysql: "STR_TO_DATE(_text, '_format')",
  trino: "DATE_PARSE(_text, '_format')",
  snowflake: "TO_TIMESTAMP(_text, '_format')",
  bigquery: ["PARSE_DATETIME('_format', _text)", "PARSE_TIMESTAMP('_format', _text)"],
};

/** A time as a text; the codes of the format are translated with the template. */
export const FORMATTED_TIME = phrase({
  sqlite: "STRFTIME('_format', _time)",
  duckdb: "STRFTIME(_time, '_format')",
  postgres: "TO_CHAR(_time, '_format')",
  'mysql trino': "DATE_FORMAT(_time, '_format')",
  snowflake: ["TO_CHAR(_time, '_format')", "TO_VARCHAR(_time, '_format')"],
  bigquery: [
    "FORMAT_DATETIME('_format', CAST(_time AS DATETIME))",
    "FORMAT_DATE('_format', _time)",
    "FORMAT_DATETIME('_format', _time)",
    "FORMAT_TIMESTAMP('_format', _time)",
  ],
});

const FORMATS: readonly Phrase[] = [
  FORMATTED_TIME,
  phrase({
    'postgres snowflake': "TO_DATE(_text, '_format')",
    duckdb: "CAST(STRPTIME(_text, '_format') AS DATE)",
    mysql: ">DATE(STR_TO_DATE(_text, '_format'))",
    trino: "CAST(DATE_PARSE(_text, '_format') AS DATE)",
    bigquery: "PARSE_DATE('_format', _text)",
  }),
  phrase(READ_TEXT),
];

const UNITS = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second'];

export const TIME_UNIT_PHRASES: readonly Phrase[] = [
  ...Object.keys(CUT).map(cut),
  DAYS_BETWEEN,
  ...UNITS.map(boundaries),
  ...UNITS.map(wholeUnits),
  ...FORMATS,
];
