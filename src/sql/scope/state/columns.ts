/** Lists of columns: built, renamed, put side by side. */

import type { SqlNode } from '../../tree/node.ts';
import { NO_LINEAGE } from './lineage.ts';
import { columnNames, type RelationAlias } from './names.ts';
import { type Reading, takeSteps } from './reading.ts';
import type { Columns, Family, Output, SchemaTable, Scope, Source, SourceKind } from './scope.ts';

const NO_NAMES: ReadonlySet<string> = new Set();

export function createColumns(list: readonly Output[], openness: Columns['openness'] = 'none'): Columns {
  const byKey = new Map<string, Output>();
  let repeated: Set<string> | undefined;
  let hasNameless = false;
  for (const output of list) {
    hasNameless ||= output.name === undefined;
    if (output.key === undefined) continue;
    if (byKey.has(output.key)) {
      repeated ??= new Set();
      repeated.add(output.key);
    } else byKey.set(output.key, output);
  }
  return { list, byKey, repeated: repeated ?? NO_NAMES, hasNameless, openness };
}

export const NO_COLUMNS: Columns = createColumns([]);
export const ANY_COLUMNS: Columns = createColumns([], 'all');

/** A column that comes from no table. */
export function createOutput(name: string, family?: Family): Output {
  const origin = family === undefined ? UNKNOWN : { kind: 'family' as const, family };
  return { name, key: name.toLowerCase(), lineage: NO_LINEAGE, origin };
}

const UNKNOWN = { kind: 'unknown' } as const;

/** The same column under another name. */
export function renameOutput(output: Output, name: string): Output {
  return { ...output, name, key: name.toLowerCase() };
}

/** The second `a` becomes `a_1`, as DuckDB shows it outside. */
function numberRepeated(columns: Columns): Columns {
  if (columns.repeated.size === 0) return columns;
  const counts = new Map<string, number>();
  const list = columns.list.map((output) => {
    if (output.key === undefined || output.name === undefined) return output;
    const count = counts.get(output.key) ?? 0;
    counts.set(output.key, count + 1);
    return count === 0 ? output : renameOutput(output, `${output.name}_${count}`);
  });
  return createColumns(list, columns.openness);
}

/** `AS d(a, b)` names the first columns anew. Of a source with unknown columns the list is taken as complete. */
export function renameColumns(columns: Columns, names: readonly string[]): Columns {
  if (names.length === 0) return columns;
  const renamed = names.map((name, index) => {
    const output = columns.list[index];
    return output === undefined ? createOutput(name) : renameOutput(output, name);
  });
  return createColumns([...renamed, ...columns.list.slice(names.length)]);
}

/** The loosest openness of several lists. */
export function joinOpenness(all: readonly Pick<Columns, 'openness'>[]): Columns['openness'] {
  if (all.some((columns) => columns.openness === 'all')) return 'all';
  return all.some((columns) => columns.openness === 'fields') ? 'fields' : 'none';
}

/** All columns of sources side by side, as an aliased bracket around joins shows them. */
export function joinColumns(sources: readonly Source[]): Columns {
  const all = sources.map((source) => source.columns);
  return createColumns(
    all.flatMap((columns) => columns.list),
    joinOpenness(all),
  );
}

// Builds one entry of FROM.

const NO_PATH: readonly string[] = Object.freeze([]);

interface SourceParts {
  readonly kind: SourceKind;
  readonly node: SqlNode;
  readonly alias: RelationAlias;
  /** Before the names of the alias are put on them. */
  readonly columns: Columns;
  /** What it is called without an alias. */
  readonly ownName?: string | undefined;
  readonly path?: readonly string[];
  readonly table?: SchemaTable | undefined;
  readonly query?: Scope | undefined;
}

export function createSource(reading: Reading, parts: SourceParts): Source {
  const { kind, node, alias, columns, ownName, path, table, query } = parts;
  const name = alias.name ?? ownName;
  if (alias.columns.length > 0 || columns.repeated.size > 0) takeSteps(reading, columns.list.length);
  const renamed = renameColumns(columns, columnNames(alias));
  const source: Source = {
    kind,
    node,
    name,
    key: name?.toLowerCase(),
    alias: alias.node,
    path: path ?? NO_PATH,
    table,
    query,
    columns: reading.rules.numbersRepeated ? numberRepeated(renamed) : renamed,
  };
  reading.sources[node.id] = source;
  return source;
}
