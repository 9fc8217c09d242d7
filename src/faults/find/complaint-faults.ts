/** Where in a query that is which an engine complains of: looked for only once it does, since the schema alone cannot tell. */

import { nearestNames } from '../../language/index.ts';
import { isAggregateCall } from '../../sql/scope/index.ts';
import { ancestor, child, childrenIn, type SqlNode } from '../../sql/tree/index.ts';
import type { ReadQuery } from '../reading/read-query.ts';
import { readSelects, type SelectContext } from '../reading/selects.ts';
import type { SchemaFacts } from '../schema/schema-facts.ts';
import { type CertainFault, faultAt } from './fault.ts';

export function complainedOf(
  query: ReadQuery,
  schema: SchemaFacts,
  complaint: Complaint,
): readonly CertainFault[] {
  switch (complaint.kind) {
    case 'group-by':
      return ungrouped(query);
    case 'subquery-rows':
      return query.tree.nodes.filter((node) => mayGiveRows(node, query, schema)).map(ofRows);
    case 'misplaced-call':
      return query.tree.nodes.filter(isMisplaced).map(ofPlace);
    case 'missing-column':
      return quotedTexts(query, complaint);
    case 'access-denied':
      // It is found with the names of the tables.
      return [];
  }
}

/** Columns of a grouped SELECT that are neither grouped nor aggregated, wherever the engine looks for them. */
function ungrouped(query: ReadQuery): readonly CertainFault[] {
  const selects = readSelects(query);
  return query.tree.nodes.flatMap((node) => {
    const select = query.tree.nodes[selects.selects[node.id] ?? -1];
    if (select === undefined || !isGroupedBy(select, selects)) return [];
    const isStar = node.type === 'Star' && node.parent === select;
    if (!isStar && !isUngrouped(node, { select, query, selects })) return [];
    return faultAt(node, {
      kind: 'missing-group-by',
      text: `${query.tree.text.slice(node.start, node.end)} is neither grouped nor aggregated`,
      isRefused: true,
      instead: [],
    });
  });
}

function isGroupedBy(select: SqlNode, { hasGroup, hasListAggregate }: SelectContext): boolean {
  return hasGroup(select.id) || hasListAggregate(select.id) || child(select, 'having') !== undefined;
}

interface Grouped {
  readonly select: SqlNode;
  readonly query: ReadQuery;
  readonly selects: SelectContext;
}

const LOOKED_AT: ReadonlySet<string> = new Set(['expressions', 'having', 'order']);

function isUngrouped(node: SqlNode, { select, query, selects }: Grouped): boolean {
  const reference = query.scopes.references[node.id];
  if (node.type !== 'Column' || selects.isInAggregate(node) || selects.isGrouped(node)) return false;
  if (reference?.kind !== 'column' || reference.scope.query !== select) return false;
  const clause = ancestor(node, ({ parent }) => parent === select);
  return LOOKED_AT.has((clause ?? node).role) && !standsInKey(node, select, query);
}

/** `GROUP BY UPPER(city)` groups the city in every `UPPER(city)`. */
function standsInKey(column: SqlNode, select: SqlNode, { tree }: ReadQuery): boolean {
  const written = ({ start, end }: SqlNode) => tree.text.slice(start, end).toLowerCase();
  const keys = new Set(child(select, 'group')?.children.map(written));
  return ancestor(column, (above) => keys.has(written(above))) !== undefined;
}

const COMPARED: ReadonlySet<string> = new Set(['EQ', 'NEQ', 'GT', 'GTE', 'LT', 'LTE']);

/** A subquery that stands for one value and may give several rows, as far as its text and the keys tell. */
function mayGiveRows(node: SqlNode, query: ReadQuery, schema: SchemaFacts): boolean {
  const select = node.type === 'Subquery' ? child(node, 'this') : undefined;
  if (select?.type !== 'Select' || !standsForValue(node)) return false;
  const isAggregated = childrenIn(select, 'expressions').some(
    (item) => isAggregateCall(item) || (item.type === 'Alias' && item.children.some(isAggregateCall)),
  );
  if (isAggregated && child(select, 'group') === undefined) return false;
  return !isLimitedToOne(select) && !readsOneByKey(select, query, schema);
}

