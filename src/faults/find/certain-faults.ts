/** What is wrong with a query by the schema alone: shown before any model exists, and whatever a model says. */
import { nearestNames } from '../../language/index.ts';
import type { DialectName } from '../../sql/dialects/dialect.ts';
import { isSystemTableAnywhere, READING, tableName } from '../../sql/guard/index.ts';
import { isAggregateCall } from '../../sql/scope/index.ts';
import { ancestor, child, childrenIn, type SqlNode, type SqlTree } from '../../sql/tree/index.ts';
import { presence } from '../reading/literals.ts';
import { comparedWith, compatibilityReader, writtenText } from '../reading/operands.ts';
import type { ReadQuery } from '../reading/read-query.ts';
import { readSelects } from '../reading/selects.ts';
import type { SchemaFacts } from '../schema/schema-facts.ts';
import { type Complaint, complainedOf, isComplainedOf } from './complaint-faults.ts';
import { type CertainFault, faultAt } from './fault.ts';

/**
 * Every deterministic sign that a query is wrong (overview.md §6), in the order of the text and one for a node. A value
 * counts as unseen only where the profile holds all values of its column, or the same value in another spelling. What an
 * engine complains of is looked for more strictly.
 */
export function certainFaults(
  query: ReadQuery,
  schema: SchemaFacts,
  complaint?: Complaint,
): readonly CertainFault[] {
  if (complaint !== undefined) return findFaults(query, schema, complaint);
  const known = FOUND.get(query);
  if (known?.schema === schema) return known.faults;
  const faults = findFaults(query, schema);
  FOUND.set(query, { schema, faults });
  return faults;
}

/** The features of a query and its verdict look for the same faults: they are looked for once. */
const FOUND = new WeakMap<
  ReadQuery,
  { readonly schema: SchemaFacts; readonly faults: readonly CertainFault[] }
>();

function findFaults(query: ReadQuery, schema: SchemaFacts, complaint?: Complaint): readonly CertainFault[] {
  const found = [
    ...nameFaults(query, complaint),
    ...unseenLiterals(query, schema),
    ...typeClashes(query, schema),
    ...missingGroups(query),
    ...bareJoins(query),
    ...misplacedWindows(query),
    ...unquotedNames(query),
    ...wrongJoins(query, schema),
    ...(complaint === undefined ? [] : complainedOf(query, schema, complaint)),
  ];
  const first = new Map<number, CertainFault>();
  for (const fault of found) {
    const known = first.get(fault.node);
    if (known === undefined || (fault.isRefused && !known.isRefused)) first.set(fault.node, fault);
  }
  return [...first.values()].sort((a, b) => a.span.start - b.span.start || a.node - b.node);
}

const NEAREST = 3;

function nameFaults(query: ReadQuery, complaint: Complaint | undefined): readonly CertainFault[] {
  const faults: CertainFault[] = [];
  for (const node of query.tree.nodes) {
    const fault = tableFault(node, query, complaint) ?? columnFault(node, query);
    if (fault !== undefined) faults.push(fault);
  }
  return faults;
}

function tableFault(
  node: SqlNode,
  { scopes, tree }: ReadQuery,
  complaint: Complaint | undefined,
): CertainFault | undefined {
  const source = scopes.sources[node.id];
  if (source?.kind !== 'unknown-table') return undefined;
  const name = node.children.find(({ role }) => role === 'this') ?? node;
  const written = name.value ?? source.key ?? '';
  if (isSystemTableAnywhere(node, READING[tree.dialect])) return ofEngine(name, tableName(node));
  if (complaint?.kind === 'access-denied' && isComplainedOf(written, complaint)) return denied(name, written);
  const known = scopes.schema.tables.map((table) => table.name);
  return faultAt(name, {
    kind: 'unknown-table',
    text: `there is no table ${written}`,
    isRefused: true,
    instead: nearestNames(written, known, NEAREST),
  });
}

/** In the words of the guard, so that a query refused for it is told so once. */
function ofEngine(name: SqlNode, written: string): CertainFault {
  return faultAt(name, {
    kind: 'unknown-table',
    text: `${written} belongs to the engine, it is not the user's data`,
    isRefused: true,
    instead: [],
    isOfEngine: true,
  });
}

