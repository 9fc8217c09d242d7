/** A table or CTE named in FROM, and in `x IN t` of SQLite. */
import type { SqlNode } from '../../tree/node.ts';
import { ANY_COLUMNS, createSource } from '../state/columns.ts';
import type { RelationAlias } from '../state/names.ts';
import type { Cte, Reading } from '../state/reading.ts';
import { findTable } from '../state/schema-index.ts';
import type { Source } from '../state/scope.ts';
import { findCte } from './read-with.ts';

const NAME_ROLES: ReadonlySet<string> = new Set(['catalog', 'db', 'table', 'this']);

/** The Identifiers of a dotted name, the last is the name itself. */
export function tableNameParts(node: SqlNode): readonly SqlNode[] {
  return node.children.filter((part) => NAME_ROLES.has(part.role) && part.type === 'Identifier');
}

interface TablePlace {
  readonly ctes: Cte | undefined;
  readonly alias: RelationAlias;
}

export function readTableName(reading: Reading, node: SqlNode, { ctes, alias }: TablePlace): Source {
  const parts = tableNameParts(node);
  const path = parts.map((part) => (part.value ?? '').toLowerCase());
  const cte = path.length === 1 ? findCte(reading, ctes, path[0] ?? '') : undefined;
  if (cte !== undefined) return createCteSource(reading, node, { cte, alias });
  const table = findTable(reading.schema, path, reading.rules);
  return createSource(reading, {
    kind: table === undefined ? 'unknown-table' : 'table',
    node,
    alias,
    columns: table?.columns ?? ANY_COLUMNS,
    ownName: parts.at(-1)?.value,
    path: path.slice(0, -1),
    table,
  });
}

interface CteUse {
  readonly cte: Cte;
  readonly alias: RelationAlias;
}

function createCteSource(reading: Reading, node: SqlNode, { cte, alias }: CteUse): Source {
  const columns = cte.columns ?? ANY_COLUMNS;
  return createSource(reading, { kind: 'cte', node, alias, columns, ownName: cte.name, query: cte.scope });
}
