/** Units of time and the functions that take them bare, where a parser cannot tell them from a column. */
import type { SqlNode } from '../tree/node.ts';

const UNIT_WORDS: ReadonlySet<string> = new Set(
  `year years quarter quarters month months week weeks day days hour hours minute minutes second seconds
  millisecond milliseconds microsecond microseconds nanosecond nanoseconds decade century millennium
  yyyy yy y qq q mm m dd d dw wk ww w hh h mi n ss s ms us ns dow doy isodow isoweek isoyear epoch
  dayofweek dayofyear dayofmonth dayofweekiso weekiso weekofyear yearofweek yearofweekiso weekday
  year_month day_hour day_minute day_second hour_minute hour_second minute_second
  monday tuesday wednesday thursday friday saturday sunday timezone timezone_hour timezone_minute
  epoch_second epoch_millisecond epoch_microsecond epoch_nanosecond`.split(/\s+/),
);

interface UnitPlace {
  /** Place of the unit among the arguments; -1 is the last. */
  readonly index: number;
  /** Least number of arguments with which the place holds a unit. */
  readonly arity: number;
}

/** `name@index/arity` */
const UNIT_PLACES: ReadonlyMap<string, readonly UnitPlace[]> = readPlaces(
  `datediff@0/3 date_diff@0/3 date_diff@-1/3 dateadd@0/3 date_add@0/3 date_sub@0/3 timediff@0/3 timeadd@0/3
  timestampdiff@0/3 timestampadd@0/3 timestamp_diff@-1/3 datetime_diff@-1/3 time_diff@-1/3
  date_trunc@0/2 date_trunc@-1/2 datetrunc@0/2 timestamp_trunc@1/2 datetime_trunc@1/2 time_trunc@1/2
  date_part@0/2 datepart@0/2 datename@0/2 last_day@1/2 trunc@1/2 time_slice@2/3`,
);

function readPlaces(text: string): ReadonlyMap<string, readonly UnitPlace[]> {
  const places = new Map<string, UnitPlace[]>();
  for (const entry of text.split(/\s+/)) {
    const [name = '', place = ''] = entry.split('@');
    const [index, arity] = place.split('/').map(Number);
    const list = places.get(name) ?? [];
    list.push({ index: index ?? 0, arity: arity ?? 1 });
    places.set(name, list);
  }
  return places;
}

/** True for the `day` of `DATEDIFF(day, a, b)`, of an INTERVAL and of EXTRACT, when it came as a Column. */
export function isUnit(column: SqlNode, name: string): boolean {
  const call = column.parent;
  if (call === undefined) return false;
  if (column.role === 'unit') return true;
  const places = call.value === undefined ? undefined : UNIT_PLACES.get(call.value.toLowerCase());
  if (places === undefined || call.flags.call === undefined || !UNIT_WORDS.has(name)) return false;
  const count = call.children.length;
  return places.some(
    ({ index, arity }) => count >= arity && call.children[index < 0 ? count + index : index] === column,
  );
}
