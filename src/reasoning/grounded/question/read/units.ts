import { lemmaOf, nameWords } from '../../../../language/index.ts';

/** What a unit measures; units of one quantity can be turned into each other. */
export type Quantity =
  | 'time'
  | 'weight'
  | 'distance'
  | 'area'
  | 'volume'
  | 'data'
  | 'speed'
  | 'money'
  | 'count';

export interface Unit {
  readonly quantity: Quantity;
  /** How many of the smallest unit of its quantity it is. */
  readonly factor: number;
  /** The currency of money, where it is told. */
  readonly currency?: string;
}

/** A number of one unit in the unit of a column. */
export type Conversion =
  /** The column tells its unit. */
  | { readonly kind: 'told'; readonly number: number }
  /** The column tells none: the number stands as it was said. */
  | { readonly kind: 'untold'; readonly number: number }
  /** The column is measured in something else: kilograms are no minutes. */
  | { readonly kind: 'other' };

/** The part of a column that tells its unit. */
export interface UnitHolder {
  readonly name: string;
  readonly comment?: string;
}

/** Names of a unit in the singular; those behind the bar stand in names of columns and behind numbers only. */
const UNITS: readonly (readonly [Quantity, number, string])[] = [
  ['time', 0.001, 'microsecond | us usec'],
  ['time', 1, 'millisecond millis | ms msec'],
  ['time', 1000, 'second | sec secs s'],
  ['time', 60_000, 'minute | min mins'],
  ['time', 3_600_000, 'hour | hr hrs h'],
  ['time', 86_400_000, 'day'],
  ['time', 604_800_000, 'week | wk wks'],
  ['time', 2_629_746_000, 'month | mth mths'],
  ['time', 31_556_952_000, 'year | yr yrs'],
  ['weight', 0.001, 'milligram | mg'],
  ['weight', 1, 'gram gramme | g gr'],
  ['weight', 1000, 'kilogram kilo kilogramme | kg kgs'],
  ['weight', 1_000_000, 'ton tonne metric-ton | t'],
  ['weight', 453.59237, 'pound | lb lbs'],
  ['weight', 28.349523125, 'ounce | oz'],
  ['distance', 0.001, 'millimeter millimetre | mm'],
  ['distance', 0.01, 'centimeter centimetre | cm'],
  ['distance', 1, 'meter metre | m'],
  ['distance', 1000, 'kilometer kilometre | km kms'],
  ['distance', 1609.344, 'mile | mi'],
  ['distance', 0.3048, 'foot | ft'],
  ['distance', 0.0254, 'inch inche'],
  ['distance', 0.9144, 'yard | yd'],
  ['area', 1, 'square-meter square-metre | sqm'],
  ['area', 1_000_000, 'square-kilometer square-kilometre | sqkm'],
  ['area', 2_589_988.110336, 'square-mile | sqmi'],
  ['area', 0.09290304, 'square-foot | sqft'],
  ['area', 10_000, 'hectare | ha'],
  ['area', 4046.8564224, 'acre'],
  ['volume', 0.001, 'milliliter millilitre | ml'],
  ['volume', 1, 'liter litre | l ltr'],
  ['volume', 3.785411784, 'gallon | gal'],
  ['data', 1, 'byte'],
  ['data', 1e3, 'kilobyte | kb'],
  ['data', 1e6, 'megabyte | mb'],
  ['data', 1e9, 'gigabyte | gb'],
  ['speed', 1, '| kmh kph'],
  ['speed', 1.609344, '| mph'],
  ['money', 1, 'cent | cents'],
  ['money', 100, 'dollar | usd'],
  ['money', 100, 'euro | eur'],
  ['money', 100, '| gbp'],
  ['count', 1e3, 'thousand'],
  ['count', 1e6, 'million'],
  ['count', 1e9, 'billion'],
];

const CURRENCY: Readonly<Record<string, string>> = {
  dollar: 'usd',
  usd: 'usd',
  euro: 'eur',
  eur: 'eur',
  gbp: 'gbp',
};

/** One letter, or a word of its own: only beside a word of its quantity ("wt_t", "duration_min") it is a unit. */
const NEEDS_COMPANY: Readonly<Record<string, RegExp>> = {
  min: /^(?:durations?|time|length|delay|wait|waiting|elapsed|travel|runtime|run|dwell|lead|response|session|play|stay)$/,
  m: /^(?:lengths?|len|height|width|depth|dist|distance|altitude|elevation|radius|span)$/,
  mi: /^(?:dist|distance|length|range|odo|odometer|trip)$/,
  g: /^(?:weight|wt|mass|net|gross)$/,
  t: /^(?:weight|wt|mass|load|cargo)$/,
  l: /^(?:volume|vol|capacity|tank|fuel|filled)$/,
  h: /^(?:duration|time|length|elapsed|delay|wait)$/,
  s: /^(?:duration|time|length|elapsed|delay|wait)$/,
  us: /^(?:duration|time|elapsed|latency)$/,
  second: /^(?:duration|time|length|elapsed|delay|in)$/,
  pound: /^(?:weight|wt|mass|total|in|load)$/,
};

/** A day, a month or a year is a place in the calendar, unless a name has several of them or says how long. */
const CALENDAR = /^(?:day|week|wk|month|mth|year|yr)$/;
const HOW_LONG = /^(?:durations?|length|age|delay|wait|lead|tenure|warranty|term|in|experience)$/;

const written = new Map<string, Unit>();
const spoken = new Map<string, Unit>();
for (const [quantity, factor, names] of UNITS) {
  const [full = '', short = ''] = names.split('|');
  for (const name of full.split(' ').filter(Boolean)) {
    const unit = { quantity, factor, currency: CURRENCY[name] };
    const words = name.replace('-', ' ');
    spoken.set(words, unit);
    written.set(words, unit);
  }
  for (const name of short.split(' ').filter(Boolean))
    written.set(name, { quantity, factor, currency: CURRENCY[name] });
}

