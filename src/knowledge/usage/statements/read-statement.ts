/** Which tables, columns and joins a statement reads, by our own reading of SQL against the catalog. */

import { createHash } from 'node:crypto';
import type { Catalog } from '../../../catalog/index.ts';
import { CandorError } from '../../../errors.ts';
import { normalKey, parse, type Scopes, scopes } from '../../../sql/index.ts';
import { resolverFromScopes } from '../../../sql/normal/index.ts';
import type { NamedSchema } from '../../../sql/scope/index.ts';
import { child, type SqlNode, type SqlTree } from '../../../sql/tree/index.ts';
import type { LogInput } from '../logs/lines/log-entry.ts';
import { hasPersonalConstant, shapeOf, withoutConstants, withoutPlaceholders } from './constants.ts';
import { type ReadingPart, readingPartOf } from './statement-parts.ts';
import {
  type FoundTables,
  findInputs,
  findTables,
  meantTables,
  type ReadJoin,
  type StatementContext,
  type StatementReading,
  type TableLookup,
  tablesMeant,
} from './table-reader.ts';

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

// Which columns of which tables a query takes as equal.

type Source = NonNullable<Scopes['sources'][number]>;
type SchemaColumn = Source['columns']['list'][number]['lineage']['physical'][number];

/** A column of the tables behind a name, and the entry of FROM it comes through. */
interface Side {
  readonly source: Source | Scopes['all'][number];
  readonly columns: readonly SchemaColumn[];
}

/** Columns behind one name, after a set operation: more would be a guess. */
const MAX_BEHIND = 4;

/**
 * The joins of a query: equal columns in ON, WHERE and HAVING, USING, NATURAL and `IN (SELECT …)`, through aliases,
 * CTEs and subqueries, as far as the condition must hold for every row. Pairs of the same two entries of FROM are one
 * join; what is under OR or NOT is none.
 */
function joinsOf(resolved: Scopes): readonly ReadJoin[] {
  const joins = new Joins();
  for (const node of resolved.tree.nodes) {
    if (node.type !== 'EQ' && node.type !== 'In') continue;
    if (!mustHold(node)) continue;
    const left = sideOf(resolved, child(node, 'this'));
    const right = node.type === 'EQ' ? sideOf(resolved, child(node, 'expression')) : shownBy(resolved, node);
    if (left !== undefined && right !== undefined) joins.add(left, right);
  }
  for (const scope of resolved.all) {
    for (const [key, { sources }] of scope.merged) {
      const sides = sources.flatMap((source): Side[] => {
        const columns = source.columns.byKey.get(key)?.lineage.physical ?? [];
        return columns.length === 0 ? [] : [{ source, columns }];
      });
      for (const [index, side] of sides.entries()) {
        const next = sides[index + 1];
        if (next !== undefined) joins.add(side, next);
      }
    }
  }
  return joins.all();
}

/** A condition that is one of those joined by AND. */
function mustHold(node: SqlNode): boolean {
  let at = node;
  for (; at.parent !== undefined; at = at.parent) {
    const { type } = at.parent;
    if (type === 'And' || type === 'Paren') continue;
    return (
      type === 'Where' || type === 'Having' || type === 'Qualify' || (type === 'Join' && at.role === 'on')
    );
  }
  return false;
}

function sideOf({ references }: Scopes, node: SqlNode | undefined): Side | undefined {
  const inner = node?.type === 'Paren' ? child(node, 'this') : node;
  const reference = inner && references[inner.id];
  if (reference?.kind !== 'column' || reference.fields.length > 0) return undefined;
  const { physical } = reference.lineage;
  return physical.length === 0 ? undefined : { source: reference.source, columns: physical };
}

/** The one column that `IN (SELECT …)` compares with. */
function shownBy({ all }: Scopes, node: SqlNode): Side | undefined {
  const query = child(node, 'query');
  const select = query && (child(query, 'this') ?? query);
  const scope = all.find((scope) => scope.query === select);
  const [output, ...others] = scope?.outputs.list ?? [];
  if (scope === undefined || output === undefined || others.length > 0) return undefined;
  return output.lineage.physical.length === 0
    ? undefined
    : { source: scope, columns: output.lineage.physical };
}

type Pair = readonly [left: string, right: string];

interface OpenJoin {
  readonly leftTable: string;
  readonly rightTable: string;
  readonly pairs: Map<string, Pair>;
}

/** Collects the pairs of one statement by the two entries of FROM and the two tables they are between. */
class Joins {
  readonly #numbers = new Map<Side['source'], number>();
  readonly #open = new Map<string, OpenJoin>();

  add(one: Side, other: Side): void {
    if (one.source === other.source) return;
    for (const a of one.columns.slice(0, MAX_BEHIND)) {
      for (const b of other.columns.slice(0, MAX_BEHIND)) this.#addPair(one, a, other, b);
    }
  }

  /** Each once, however often a statement repeats it. */
  all(): readonly ReadJoin[] {
    const distinct = new Map<string, ReadJoin>();
    for (const { leftTable, rightTable, pairs } of this.#open.values()) {
      const on = [...pairs.keys()].sort().map((key) => pairs.get(key) as Pair);
      distinct.set(JSON.stringify([leftTable, rightTable, on]), { leftTable, rightTable, on });
    }
    return [...distinct.keys()].sort().map((key) => distinct.get(key) as ReadJoin);
  }

  #addPair(one: Side, a: SchemaColumn, other: Side, b: SchemaColumn): void {
    const isOrdered = a.table.id < b.table.id || (a.table.id === b.table.id && a.id <= b.id);
    const [left, right] = isOrdered ? [a, b] : [b, a];
    const [leftSide, rightSide] = isOrdered ? [one, other] : [other, one];
    const between = [this.#number(leftSide.source), this.#number(rightSide.source)];
    // Between a table and itself the sides may change from pair to pair.
    if (left.table.id === right.table.id) between.sort((x, y) => x - y);
    const key = [...between, left.table.id, right.table.id].join(' ');
    const open = this.#open.get(key) ?? {
      leftTable: left.table.id,
      rightTable: right.table.id,
      pairs: new Map<string, Pair>(),
    };
    open.pairs.set(`${left.id} ${right.id}`, [left.id, right.id]);
    this.#open.set(key, open);
  }

  #number(source: Side['source']): number {
    const number = this.#numbers.get(source) ?? this.#numbers.size;
    this.#numbers.set(source, number);
    return number;
  }
}

/** 96 bits of SHA-256: tells the statements of any log apart without keeping them. */
export function textKey(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
