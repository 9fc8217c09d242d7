/** Which tables of a server are read at all, by the parts of their names. */
import type { Database, SchemaTable } from './database.ts';
import { decorate } from './decorate.ts';

export interface TableScope {
  /** `hive`, `hive.sales`, `hive.mart_*.orders`: what a name stands for, and everything in it. Absent: all. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

/** A scope that is asked about names, outermost part first: `['hive', 'sales', 'orders']`. */
export interface ScopeReader {
  /** Whether something in this catalog or schema may be in the scope. */
  mayHold(place: readonly string[]): boolean;
  /** Whether everything in this catalog or schema is in the scope. */
  holdsAllOf(place: readonly string[]): boolean;
  /** Whether this table is in the scope. */
  holds(table: readonly string[]): boolean;
  /** Changes with the scope; empty without one. */
  readonly stamp: string;
}

/** Parts of a pattern: each matches one part of a name. */
type Pattern = readonly RegExp[];

/** Reads the patterns; `*` stands for any signs within one part, and case does not matter. */
export function readScope(scope: TableScope = {}): ScopeReader {
  const include = scope.include?.map(readPattern);
  const exclude = (scope.exclude ?? []).map(readPattern);
  const covers = (pattern: Pattern, name: readonly string[]): boolean =>
    pattern.length <= name.length && agrees(pattern, name);
  const isOut = (name: readonly string[]): boolean => exclude.some((pattern) => covers(pattern, name));
  const isIn = (name: readonly string[]): boolean =>
    include === undefined || include.some((pattern) => covers(pattern, name));
  return {
    mayHold: (place) =>
      !isOut(place) && (include === undefined || include.some((pattern) => agrees(pattern, place))),
    holdsAllOf: (place) => isIn(place) && !exclude.some((pattern) => agrees(pattern, place)),
    holds: (table) => isIn(table) && !isOut(table),
    stamp:
      include === undefined && exclude.length === 0 ? '' : JSON.stringify([scope.include, scope.exclude]),
  };
}

/** Whether the parts that both have match. */
function agrees(pattern: Pattern, name: readonly string[]): boolean {
  return pattern.every((part, index) => {
    const given = name[index];
    return given === undefined || part.test(given);
  });
}

function readPattern(text: string): Pattern {
  return text
    .split('.')
    .map((part) => new RegExp(`^${part.replace(/[\\^$+?()[\]{}|]/g, '\\$&').replaceAll('*', '.*')}$`, 'isu'));
}

/** The parts of a table's name as they are written, which is how it is called in the catalog. */
export function tablePath({ name, qualifier }: Pick<SchemaTable, 'name' | 'qualifier'>): string[] {
  return [...(qualifier ?? []), name];
}

/** The same database with the tables of a scope alone; queries go through as they are: the guard holds their names. */
export function withinScope(database: Database, scope: ScopeReader): Database {
  if (scope.stamp === '') return database;
  return decorate(database, (below) => ({
    stamp: async (signal) => `${await below.stamp(signal)} ${scope.stamp}`,
    readSchema: async (signal) => {
      const schema = await below.readSchema(signal);
      return { ...schema, tables: schema.tables.filter((table) => scope.holds(tablePath(table))) };
    },
  }));
}

// The name that tells a table from all others of its database: `orders`, `sales.orders`.

/** Raw names joined by dots: what must be written before the table, then its own name. */
export function tableKey(table: Pick<SchemaTable, 'name' | 'qualifier'>): string {
  return [...(table.qualifier ?? []), table.name].join('.');
}