/** The catalog holds what the account may read, so a table that is denied is not in it. */
function denied(name: SqlNode, written: string): CertainFault {
  return faultAt(name, {
    kind: 'unknown-table',
    text: `${written} is not in the catalog, which holds only what may be read`,
    isRefused: true,
    instead: [],
    isThere: true,
  });
}

function columnFault(node: SqlNode, { scopes }: ReadQuery): CertainFault | undefined {
  const reference = scopes.references[node.id];
  if (reference?.kind === 'unknown') {
    const isColumn = reference.missing === 'column';
    return faultAt(reference.node, {
      kind: isColumn ? 'unknown-column' : 'unknown-table',
      text: `${isColumn ? 'no table here has a column' : 'no table here goes by'} ${reference.name}`,
      isRefused: true,
      instead: reference.nearest,
    });
  }
  if (reference?.kind !== 'ambiguous') return undefined;
  const name = node.children.at(-1) ?? node;
  const owners = reference.candidates.flatMap(({ source }) => source?.name ?? []);
  const isNamedOnce = new Set(owners).size === reference.candidates.length;
  return faultAt(name, {
    kind: 'ambiguous-column',
    text: `several tables here have a column ${reference.name}`,
    isRefused: true,
    instead: isNamedOnce ? owners.map((owner) => `${owner}.${name.value ?? ''}`) : [],
  });
}

/** Engines whose `=` tells no case apart by default. */
const FOLDING_DIALECTS: ReadonlySet<string> = new Set(['mysql']);

function unseenLiterals(query: ReadQuery, schema: SchemaFacts): readonly CertainFault[] {
  const values = query.tree.nodes.filter(
    ({ type, id }) => type === 'Literal' || query.scopes.references[id]?.kind === 'text',
  );
  return values.flatMap((node) => {
    const compared = comparedWith(node);
    if (compared === undefined) return [];
    const share = presence(node, compared, { query, schema });
    const isSpelling = share === 0.5 && !FOLDING_DIALECTS.has(query.tree.dialect);
    if (share !== 0 && !isSpelling) return [];
    return faultAt(node, {
      kind: 'unseen-literal',
      text: isSpelling ? 'the column has this value in another spelling' : 'the column has no such value',
      isRefused: false,
      instead: isSpelling ? respellings(node, compared.opposite, { query, schema }) : [],
      ...(isSpelling && { isSpelling }),
    });
  });
}

/** The stored values that equal a text but for case and outer spaces. */
function respellings(
  literal: SqlNode,
  column: SqlNode,
  { query, schema }: { readonly query: ReadQuery; readonly schema: SchemaFacts },
): readonly string[] {
  const reference = query.scopes.references[column.id];
  const [held] = reference?.kind === 'column' ? reference.lineage.physical : [];
  const fold = (text: string) => text.trim().toLowerCase();
  const written = fold(writtenText(literal, query) ?? '');
  const stored = held === undefined ? [] : [...(schema.valuesOf(held.id)?.exact ?? [])];
  return stored.filter((value) => fold(value) === written).sort();
}

const COMPARISONS: ReadonlySet<string> = new Set(['EQ', 'NEQ', 'GT', 'GTE', 'LT', 'LTE']);

function typeClashes(query: ReadQuery, schema: SchemaFacts): readonly CertainFault[] {
  const compatibility = compatibilityReader(query, schema);
  const clash = { kind: 'type-clash', isRefused: false, instead: [] } as const;
  return query.tree.nodes.flatMap((node) => {
    if (node.type === 'Literal') {
      const compared = comparedWith(node);
      const isClash =
        compared !== undefined && compatibility(compared.operator, compared.opposite, node) === 0;
      return isClash
        ? faultAt(node, { ...clash, text: 'it is of another type than what it is compared with' })
        : [];
    }
    const [left, right] = COMPARISONS.has(node.type) ? node.children : [];
    if (left === undefined || right === undefined) return [];
    if (left.type === 'Literal' || right.type === 'Literal') return [];
    const isClash = compatibility(node, left, right) === 0;
    return isClash ? faultAt(node, { ...clash, text: 'its two sides are of different types' }) : [];
  });
}