function standsForValue({ role, parent }: SqlNode): boolean {
  if (parent === undefined || role === 'query') return false;
  if (COMPARED.has(parent.type)) return true;
  const item = parent.type === 'Alias' ? parent : undefined;
  return (item?.parent ?? parent).type === 'Select' && (item?.role ?? role) === 'expressions';
}

function isLimitedToOne(select: SqlNode): boolean {
  const limit = child(select, 'limit');
  const count = limit && (child(limit, 'expression') ?? child(limit, 'count'));
  return count?.value === '1' || (limit?.type === 'Fetch' && count === undefined);
}

/** `WHERE id = …` over the primary key of the only table. */
function readsOneByKey(select: SqlNode, { scopes }: ReadQuery, schema: SchemaFacts): boolean {
  const where = child(select, 'where');
  const condition = where && child(where, 'this');
  if (condition?.type !== 'EQ' || childrenIn(select, 'joins').length > 0) return false;
  return condition.children.some((side) => {
    const reference = scopes.references[side.id];
    if (reference?.kind !== 'column' || reference.scope.query !== select) return false;
    const [held] = reference.lineage.physical;
    const key = schema.tables.get(reference.source.table?.id ?? '')?.primaryKey ?? [];
    return key.length === 1 && key[0] === held?.id;
  });
}

function ofRows(node: SqlNode): CertainFault {
  return faultAt(node, {
    kind: 'subquery-rows',
    text: 'this subquery may give more than one row where one value stands',
    isRefused: true,
    instead: [],
  });
}

/** An aggregate in WHERE, where no rows are grouped yet. */
function isMisplaced(node: SqlNode): boolean {
  if (!isAggregateCall(node) || node.parent?.type === 'Window') return false;
  return ancestor(node, ({ type }) => type === 'Where' || type === 'Select')?.type === 'Where';
}

function ofPlace(node: SqlNode): CertainFault {
  return faultAt(node, {
    kind: 'misplaced-call',
    text: 'an aggregate stands in WHERE, where rows are not grouped yet',
    isRefused: true,
    instead: [],
  });
}

/** `"Lyon"`, which our reading takes for a text and the engine for a name. */
function quotedTexts({ tree, scopes }: ReadQuery, complaint: Complaint): readonly CertainFault[] {
  return tree.nodes.flatMap((node) => {
    if (scopes.references[node.id]?.kind !== 'text') return [];
    const name = node.type === 'Column' ? child(node, 'this') : node;
    if (name === undefined || !isComplainedOf(name.value, complaint)) return [];
    return faultAt(name, {
      kind: 'unknown-column',
      text: `no table here has a column ${name.value}`,
      isRefused: true,
      instead: [],
    });
  });
}

/** What an engine is known to refuse in a query where the schema alone lets it pass, or asks for something else. */
export interface Complaint {
  readonly kind: ComplaintKind;
  /** What it names, as it writes it. */
  readonly name?: string;
}

export type ComplaintKind =
  /** A column that is neither grouped nor aggregated. */
  | 'group-by'
  /** A subquery that gives several rows where one value stands. */
  | 'subquery-rows'
  /** A call of an aggregate where rows are not grouped yet. */
  | 'misplaced-call'
  /** A name that it takes for a column. */
  | 'missing-column'
  /** A table that it has, and does not show to the account. */
  | 'access-denied';

/** Whether a name in the query is the one complained of: by its last part, in any case. */
export function isComplainedOf(name: string | undefined, complaint: Complaint): boolean {
  const last = complaint.name?.split(/[.:]/).at(-1);
  return last !== undefined && name?.toLowerCase() === last.toLowerCase();
}

// Stored values that are like one that a column does not hold.

/** Of a column, by id: its values that are like a text, the likest first. */
export type NearValues = (columnId: string, text: string) => readonly string[];

const MOST = 3;
/** Texts of this length and more are sentences; no edit distance is worth its time. */
const LONGEST = 100;

/** Among the values that the schema knows of a column. */
export function storedNear(schema: SchemaFacts): NearValues {
  return (columnId, text) => {
    const stored = schema.valuesOf(columnId);
    return stored === undefined || text.length > LONGEST ? [] : nearestNames(text, stored.exact, MOST);
  };
}
