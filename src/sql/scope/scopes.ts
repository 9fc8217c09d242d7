/** Name resolution: the scopes of a tree and what every name in it means. */
import { child, childrenIn, type SqlNode, type SqlTree } from '../tree/node.ts';
import { numbered } from './read/output-name.ts';
import { readExpression } from './read/read-expression.ts';
import { openScope, readRelations } from './read/read-from.ts';
import { pivotColumns } from './read/read-pivot.ts';
import { readEnd, readSelect } from './read/read-select.ts';
import { provideColumns, readWith, scopeOfQuery } from './read/read-with.ts';
import { ANY_COLUMNS, createColumns, joinOpenness } from './state/columns.ts';
import { computedLineage, uniteLineages } from './state/lineage.ts';
import { NAME_RULES } from './state/name-rules.ts';
import {
  emptyLevel,
  type Frame,
  type Level,
  listen,
  openLevel,
  type Reading,
  takeSteps,
} from './state/reading.ts';
import { indexSchema, type NamedSchema } from './state/schema-index.ts';
import type { Columns, Output, Scope, Scopes } from './state/scope.ts';

/**
 * Reading a name is a step, and so is each column that a star makes. A star over stars, or recursion inside recursion,
 * makes millions of them out of a short text; the largest query that people wrote for a public benchmark takes 2,000.
 */
const MAX_STEPS = 200_000;
const STEPS_OF_NODE = 4;

/**
 * Resolves all names of a tree against a schema; what is missing or in doubt becomes a reference that says so.
 * `scopes(tree, schema).references[column.id]` tells what a column means. Throws `sql.too-large` when a text stands for
 * too much.
 */
export function scopes(tree: SqlTree, schema: NamedSchema): Scopes {
  const known = RESOLVED.get(tree)?.get(schema);
  if (known !== undefined) return known;
  const resolved = resolve(tree, schema);
  const bySchema = RESOLVED.get(tree) ?? new WeakMap<NamedSchema, Scopes>();
  RESOLVED.set(tree, bySchema.set(schema, resolved));
  return resolved;
}

/** A guard asks for the same names half a dozen times; neither tree nor schema ever changes. */
const RESOLVED = new WeakMap<SqlTree, WeakMap<NamedSchema, Scopes>>();

function resolve(tree: SqlTree, schema: NamedSchema): Scopes {
  const count = tree.nodes.length;
  const reading: Reading = {
    tree,
    rules: NAME_RULES[tree.dialect],
    schema: indexSchema(schema),
    references: new Array(count),
    sources: new Array(count),
    scopes: new Array(count),
    used: [],
    steps: { taken: 0, allowed: MAX_STEPS + STEPS_OF_NODE * count },
    readQuery,
    readExpression,
  };
  readQuery(reading, tree.root, { kind: 'root', parent: undefined, outer: undefined, ctes: undefined });
  return {
    tree,
    schema: reading.schema,
    root: scopeOfQuery(reading, tree.root),
    all: reading.scopes.filter((scope) => scope !== undefined),
    places: placesOf(tree, reading.scopes),
    references: reading.references,
    sources: reading.sources,
  };
}

/** Nodes come in preorder, so a node's parent has its place before it. */
function placesOf({ nodes }: SqlTree, opened: readonly (Scope | undefined)[]): (Scope | undefined)[] {
  const places: (Scope | undefined)[] = new Array(nodes.length);
  for (const node of nodes) places[node.id] = opened[node.id] ?? placeOfParent(node, places);
  return places;
}

function placeOfParent({ parent }: SqlNode, places: readonly (Scope | undefined)[]): Scope | undefined {
  return parent && places[parent.id];
}

/** Reads a query of any form with everything inside it; gives the columns it shows. */
function readQuery(reading: Reading, query: SqlNode, frame: Frame): Columns {
  takeSteps(reading, 1);
  switch (query.type) {
    case 'Select':
      return readSelect(reading, query, frame);
    case 'Union':
    case 'Intersect':
    case 'Except':
      return readSetOperation(reading, query, frame);
    case 'Values':
      return readValues(reading, query, frame);
    case 'Pivot':
      return readPivotQuery(reading, query, frame);
    case 'Subquery':
      return readBrackets(reading, query, frame);
    default:
      // INSERT … RETURNING as a CTE: nobody reads inside.
      return ANY_COLUMNS;
  }
}

function readSetOperation(reading: Reading, query: SqlNode, frame: Frame): Columns {
  const scope = openScope(reading, query, frame);
  const ctes = readWith(reading, query, { parent: scope, outer: frame.outer, ctes: frame.ctes });
  const inner: Frame = { ...frame, kind: 'branch', parent: scope, ctes };
  const first = readBranch(reading, child(query, 'this'), inner);
  if (frame.recursive !== undefined) provideColumns(frame.recursive, first);
  const second = readBranch(reading, child(query, 'expression'), { ...inner, recursive: undefined });
  takeSteps(reading, first.list.length + second.list.length);
  scope.outputs =
    query.flags.byName === undefined ? uniteByPlace(first, second) : uniteByName(query, first, second);
  const level = emptyLevel(scope, orderOuter(reading, query, frame), { clause: 'outputs' });
  const names = reading.rules.orderSeesAllBranches ? [scope.outputs, second] : [scope.outputs];
  for (const { list } of names) addAliases(level.aliases, list);
  readEnd(reading, query, { level, ctes });
  return scope.outputs;
}

