/** Builds one entry of FROM. */
import type { SqlNode } from '../tree/node.ts';
import { numberRepeated, renameColumns } from './columns.ts';
import { columnNames, type RelationAlias } from './read-alias.ts';
import { type Reading, takeSteps } from './reading.ts';
import type { Columns, SchemaTable, Scope, Source, SourceKind } from './scope.ts';

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
