import type { Catalog, ForeignKey } from '../../catalog/index.ts';
import type { Relationship, SemanticModel } from './semantic-model.ts';

/**
 * The catalog with the links that the semantic model states. A link the engine declares too keeps its source
 * and gets the role; an inferred one becomes stated. Links to unknown tables or columns are left out: reading
 * the semantic model against the catalog reports them.
 */
export function addSemanticKeys(catalog: Catalog, semantics: SemanticModel): Catalog {
  const keys = [...catalog.foreignKeys];
  for (const relationship of semantics.relationships) {
    const stated = toForeignKey(relationship, semantics);
    if (!isKnown(stated, catalog)) continue;
    const index = keys.findIndex((key) => isSameLink(key, stated));
    const known = keys[index];
    if (known === undefined) keys.push(stated);
    else keys[index] = known.source === 'declared' ? { ...stated, source: 'declared' } : stated;
  }
  return { ...catalog, foreignKeys: keys };
}

function toForeignKey(relationship: Relationship, semantics: SemanticModel): ForeignKey {
  const fromTable = findTable(relationship.from, semantics);
  const toTable = findTable(relationship.to, semantics);
  return {
    fromTable,
    fromColumns: relationship.fromColumns.map((name) => toColumnId(fromTable, name)),
    toTable,
    toColumns: relationship.toColumns.map((name) => toColumnId(toTable, name)),
    source: 'semantic',
    ...(relationship.role === undefined ? {} : { role: relationship.role }),
  };
}

/** Relationships name datasets; a dataset has a table. */
function findTable(name: string, semantics: SemanticModel): string {
  const dataset = semantics.datasets.find((candidate) => candidate.name === name);
  return (dataset?.table ?? name).toLowerCase();
}

function toColumnId(tableId: string, name: string): string {
  const column = name.toLowerCase();
  return column.startsWith(`${tableId}.`) ? column : `${tableId}.${column}`;
}

function isKnown(key: ForeignKey, catalog: Catalog): boolean {
  const holds = (tableId: string, columns: readonly string[]): boolean => {
    const table = catalog.tables.find((candidate) => candidate.id === tableId);
    return columns.length > 0 && columns.every((id) => table?.columns.some((column) => column.id === id));
  };
  return holds(key.fromTable, key.fromColumns) && holds(key.toTable, key.toColumns);
}

function isSameLink(a: ForeignKey, b: ForeignKey): boolean {
  return (
    a.fromTable === b.fromTable &&
    a.toTable === b.toTable &&
    a.fromColumns.join() === b.fromColumns.join() &&
    a.toColumns.join() === b.toColumns.join()
  );
}