/** What ORDER BY of a set operation sees besides the output columns. */
function orderOuter(reading: Reading, query: SqlNode, { outer }: Frame): Level | undefined {
  if (!reading.rules.orderRepeatsExpressions) return outer;
  let first: SqlNode | undefined = query;
  while (first !== undefined && first.type !== 'Select') first = child(first, 'this');
  const scope = first && reading.scopes[first.id];
  return scope === undefined ? outer : openLevel(scope, outer);
}

function readBranch(reading: Reading, branch: SqlNode | undefined, frame: Frame): Columns {
  return branch === undefined ? ANY_COLUMNS : readQuery(reading, branch, frame);
}

function addAliases(aliases: Map<string, Output>, list: readonly Output[]): void {
  for (const output of list) {
    if (output.key !== undefined && !aliases.has(output.key)) aliases.set(output.key, output);
  }
}

/** Names of the first branch, lineage of both. */
function uniteByPlace(first: Columns, second: Columns): Columns {
  const list = first.list.map((output, index) => uniteOutputs(output, second.list[index]));
  return createColumns(list, first.openness);
}

/**
 * UNION BY NAME: columns of both that share a name are one. CORRESPONDING and BigQuery's INNER and LEFT leave out those
 * that one branch has alone, and a list all that it does not name.
 */
function uniteByName(query: SqlNode, first: Columns, second: Columns): Columns {
  const { byName } = query.flags;
  const both = first.list.map((output) => uniteOutputs(output, second.byKey.get(output.key ?? '')));
  const rest = second.list.filter((output) => !first.byKey.has(output.key ?? ''));
  const openness = joinOpenness([first, second]);
  const isShown = ({ key }: Output): boolean =>
    byName !== 'common' || openness !== 'none' || (key !== undefined && second.byKey.has(key));
  const shown = [...both.filter(isShown), ...(byName === 'true' ? rest : [])];
  const listed = new Set(childrenIn(query, 'using').map(({ value = '' }) => value.toLowerCase()));
  if (listed.size === 0) return createColumns(shown, openness);
  return createColumns(
    shown.filter(({ key }) => key !== undefined && listed.has(key)),
    openness,
  );
}

function uniteOutputs(a: Output, b: Output | undefined): Output {
  if (b === undefined) return a;
  const lineage = uniteLineages([a.lineage, b.lineage]);
  return { name: a.name, key: a.key, lineage, origin: { kind: 'outputs', outputs: [a, b] } };
}

/** Brackets around a query may have a WITH, ORDER BY and LIMIT of their own. */
function readBrackets(reading: Reading, query: SqlNode, frame: Frame): Columns {
  const inner = child(query, 'this');
  if (inner === undefined) return ANY_COLUMNS;
  const ctes = readWith(reading, query, frame);
  const columns = readQuery(reading, inner, { ...frame, ctes });
  const scope = scopeOfQuery(reading, inner);
  if (scope !== undefined && query.children.length > 1)
    readBracketsEnd(reading, query, { scope, columns, frame });
  return columns;
}

interface BracketsEnd {
  readonly scope: Scope;
  readonly columns: Columns;
  readonly frame: Frame;
}

function readBracketsEnd(reading: Reading, query: SqlNode, { scope, columns, frame }: BracketsEnd): void {
  const level = emptyLevel(scope, frame.outer, { clause: 'outputs' });
  addAliases(level.aliases, columns.list);
  readEnd(reading, query, { level, ctes: frame.ctes });
}

/** The statements PIVOT and UNPIVOT of DuckDB. */
function readPivotQuery(reading: Reading, pivot: SqlNode, frame: Frame): Columns {
  const scope = openScope(reading, pivot, frame);
  const ctes = readWith(reading, pivot, { parent: scope, outer: frame.outer, ctes: frame.ctes });
  const level = openLevel(scope, frame.outer);
  const relation = child(pivot, 'this');
  if (relation !== undefined) readRelations(reading, relation, { level, ctes });
  scope.outputs = pivotColumns(reading, pivot, { level, ctes });
  const shown = emptyLevel(scope, frame.outer, { clause: 'outputs' });
  shown.sources.push({
    kind: 'pivot',
    node: pivot,
    name: undefined,
    key: undefined,
    alias: undefined,
    path: [],
    table: undefined,
    query: scope,
    columns: scope.outputs,
  });
  readEnd(reading, pivot, { level: shown, ctes });
  return scope.outputs;
}

/** VALUES: rows of expressions under numbered names. */
function readValues(reading: Reading, values: SqlNode, frame: Frame): Columns {
  const scope = openScope(reading, values, frame);
  const level = emptyLevel(scope, frame.outer);
  const rows = childrenIn(values, 'expressions').map((row) =>
    valuesOf(row).map((node): Output => {
      const lineage = computedLineage(
        listen(reading, () => readExpression(reading, node, { level, ctes: frame.ctes })),
      );
      return { name: undefined, key: undefined, lineage, origin: { kind: 'expression', node } };
    }),
  );
  scope.outputs = createColumns(
    (rows[0] ?? []).map((_, index) => {
      const name = numbered(reading.rules.valuesColumn, index);
      const outputs = rows.flatMap((row) => row[index] ?? []);
      const lineage = uniteLineages(outputs.map((output) => output.lineage));
      return { name, key: name, lineage, origin: { kind: 'outputs', outputs } };
    }),
  );
  return scope.outputs;
}

function valuesOf(row: SqlNode): readonly SqlNode[] {
  return row.type === 'Tuple' ? row.children : [row];
}
