/** Units of time that stand bare in INTERVAL, EXTRACT and functions of dates, in upper case. */
export const UNITS: ReadonlySet<string> = new Set(
  `YEAR YEARS QUARTER QUARTERS MONTH MONTHS WEEK WEEKS DAY DAYS HOUR HOURS MINUTE MINUTES SECOND SECONDS MILLISECOND
  MILLISECONDS MICROSECOND MICROSECONDS NANOSECOND NANOSECONDS DECADE DECADES CENTURY CENTURIES MILLENNIUM MILLENNIA
  DAYOFWEEK DAYOFYEAR DAYOFMONTH ISOWEEK ISOYEAR ISODOW DOW DOY EPOCH WEEKDAY YEAROFWEEK WEEKOFYEAR WEEKISO
  DAYOFWEEKISO DAY_OF_WEEK DAY_OF_YEAR DAY_OF_MONTH YEAR_OF_WEEK TIMEZONE TIMEZONE_HOUR TIMEZONE_MINUTE
  YEAR_MONTH DAY_HOUR DAY_MINUTE DAY_SECOND HOUR_MINUTE HOUR_SECOND MINUTE_SECOND DAY_MICROSECOND
  HOUR_MICROSECOND MINUTE_MICROSECOND SECOND_MICROSECOND EPOCH_SECOND EPOCH_MILLISECOND DAYOFWEEK_ISO JULIAN
  `
    .trim()
    .split(/\s+/),
);

/** Short forms, which only Snowflake takes and which elsewhere may well be columns. */
export const SHORT_UNITS: ReadonlySet<string> = new Set(
  'YYYY YYY YY Y MM MON MONS DD D WK W Q QTR HH H HR HRS MI MIN MINS M SS S SEC SECS MS US NS'.split(' '),
);

/** Those of them whose only unit comes last, so that a short name before a comma is a column. */
export const LAST_UNIT_FUNCTIONS: ReadonlySet<string> = new Set([
  'last_day',
  'next_day',
  'previous_day',
  'trunc',
]);

/** Functions with a bare unit among their arguments, lower case. */
export const UNIT_FUNCTIONS: ReadonlySet<string> = new Set(
  `timestampdiff timestampadd datediff dateadd date_diff date_add date_sub date_trunc datetime_diff datetime_add
  datetime_sub datetime_trunc timestamp_diff timestamp_add timestamp_sub timestamp_trunc time_diff time_add time_sub
  time_trunc date_part datepart last_day next_day previous_day trunc timediff time_slice timeadd
  generate_date_array generate_timestamp_array date_bucket timestamp_bucket datetime_bucket`.split(/\s+/),
);
