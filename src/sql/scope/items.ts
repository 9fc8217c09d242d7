/** The physical tables and columns a query uses: the gold sets of schema linking. */
import type { SqlTree } from '../tree/node.ts';
import { scopes } from './scopes.ts';
import type { NamedSchema } from './state/schema-index.ts';
import type {
  Lineage,
  OpenColumn,
  Reference,
  SchemaColumn,
  SchemaTable,
  Scope,
  Scopes,
} from './state/scope.ts';

export interface Items {
  readonly tables: readonly SchemaTable[];
  /** Used anywhere: shown, compared, joined, grouped, ordered; an access into a column counts as the column. */
  readonly columns: readonly SchemaColumn[];
  /** Nothing below is certain while one of these is not empty. */
  readonly unresolved: UnresolvedItems;
}

interface UnresolvedItems {
  /** Tables the schema does not have, as written. */
  readonly tables: readonly string[];
  /** Columns of such tables and of values whose fields nobody knows, `source.column` as written. */
  readonly open: readonly string[];
  /** Names that mean nothing, as written. */
  readonly unknown: readonly string[];
  /** Names that mean several columns; all of them are among `columns`. */
  readonly ambiguous: readonly string[];
}

/**
 * Tables and columns of a query; `items(parse('SELECT d.a FROM (SELECT * FROM t) d'), schema)` has the column t.a
 * alone, since a star counts only as far as its columns reach the outer query.
 */
export function items(tree: SqlTree, schema: NamedSchema): Items {
  const resolved = scopes(tree, schema);
  const used = new UsedItems();
  for (const scope of resolved.all) {
    for (const merged of scope.merged.values()) used.addLineage(merged.output.lineage);
  }
  for (const node of tree.nodes) {
    const source = resolved.sources[node.id];
    if (source?.table !== undefined) used.tables.add(source.table);
    if (source?.kind === 'unknown-table') used.unknownTables.add([...source.path, source.key].join('.'));
    const reference = resolved.references[node.id];
    // What a star leaves out is not used, and what it renames only as far as the star reaches.
    const isOfStar = node.role === 'except' || node.parent?.role === 'rename';
    if (reference !== undefined && !isOfStar) addReference(used, reference, resolved.places[node.id]);
  }
  addShownWithoutList(used, resolved);
  return used.found();
}

/** Collects while the tree is walked; lives for one call of `items`. */
class UsedItems {
  readonly tables = new Set<SchemaTable>();
  readonly columns = new Set<SchemaColumn>();
  readonly unknownTables = new Set<string>();
  readonly open = new Set<string>();
  readonly unknown = new Set<string>();
  readonly ambiguous = new Set<string>();

  addLineage(lineage: Lineage): void {
    for (const column of lineage.physical) this.columns.add(column);
    for (const column of lineage.from) this.columns.add(column);
    for (const column of lineage.open) this.open.add(describeOpen(column));
  }

  found(): Items {
    const { open, unknown, ambiguous } = this;
    return {
      tables: [...this.tables],
      columns: [...this.columns],
      unresolved: {
        tables: [...this.unknownTables],
        open: [...open],
        unknown: [...unknown],
        ambiguous: [...ambiguous],
      },
    };
  }
}

function describeOpen({ source, name }: OpenColumn): string {
  return source.name === undefined ? name : `${source.name}.${name}`;
}

function addReference(used: UsedItems, reference: Reference, place: Scope | undefined): void {
  if (reference.kind === 'star') {
    if (place === undefined || isShown(place)) used.addLineage(reference.lineage);
    return;
  }
  used.addLineage(reference.lineage);
  if (reference.kind === 'unknown') used.unknown.add(reference.name);
  if (reference.kind === 'ambiguous') used.ambiguous.add(reference.name);
  if (reference.kind === 'open' && reference.source === undefined) used.open.add(reference.name);
}

/** What a query shows is used when it is the result, or the value of a subquery other than that of EXISTS. */
function isShown(scope: Scope): boolean {
  let at: Scope | undefined = scope;
  while (at?.kind === 'branch') at = at.parent;
  if (at === undefined || at.kind === 'root') return true;
  return at.kind === 'subquery' && at.query.parent?.type !== 'Exists';
}

/** `FROM t` without a list shows all columns and has no star to say so. */
function addShownWithoutList(used: UsedItems, { all }: Scopes): void {
  for (const scope of all) {
    const isWithoutList = scope.query.type === 'Select' && scope.query.children.every(isNoItem);
    if (!isWithoutList || !isShown(scope)) continue;
    for (const output of scope.outputs.list) used.addLineage(output.lineage);
  }
}

function isNoItem({ role }: { readonly role: string }): boolean {
  return role !== 'expressions';
}
