/** What tables have to do with each other before any question: shared keys, near-equal columns, generations of one name. */
import type { ForeignKey, Table } from '../../../catalog/index.ts';
import { keyName } from '../../../knowledge/retrieve/index.ts';

/** By place of the table in the schema. */
export interface TableCompany {
  /** For each key of the table, the other tables that have it. */
  readonly keys: readonly (readonly (readonly number[])[])[];
  readonly joined: readonly ReadonlySet<number>[];
  /** Tables with nearly the same columns. */
  readonly twins: readonly (readonly number[])[];
  /** Stems of its name that not all of its twins have. */
  readonly ownStems: readonly ReadonlySet<string>[];
  /** Tables of its schema whose names differ in numbers only. */
  readonly generations: readonly (readonly number[])[];
  /** Database and schema that it lies in. */
  readonly place: readonly string[];
}

/** A name that more tables have than this joins nothing, and tells no twins. */
const MOST_SHARING = 100;
const MOST_NAMESAKES = 400;
/** Share of the columns of two tables that both have. */
const TWIN_SHARE = 0.6;

interface Members {
  readonly table: Table;
  readonly stems: readonly string[];
}

export function readCompany(tables: readonly Members[], foreignKeys: readonly ForeignKey[]): TableCompany {
  const keys = keysOf(tables, foreignKeys);
  const joined = tables.map(() => new Set<number>());
  for (const [at, own] of keys.entries())
    for (const other of own.flat()) {
      joined[at]?.add(other);
      joined[other]?.add(at);
    }
  const twins = twinsOf(tables);
  return {
    keys,
    joined,
    twins,
    ownStems: tables.map(({ stems }, at) => ownStems(stems, twins[at] ?? [], tables)),
    generations: othersBy(
      tables.map(({ table }) => `${table.schema ?? ''} ${table.name}`.toLowerCase().replace(/\p{N}+/gu, '#')),
    ),
    place: tables.map(({ table }) => `${table.catalog ?? ''}.${table.schema ?? ''}`),
  };
}

/** Declared keys, and columns that are keys by their names. */
function keysOf(tables: readonly Members[], foreignKeys: readonly ForeignKey[]): number[][][] {
  const places = new Map(tables.map(({ table }, at) => [table.id, at]));
  const groups = new Map<string, Set<number>>();
  const named = tables.map(({ table }, at) =>
    table.columns.flatMap((column) => {
      const name = keyName(column, table);
      if (name === undefined) return [];
      addTo(groups, name, at);
      return [name];
    }),
  );
  const declared = tables.map(() => new Map<string, Set<number>>());
  for (const { fromTable, fromColumns, toTable, toColumns } of foreignKeys) {
    const [from, to] = [places.get(fromTable), places.get(toTable)];
    if (from === undefined || to === undefined || from === to) continue;
    addTo(declared[from]!, fromColumns.join(), to);
    addTo(declared[to]!, toColumns.join(), from);
  }
  return tables.map((_, at) => {
    const byName = [...new Set(named[at])].map((name) =>
      [...(groups.get(name) ?? [])].filter((other) => other !== at),
    );
    const stated = [...(declared[at]?.values() ?? [])].map((others) => [...others]);
    return [...byName, ...stated].filter(({ length }) => length > 0 && length <= MOST_SHARING);
  });
}

function twinsOf(tables: readonly Members[]): number[][] {
  const names = tables.map(({ table }) => new Set(table.columns.map(({ name }) => name.toLowerCase())));
  const bearers = new Map<string, Set<number>>();
  for (const [at, own] of names.entries()) for (const name of own) addTo(bearers, name, at);
  return names.map((own, at) => {
    const shared = new Map<number, number>();
    for (const name of own) {
      const others = bearers.get(name);
      if (others === undefined || others.size > MOST_NAMESAKES) continue;
      for (const other of others) if (other !== at) shared.set(other, (shared.get(other) ?? 0) + 1);
    }
    return [...shared].flatMap(([other, count]) =>
      count > 1 && count / (own.size + (names[other]?.size ?? 0) - count) >= TWIN_SHARE ? [other] : [],
    );
  });
}

function ownStems(
  stems: readonly string[],
  twins: readonly number[],
  tables: readonly Members[],
): ReadonlySet<string> {
  if (twins.length === 0) return new Set(stems);
  return new Set(stems.filter((stem) => twins.some((twin) => tables[twin]?.stems.includes(stem) === false)));
}

/** For each item the others of its key. */
function othersBy(keys: readonly string[]): number[][] {
  const groups = new Map<string, Set<number>>();
  for (const [at, key] of keys.entries()) addTo(groups, key, at);
  return keys.map((key, at) => [...(groups.get(key) ?? [])].filter((other) => other !== at));
}

function addTo(groups: Map<string, Set<number>>, key: string, item: number): void {
  const known = groups.get(key);
  if (known === undefined) groups.set(key, new Set([item]));
  else known.add(item);
}