/** The unit that a word or two of a question name ("minutes", "square kilometers", "kg"), behind a number. */
export function unitNamed(text: string): Unit | undefined {
  const words = text.toLowerCase().trim().split(/\s+/);
  const last = words.at(-1) ?? '';
  const lead = words.slice(0, -1).join(' ');
  const find = (word: string): Unit | undefined => written.get(lead === '' ? word : `${lead} ${word}`);
  return find(last) ?? find(lemmaOf(last));
}

/** The unit that the name of a column or its comment tells: `Milliseconds`, `wt_kg`, "flying time in minutes". */
export function unitOfColumn({ name, comment }: UnitHolder): Unit | undefined {
  return unitInName(nameWords(name)) ?? (comment === undefined ? undefined : unitInComment(comment));
}

/** A number in the unit that a person used, in the unit of a column. */
export function inColumnUnit(number: number, unit: Unit, column: UnitHolder): Conversion {
  const own = unitOfColumn(column);
  if (own === undefined)
    // A million is a number, whatever it is a million of.
    return { kind: 'untold', number: unit.quantity === 'count' ? number * unit.factor : number };
  if (unit.quantity === 'count' && own.quantity !== 'count')
    return { kind: 'told', number: number * unit.factor };
  const isMoney = unit.currency === undefined || own.currency === undefined || unit.currency === own.currency;
  if (own.quantity !== unit.quantity || !isMoney) return { kind: 'other' };
  return { kind: 'told', number: inUnit(number, unit, own) };
}

/** Units that the values of a column without a unit may be in. */
const USUAL: readonly string[] =
  'millisecond second minute hour day gram kilogram tonne pound meter kilometer mile'.split(' ');

/** The one unit in which numbers lie among the values of a column that tells none: "2 hours" where lengths are 46 to 185. */
export function fittingUnit(
  numbers: readonly number[],
  unit: Unit,
  range: { readonly min: number; readonly max: number },
): { readonly said: string; readonly numbers: readonly number[] } | undefined {
  const fitting = USUAL.flatMap((said) => {
    const other = spoken.get(said);
    if (other?.quantity !== unit.quantity || !areOfOneScale(unit, other)) return [];
    const converted = numbers.map((number) => inUnit(number, unit, other));
    return converted.every((number) => number >= range.min && number <= range.max)
      ? [{ said: `${said}s`, numbers: converted }]
      : [];
  });
  const [only, second] = fitting;
  return second === undefined ? only : undefined;
}

/** What lasts minutes is told in hours too, but hardly in days: "rented for 3 days" is no film of 72 hours. */
function areOfOneScale(one: Unit, other: Unit): boolean {
  const day = spoken.get('day')?.factor ?? 0;
  return one.quantity !== 'time' || one.factor >= day === other.factor >= day;
}

function inUnit(number: number, from: Unit, to: Unit): number {
  return Number(((number * from.factor) / to.factor).toPrecision(12));
}

function unitInName(parts: readonly string[]): Unit | undefined {
  for (let at = parts.length - 1; at >= 0; at--) {
    const unit = parts[at - 1] === 'per' ? undefined : unitAt(parts, at);
    if (unit !== undefined) return unit;
  }
  return undefined;
}

function unitAt(parts: readonly string[], at: number): Unit | undefined {
  const part = parts[at] ?? '';
  const lemma = lemmaOf(part);
  const two = written.get(`${parts[at - 1] === 'sq' ? 'square' : parts[at - 1]} ${lemma}`);
  const unit = two ?? written.get(part) ?? written.get(lemma);
  if (unit === undefined) return undefined;
  const rest = parts.slice(at + 1);
  const isSquare = /^(?:2|squared)$/.test(rest[0] ?? '');
  const ends = rest.length === (isSquare ? 1 : 0) || rest[0] === 'per';
  const isPlural = part !== lemma && part.length > 3;
  // "Hours_Played" measures hours; a name, a code or a number of tons does not measure tons.
  const opens = isPlural && at === 0 && !/^(?:name|id|code|cd|number|no|type)$/.test(parts.at(-1) ?? '');
  if (!ends && !opens) return undefined;
  const beside = parts.filter((_, other) => other !== at);
  const company = Object.hasOwn(NEEDS_COMPANY, part) ? NEEDS_COMPANY[part] : undefined;
  if (company !== undefined && !beside.some((word) => company.test(word))) return undefined;
  if (CALENDAR.test(part) && !beside.some((word) => HOW_LONG.test(word))) return undefined;
  if (isSquare && unit.quantity === 'distance') return { quantity: 'area', factor: unit.factor ** 2 };
  const scale = at > 0 ? unitNamed(parts[at - 1] ?? '') : undefined;
  return unit.quantity === 'money' && scale?.quantity === 'count'
    ? { ...unit, factor: unit.factor * scale.factor }
    : unit;
}

/** "in minutes", "(kg)", "unit: km": what merely speaks of minutes tells no unit. */
const TOLD = /(?:\b(?:in|unit|units|unit of measure)\b:?\s+|[([]\s*)((?:square |metric )?\p{L}{1,12})/giu;

function unitInComment(comment: string): Unit | undefined {
  for (const [said, words = ''] of comment.matchAll(TOLD)) {
    const unit = unitNamed(words);
    const isWord = spoken.has(lemmaOf(words.toLowerCase())) || /^[([]|unit/i.test(said) || words.length > 1;
    // "in days" tells a unit, "in May" and "in week 3" do not.
    if (unit !== undefined && isWord && !CALENDAR.test(words.toLowerCase())) return unit;
  }
  return undefined;
}