/** Columns beside an aggregate that nothing groups by. */
function missingGroups(query: ReadQuery): readonly CertainFault[] {
  const selects = readSelects(query);
  const { nodes, dialect } = query.tree;
  const columns = nodes.filter(({ type }) => type === 'Column');
  return columns.flatMap((node) => {
    const select = selects.selects[node.id] ?? -1;
    if (!selects.isInList(node) || selects.isInAggregate(node)) return [];
    if (!selects.hasListAggregate(select) || selects.hasGroup(select)) return [];
    const reference = query.scopes.references[node.id];
    if (reference?.kind !== 'column' || reference.scope.query.id !== select) return [];
    if (dialect === 'sqlite' && takesRowOfExtreme(nodes[select]!)) return [];
    return faultAt(node, {
      kind: 'missing-group-by',
      text: 'it stands beside an aggregate and nothing groups by it',
      isRefused: dialect !== 'sqlite',
      instead: [],
    });
  });
}

/** With one MAX or MIN, SQLite takes the other columns from the row that has it (lang_select.html, §2.5). */
function takesRowOfExtreme(select: SqlNode): boolean {
  const calls: SqlNode[] = [];
  const open = [...childrenIn(select, 'expressions')];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at.type === 'Select') continue;
    if (isAggregateCall(at)) calls.push(at);
    open.push(...at.children);
  }
  return calls.length === 1 && (calls[0]?.type === 'Max' || calls[0]?.type === 'Min');
}

// A window function where no rows are numbered yet: in WHERE, or in QUALIFY of an engine that has none.

const WITH_QUALIFY: ReadonlySet<string> = new Set(['duckdb', 'snowflake', 'bigquery']);

function misplacedWindows({ tree: { nodes, dialect } }: ReadQuery): readonly CertainFault[] {
  return nodes.flatMap((node) => {
    if (node.type === 'Qualify' && !WITH_QUALIFY.has(dialect))
      return misplaced(node, 'this engine has no QUALIFY');
    return node.type === 'Window' && isInWhere(node)
      ? misplaced(node, 'a window function stands in WHERE, where it is not computed yet')
      : [];
  });
}

function isInWhere(node: SqlNode): boolean {
  return ancestor(node, ({ type }) => type === 'Where' || type === 'Select')?.type === 'Where';
}

function misplaced(node: SqlNode, text: string): readonly CertainFault[] {
  return [faultAt(node, { kind: 'misplaced-call', text, isRefused: true, instead: [] })];
}

/** A name that holds capital letters and stands without quotes, where the engine folds such names to small ones. */
function unquotedNames(query: ReadQuery): readonly CertainFault[] {
  // Only PostgreSQL has been looked at: warehouses have settings for it.
  if (query.tree.dialect !== 'postgres') return [];
  return query.tree.nodes.flatMap((node) => [...unquotedTable(node, query), ...unquotedColumns(node, query)]);
}

function unquotedTable(node: SqlNode, query: ReadQuery): readonly CertainFault[] {
  const source = query.scopes.sources[node.id];
  const name = node.type === 'Table' ? child(node, 'this') : undefined;
  return source?.table === undefined || name === undefined ? [] : fault(name, source.table.name);
}

/** The column, and the table before it where that is no alias. */
function unquotedColumns(node: SqlNode, query: ReadQuery): readonly CertainFault[] {
  const reference = query.scopes.references[node.id];
  if (node.type !== 'Column' || reference?.kind !== 'column') return [];
  const { source, output } = reference;
  if (source.table === undefined) return [];
  const [name, qualifier] = [child(node, 'this'), child(node, 'table')];
  return [
    ...(qualifier === undefined || source.alias !== undefined ? [] : fault(qualifier, source.table.name)),
    ...(name === undefined || output.name === undefined ? [] : fault(name, output.name)),
  ];
}

function fault(node: SqlNode, name: string): readonly CertainFault[] {
  const written = node.value ?? '';
  const read = written.toLowerCase();
  const isSame = node.flags.quoted !== undefined || read === name || read !== name.toLowerCase();
  if (isSame) return [];
  return [
    faultAt(node, {
      kind: 'unquoted-name',
      text: `${written} is read as ${read} without quotes, and is called ${name}`,
      isRefused: true,
      instead: [name],
    }),
  ];
}

