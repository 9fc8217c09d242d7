/** Finds out what a dotted name means: a column of a source, or a field inside a column. */
import {
  ambiguousReference,
  columnReference,
  openReference,
  unknownColumnOf,
  unknownSource,
} from './create-reference.ts';
import { NO_LINEAGE } from './lineage.ts';
import type { Name } from './name.ts';
import { type Level, outerOf, type Reading, takeSteps } from './reading.ts';
import { isTable, mayHold, resolveBare, SOURCES_OF_STEP } from './resolve-bare.ts';
import type { Reference, Scope, Source } from './scope.ts';

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
