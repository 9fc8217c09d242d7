/** Which tables, columns and joins a statement reads, by our own reading of SQL against the catalog. */
import type { Catalog } from '../../../catalog/index.ts';
import { CandorError } from '../../../errors.ts';
import {
  type NamedSchema,
  normalKey,
  parse,
  resolverFromScopes,
  type Scopes,
  type SqlTree,
  scopes,
} from '../../../sql/index.ts';
import type { LogInput } from '../logs/log-entry.ts';
import { textKey } from '../logs/text-key.ts';
import { shapeOf, withoutConstants, withoutPlaceholders } from './constants.ts';
import { type FoundTables, findInputs, findTables, meantTables } from './found-tables.ts';
import { hasPersonalConstant } from './personal-constants.ts';
import { joinsOf } from './statement-joins.ts';
import { type ReadingPart, readingPartOf } from './statement-parts.ts';
import type { StatementContext, StatementReading } from './statement-reading.ts';
import { type TableLookup, tablesMeant } from './table-lookup.ts';

export interface StatementSurroundings {
  readonly catalog: Catalog | TableLookup;
  readonly context: StatementContext;
  /** What the engine says it read; adds tables behind views, and tells of statements that we cannot parse. */
  readonly inputs?: readonly LogInput[];
  /** Whether values of a column may be about persons, of these tables. */
  readonly isPersonal: (catalog: Catalog) => (columnId: string) => boolean;
}

interface ReadingMeans extends Pick<StatementSurroundings, 'isPersonal'> {
  readonly fromEngine: FoundTables;
}

/** Reads one statement. Pure and bounded: what cannot be parsed, or stands for too much, is told, never thrown. */
export function readStatement(sql: string, surroundings: StatementSurroundings): StatementReading {
  const { inputs = [], context } = surroundings;
  const part = readingPartOf(sql, surroundings.catalog.dialect);
  if (part.kind === 'not-reading') return part;
  const named = part.kind === 'not-sql' ? { inputs, context } : { tree: part.tree, inputs, context };
  const catalog = tablesMeant(surroundings.catalog, named);
  const fromEngine = findInputs(inputs, catalog);
  const unread = (place: { readonly line: number; readonly column: number }): StatementReading =>
    fromEngine.tables.size === 0 ? { kind: 'not-sql', ...place } : readByEngine(sql, fromEngine);
  if (part.kind === 'not-sql') return unread({ line: part.line, column: part.column });
  try {
    return readQuery(part, { catalog, context }, { ...surroundings, fromEngine });
  } catch (error) {
    // Few characters may stand for a great many columns; the log goes on behind them.
    if (error instanceof CandorError && error.code === 'sql.too-large') return unread({ line: 1, column: 1 });
    throw error;
  }
}

function readQuery(
  part: Extract<ReadingPart, { readonly kind: 'query' }>,
  place: { readonly catalog: Catalog; readonly context: StatementContext },
  { fromEngine, isPersonal: personalIn }: ReadingMeans,
): StatementReading {
  const { resolved, schema } = resolve(part.tree, place);
  const found = findTables(resolved, place);
  const tables = sorted([...found.tables, ...fromEngine.tables]);
  const unknownTables = sorted(found.unknown);
  if (tables.length === 0 && unknownTables.length === 0) return { kind: 'no-tables' };
  const isPersonal = hasPersonalConstant(resolved, personalIn(place.catalog));
  const shape = shapeOf(part.tree);
  const shapeKey = keyOf(shape, schema, tables);
  return {
    kind: 'read',
    shapeKey,
    key: isPersonal ? shapeKey : keyOf(withSigns(part.tree), schema, tables),
    sql: isPersonal ? withoutConstants(part.tree) : part.tree.text.trim(),
    tables,
    columns: sorted([...found.columns, ...fromEngine.columns]),
    joins: joinsOf(resolved).filter(({ leftTable, rightTable }) => {
      return found.tables.has(leftTable) && found.tables.has(rightTable);
    }),
    unknownTables,
    isExample: part.isWhole && tables.length > 0 && unknownTables.length === 0 && !found.isOpen,
  };
}

/** Of SQL that we cannot parse the engine's word is all there is; it is no example for anyone. */
function readByEngine(sql: string, { tables, columns }: FoundTables): StatementReading {
  const key = textKey(JSON.stringify(['engine', sql]));
  return {
    kind: 'read',
    ...{ shapeKey: key, key, sql: '', tables: sorted(tables), columns: sorted(columns) },
    ...{ joins: [], unknownTables: [], isExample: false },
  };
}

/** Against the whole catalog, or where that means tables of another schema than the log, against the right ones. */
function resolve(
  tree: SqlTree,
  place: { readonly catalog: Catalog; readonly context: StatementContext },
): { resolved: Scopes; schema: NamedSchema } {
  const resolved = scopes(tree, place.catalog);
  const schema = meantTables(resolved, place);
  if (schema === undefined) return { resolved, schema: place.catalog };
  return { resolved: scopes(tree, schema), schema };
}

/** `$1` and `?` are the same: a constant that the log does not tell. */
function withSigns(tree: SqlTree): SqlTree {
  if (!tree.nodes.some(({ type }) => type === 'Placeholder')) return tree;
  const parsed = parse(withoutPlaceholders(tree.text, tree.tokens), tree.dialect);
  return parsed.ok ? parsed.tree : tree;
}

/** Two statements of one text may mean tables of two schemas, so the tables are part of the key. */
function keyOf(tree: SqlTree, schema: NamedSchema, tables: readonly string[]): string {
  const resolve = (tree: SqlTree) => resolverFromScopes(scopes(tree, schema));
  return textKey(JSON.stringify([normalKey(tree, { resolve }), tables]));
}

function sorted(ids: Iterable<string>): readonly string[] {
  return [...new Set(ids)].sort();
}
