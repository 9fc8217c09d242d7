/** Patches that join a table which a query reads from and does not name. */

import type { ForeignKey } from '../../catalog/index.ts';
import type { Patch } from '../../sql/rewrite/index.ts';
import type { Scope } from '../../sql/scope/index.ts';
import { child, childrenIn } from '../../sql/tree/index.ts';
import type { ReadQuery } from '../reading/read-query.ts';
import type { SchemaFacts } from '../schema/schema-facts.ts';
import { quoted, tablesIn } from './remedy.ts';

export interface AddedJoin {
  readonly patches: readonly Patch[];
  /** What its columns are qualified with, as it is to be written. */
  readonly name: string;
  /** Tables that were added, the goal among them. */
  readonly added: readonly string[];
  readonly path: readonly JoinStep[];
}

export interface JoinPlace {
  readonly scope: Scope | undefined;
  readonly query: ReadQuery;
  readonly schema: SchemaFacts;
}

export interface JoinWish {
  /** Absent: the shortest, declared keys first. */
  readonly path?: readonly JoinStep[] | undefined;
  /** What the goal is to be called in the query; absent: by its name. */
  readonly alias?: string | undefined;
}

/** Over keys, from any table of the scope; undefined where none leads there, or a name would be taken twice. */
export function addJoin(goal: string, place: JoinPlace, wish: JoinWish = {}): AddedJoin | undefined {
  const { scope, query, schema } = place;
  const { alias } = wish;
  const held = tablesIn(scope);
  const here = held.flatMap(({ table }) => table?.id ?? []);
  const path = wish.path ?? findJoinPath(schema, here, goal);
  const end = fromEnd(scope);
  if (path === undefined || path.length === 0 || scope === undefined || end === undefined) return undefined;
  const names = new Map(held.map(({ table, name }) => [table?.id ?? '', quoted(name, query)]));
  const taken = new Set(scope.sources.map(({ key }) => key));
  const joins: string[] = [];
  for (const step of path) {
    const table = schema.tables.get(step.to);
    const own = step.to === goal ? alias : undefined;
    const name = own ?? table?.name;
    if (name === undefined || taken.has(name.toLowerCase())) return undefined;
    names.set(step.to, quoted(name, query));
    const called = own === undefined ? '' : ` ${quoted(own, query)}`;
    joins.push(` JOIN ${writtenTable(step.to, place)}${called} ON ${joinCondition(step, names, place)}`);
  }
  const added = path.map(({ to }) => to);
  return {
    patches: [{ span: { start: end, end }, text: joins.join('') }, ...qualifyBare(added, place)],
    name: names.get(goal) ?? '',
    added,
    path,
  };
}

/** With the schema it stands in, where its name alone does not reach it. */
export function writtenTable(id: string, { query, schema }: JoinPlace): string {
  const table = schema.tables.get(id);
  return [...(table?.qualifier ?? []), table?.name ?? id].map((part) => quoted(part, query)).join('.');
}

/** The keys of a way, for people: `orders.customer_id = customers.id`. */
export function keysOf(path: readonly JoinStep[], place: JoinPlace): string {
  return path.map((step) => joinCondition(step, new Map(), place)).join(', ');
}

/** `a.id = b.a_id`; names are those of the tables in this query, ready to be written. */
export function joinCondition(
  { from, to, pairs }: JoinStep,
  names: ReadonlyMap<string, string>,
  { query, schema }: JoinPlace,
): string {
  const column = (table: string, id: string) =>
    `${names.get(table) ?? schema.tables.get(table)?.name ?? table}.${quoted(schema.columns.get(id)?.name ?? id, query)}`;
  return pairs.map(([one, other]) => `${column(from, one)} = ${column(to, other)}`).join(' AND ');
}

function fromEnd(scope: Scope | undefined): number | undefined {
  if (scope?.query.type !== 'Select') return undefined;
  const from = child(scope.query, 'from');
  if (from === undefined) return undefined;
  return Math.max(from.end, ...childrenIn(scope.query, 'joins').map(({ end }) => end));
}

/** Names without a qualifier that an added table has as well keep their meaning only with one. */
function qualifyBare(added: readonly string[], { scope, query, schema }: JoinPlace): readonly Patch[] {
  const keys = new Set(
    added.flatMap((id) => (schema.tables.get(id)?.columns ?? []).map(({ name }) => name.toLowerCase())),
  );
  return query.tree.nodes.flatMap((node) => {
    if (node.type !== 'Column' || child(node, 'table') !== undefined) return [];
    const reference = query.scopes.references[node.id];
    if (reference?.kind !== 'column' || reference.scope !== scope || reference.merged !== undefined)
      return [];
    const { key } = reference.output;
    const { name } = reference.source;
    if (key === undefined || !keys.has(key) || name === undefined) return [];
    return [{ span: { start: node.start, end: node.start }, text: `${quoted(name, query)}.` }];
  });
}

