/** Finds out what a Column node means at its place. */
import type { SqlNode } from '../../tree/node.ts';
import { NO_LINEAGE } from '../state/lineage.ts';
import { type Name, readName } from '../state/names.ts';
import { type Level, outerOf, type Reading, takeSteps } from '../state/reading.ts';
import type { Reference, Scope, Source } from '../state/scope.ts';
import {
  ambiguousReference,
  columnReference,
  openReference,
  unknownColumn,
  unknownColumnOf,
  unknownSource,
} from './create-reference.ts';
import { isTable, mayHold, resolveBare, SOURCES_OF_STEP } from './resolve-bare.ts';

const TEXT: Reference = { kind: 'text', lineage: NO_LINEAGE };
const UNIT: Reference = { kind: 'unit', lineage: NO_LINEAGE };

export function resolveColumn(reading: Reading, node: SqlNode, level: Level): Reference {
  const name = readName(node);
  if (name.parts.length > 1) return resolveQualified(reading, name, level);
  const quoted = name.parts[0]?.flags.quoted;
  if (quoted === undefined && reading.rules.hasBareUnits && isUnit(node, name.keys[0] ?? '')) return UNIT;
  const found = resolveBare(reading, name, level);
  if (found !== undefined) return found;
  if (quoted === '"' && reading.rules.quotedMayBeText) return TEXT;
  return unknownColumn(reading, name, level);
}

// Units of time and the functions that take them bare, where a parser cannot tell them from a column.

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
function isUnit(column: SqlNode, name: string): boolean {
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

// Finds out what a dotted name means: a column of a source, or a field inside a column.

/** Sources that a qualifier stands for, all in one scope. */
interface Qualified {
  readonly scope: Scope;
  readonly sources: readonly Source[];
  /** How many parts of the name the qualifier takes. */
  readonly length: number;
}

export function resolveQualified(reading: Reading, name: Name, level: Level): Reference {
  let failed: Reference | undefined;
  const most = name.parts.length - 1;
  // Without fields in columns, all parts but the last must name the source.
  for (let length = reading.rules.hasStructs ? 1 : most; length <= most; length += 1) {
    const found = resolveWith(reading, name, { length, level });
    if (found === undefined) continue;
    if (found.kind !== 'unknown') return found;
    failed ??= found;
  }
  // Where columns have fields, nobody can say which parts were meant to name the source.
  const qualifier = reading.rules.hasStructs ? name.parts.slice(0, 1) : name.parts.slice(0, -1);
  return resolveField(reading, name, level) ?? failed ?? unknownSource(qualifier, level);
}

interface Qualifier {
  /** How many parts of the name are taken for it. */
  readonly length: number;
  readonly level: Level;
}

function resolveWith(reading: Reading, name: Name, { length, level }: Qualifier): Reference | undefined {
  let first: Reference | undefined;
  for (let at: Level | undefined = level; at !== undefined; at = outerOf(at, name.node)) {
    const sources = sourcesAt(reading, name, { length, level: at });
    const found = sources && resolveIn(reading, name, { scope: at.scope, sources, length });
    if (found === undefined) continue;
    first ??= found;
    if (found.kind !== 'unknown') return found;
    if (!reading.rules.qualifierMayBeOuter) return found;
  }
  return first;
}

/** The sources of the innermost level that the first `length` parts of a name stand for. */
export function findSources(
  reading: Reading,
  name: Name,
  { length, level }: Qualifier,
): readonly Source[] | undefined {
  for (let at: Level | undefined = level; at !== undefined; at = outerOf(at, name.node)) {
    const sources = sourcesAt(reading, name, { length, level: at });
    if (sources !== undefined) return sources;
  }
  return undefined;
}

function sourcesAt(
  reading: Reading,
  name: Name,
  { length, level }: Qualifier,
): readonly Source[] | undefined {
  takeSteps(reading, 1 + level.sources.length / SOURCES_OF_STEP);
  const key = name.keys[length - 1];
  const variable = length === 1 ? level.variables?.get(key ?? '') : undefined;
  if (variable !== undefined) return [variable];
  let sources: Source[] | undefined;
  for (let index = level.firstSource; index < level.sources.length; index += 1) {
    const source = level.sources[index] as Source;
    if (source.key !== key) continue;
    if (length > 1 && !isAt(reading, source, name.keys.slice(0, length - 1))) continue;
    if (sources === undefined) sources = [source];
    else sources.push(source);
  }
  return sources;
}

/** Whether a table can be called by these schema and catalog names; an alias cannot have any. */
function isAt(reading: Reading, source: Source, qualifiers: readonly string[]): boolean {
  if (!isTable(source) || source.alias !== undefined) return false;
  const { table, path } = source;
  const known = [table?.catalog, table?.schema];
  return qualifiers.every((qualifier, index) => {
    const fromEnd = qualifiers.length - index;
    const own = path.at(-fromEnd) ?? known.at(-fromEnd);
    return own === undefined
      ? qualifier === source.key || mayBeSchema(reading, qualifier)
      : own === qualifier;
  });
}

/** Where the schema says nothing about schemas: any name but that of a table, unless the engine has fixed ones. */
function mayBeSchema({ rules, schema }: Reading, qualifier: string): boolean {
  return rules.fixedSchemas?.has(qualifier) ?? !schema.byName.has(qualifier);
}

/** The part after the qualifier as a column of its sources; what follows are fields. */
function resolveIn(reading: Reading, name: Name, { scope, sources, length }: Qualified): Reference {
  takeSteps(reading, sources.length);
  const key = name.keys[length] ?? '';
  const parts = name.parts.slice(length - 1, length + 1);
  const holders = sources.flatMap((source) => {
    const output = source.columns.byKey.get(key);
    return output === undefined ? [] : [{ source, output }];
  });
  const holder = holders[0];
  if (holder !== undefined) {
    const isTwice = reading.rules.repeatedIsAmbiguous && holder.source.columns.repeated.has(key);
    // Two sources of one name: no qualified name tells them apart.
    if (holders.length > 1 || isTwice) return ambiguousReference(parts, holders);
    return withFields(columnReference(scope, holder), name, length + 1);
  }
  const table = reading.rules.hiddenColumns.has(key) ? sources.find(isTable) : undefined;
  if (table !== undefined) return { kind: 'hidden', source: table, lineage: NO_LINEAGE };
  const open = sources.filter((source) => source.columns.openness === 'fields' || mayHold(source, key));
  if (open.length > 0) return openReference(name.parts[length]?.value ?? '', open);
  return unknownColumnOf(reading, parts, sources);
}

/** The first part as a column that has fields. */
function resolveField(reading: Reading, name: Name, level: Level): Reference | undefined {
  if (!reading.rules.hasStructs) return undefined;
  const found = resolveBare(reading, name, level);
  // The row of a source has the fields that the source has columns, and those were looked at before.
  return found === undefined || found.kind === 'row' ? undefined : withFields(found, name, 1);
}

function withFields(found: Reference, name: Name, from: number): Reference {
  if (name.parts.length <= from || (found.kind !== 'column' && found.kind !== 'alias')) return found;
  return { ...found, fields: name.parts.slice(from).map((part) => part.value ?? '') };
}