// Two tables that a declared key connects, joined by other columns.

/** Columns of one name, or that refer to one key, may well be joined; so may what is joined by its key besides. */
function wrongJoins(query: ReadQuery, schema: SchemaFacts): readonly CertainFault[] {
  const { tree, scopes } = query;
  const idOf = (node: SqlNode | undefined) => {
    const reference = node && scopes.references[node.id];
    return reference?.kind === 'column' && reference.source.table !== undefined
      ? reference.lineage.physical[0]?.id
      : undefined;
  };
  const equalities = tree.nodes.flatMap((node) => {
    const join = node.type === 'EQ' && ancestor(node, ({ type }) => type === 'Join' || type === 'Select');
    const [one, other] = [idOf(node.children[0]), idOf(node.children[1])];
    return join && join.type === 'Join' && one !== undefined && other !== undefined
      ? [{ node, one, other }]
      : [];
  });
  const tableOf = (id: string) => schema.columns.get(id)?.tableId ?? '';
  const nameOf = (id: string) => schema.columns.get(id)?.name.toLowerCase();
  const byKey = new Set(
    equalities
      .filter(({ one, other }) => schema.isKeyPair(one, other))
      .flatMap(({ one, other }) => [
        `${tableOf(one)} ${tableOf(other)}`,
        `${tableOf(other)} ${tableOf(one)}`,
      ]),
  );
  return equalities.flatMap(({ node, one, other }): CertainFault[] => {
    const pair = `${tableOf(one)} ${tableOf(other)}`;
    if (tableOf(one) === tableOf(other) || byKey.has(pair) || nameOf(one) === nameOf(other)) return [];
    const keys = keysBetween(tableOf(one), tableOf(other), schema);
    if (keys.length === 0 || schema.isKeyPair(one, other) || haveOneKey(one, other, schema)) return [];
    const text = `no key connects ${one} and ${other}, and one connects their tables`;
    return [faultAt(node, { kind: 'wrong-join', text, isRefused: false, instead: keys })];
  });
}

function keysBetween(one: string, other: string, { catalog }: SchemaFacts): readonly string[] {
  return catalog.foreignKeys.flatMap(({ fromTable, toTable, fromColumns, toColumns, source }) => {
    const isBetween = (fromTable === one && toTable === other) || (fromTable === other && toTable === one);
    return isBetween && source !== 'inferred'
      ? [fromColumns.map((from, at) => `${from} = ${toColumns[at]}`).join(' AND ')]
      : [];
  });
}

/** Both refer to one column, or one column to both. */
function haveOneKey(one: string, other: string, { columns, isKeyPair }: SchemaFacts): boolean {
  for (const id of columns.keys()) if (isKeyPair(id, one) && isKeyPair(id, other)) return true;
  return false;
}

// A JOIN that does not say by what it joins, in an engine that asks for it.

/** They read a JOIN without a condition as one of every row with every row. */
const WITHOUT_CONDITION: ReadonlySet<string> = new Set(['sqlite', 'mysql']);

/** A translation would make a cross join of it, which is seldom meant. */
export function wouldCross({ nodes }: SqlTree, to: DialectName): boolean {
  return !WITHOUT_CONDITION.has(to) && nodes.some(isBare);
}

function bareJoins({ tree, scopes }: ReadQuery): readonly CertainFault[] {
  if (WITHOUT_CONDITION.has(tree.dialect)) return [];
  return tree.nodes.flatMap((node) => {
    if (!isBare(node) || scopes.places[node.id] === undefined) return [];
    return faultAt(node, {
      kind: 'missing-on',
      text: 'a JOIN does not say by which columns',
      isRefused: true,
      instead: [],
    });
  });
}

function isBare({ type, flags, children }: SqlNode): boolean {
  const isOther = flags.comma !== undefined || flags.method !== undefined || flags.kind === 'CROSS';
  return type === 'Join' && !isOther && !children.some(({ role }) => role === 'on' || role === 'using');
}