// How two tables of a catalog are joined by its keys.

/** A key walked from the table that is there to the one that is added. */
export interface JoinStep {
  readonly from: string;
  readonly to: string;
  /** Column ids, pair by pair. */
  readonly pairs: readonly (readonly [string, string])[];
  /** The key is declared or stated, not inferred. */
  readonly isDeclared?: boolean;
  /** It leads from the table that refers to the one that is referred to: no row is repeated. */
  readonly isToOne?: boolean;
}

/** More than three keys away is not what a query forgot. */
const MOST_STEPS = 3;

/**
 * The shortest way over keys from one of the tables to another, ids of tables; empty where it is among them, undefined
 * where no key leads there. Declared and stated keys come before inferred ones.
 */
export function findJoinPath(
  schema: SchemaFacts,
  start: readonly string[],
  goal: string,
): readonly JoinStep[] | undefined {
  if (start.includes(goal)) return [];
  const steps = stepsOf(schema);
  const seen = new Set(start);
  let front: (readonly JoinStep[])[] = start.map(() => []);
  let at = [...start];
  for (let length = 0; length < MOST_STEPS; length += 1) {
    const next: (readonly JoinStep[])[] = [];
    const reached: string[] = [];
    for (const [index, path] of front.entries()) {
      for (const step of steps.get(at[index] ?? '') ?? []) {
        if (step.to === goal) return [...path, step];
        if (seen.has(step.to)) continue;
        seen.add(step.to);
        next.push([...path, step]);
        reached.push(step.to);
      }
    }
    front = next;
    at = reached;
  }
  return undefined;
}

/** Every way over declared keys from the tables of a query to another one, through none twice. */
export function declaredPaths(
  schema: SchemaFacts,
  start: readonly string[],
  goal: string,
): readonly (readonly JoinStep[])[] {
  const walk = (at: string, path: readonly JoinStep[], seen: ReadonlySet<string>): (readonly JoinStep[])[] =>
    (stepsOf(schema).get(at) ?? [])
      .filter(({ isDeclared, to }) => isDeclared === true && !seen.has(to))
      .flatMap((step) => {
        const longer = [...path, step];
        if (step.to === goal) return [longer];
        return longer.length === MOST_STEPS ? [] : walk(step.to, longer, new Set([...seen, step.to]));
      });
  return start.includes(goal) ? [] : start.flatMap((at) => walk(at, [], new Set(start)));
}

/**
 * The one way over declared keys that is meant where none is written: a key between the two tables, or the only way at
 * all. Undefined where several may be meant.
 */
export function onlyDeclaredPath(
  schema: SchemaFacts,
  start: readonly string[],
  goal: string,
): readonly JoinStep[] | undefined {
  const paths = declaredPaths(schema, start, goal);
  const direct = paths.filter(({ length }) => length === 1);
  const [only, second] = direct.length > 0 ? direct : paths;
  return second === undefined ? only : undefined;
}

/** Every key between two tables, declared ones first. */
export function keysBetween(schema: SchemaFacts, from: string, to: string): readonly JoinStep[] {
  return (stepsOf(schema).get(from) ?? []).filter((step) => step.to === to);
}

const STEPS = new WeakMap<SchemaFacts, ReadonlyMap<string, readonly JoinStep[]>>();

function stepsOf(schema: SchemaFacts): ReadonlyMap<string, readonly JoinStep[]> {
  const known = STEPS.get(schema);
  if (known !== undefined) return known;
  const steps = new Map<string, JoinStep[]>();
  const keys = [...schema.catalog.foreignKeys].sort((a, b) => doubt(a) - doubt(b));
  for (const { fromTable, toTable, fromColumns, toColumns, source } of keys) {
    const isDeclared = source !== 'inferred';
    const pairs = fromColumns.flatMap((from, index): [string, string][] => {
      const to = toColumns[index];
      return to === undefined ? [] : [[from, to]];
    });
    if (pairs.length === 0 || fromTable === toTable) continue;
    add(steps, { from: fromTable, to: toTable, pairs, isDeclared, isToOne: true });
    const back = pairs.map(([a, b]) => [b, a] as const);
    add(steps, { from: toTable, to: fromTable, pairs: back, isDeclared });
  }
  STEPS.set(schema, steps);
  return steps;
}

function doubt({ source }: ForeignKey): number {
  return source === 'inferred' ? 1 : 0;
}

function add(steps: Map<string, JoinStep[]>, step: JoinStep): void {
  const known = steps.get(step.from);
  if (known === undefined) steps.set(step.from, [step]);
  else known.push(step);
}
