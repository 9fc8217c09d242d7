/** A query as definitions see it: which use of which table every column is of, through CTEs and derived tables, and what is said of it. */

import type { SchemaFacts } from '../../../faults/index.ts';
import type { ReadQuery } from '../../../faults/reading/index.ts';
import {
  findDatasetTable,
  type Relationship,
  type SemanticModel,
} from '../../../knowledge/semantic/index.ts';
import { isAggregateCall, type Scope, type Source } from '../../../sql/scope/index.ts';
import { ancestor, child, childrenIn, type SqlNode, textOf, walk } from '../../../sql/tree/index.ts';

/** A column of one use of a table; the same table read twice is two sources. */
export interface Home {
  readonly source: Source;
  /** `table.column` */
  readonly id: string;
  /** A figure or a case made of it in a query below: what is said of that is not said of the column. */
  readonly isMade?: boolean;
}

/** A place in the text that speaks of a column. */
export interface Mention extends Home {
  readonly node: SqlNode;
}

/** Two columns that are said to be equal. */
export interface Link {
  readonly one: Home;
  readonly other: Home;
}

/** A link that people have named. */
export interface RoleLink extends Link {
  readonly relationship: Relationship;
}

/** CTEs within CTEs end somewhere; a recursive one never does. */
const DEEPEST = 12;

export class QueryUses {
  readonly #query: ReadQuery;
  readonly #ids: ReadonlyMap<string, string>;
  readonly #byColumn = new Map<string, Mention[]>();
  readonly schema: SchemaFacts;
  readonly semantics: SemanticModel;
  readonly mentions: readonly Mention[];
  readonly sources: readonly Source[];
  readonly links: readonly Link[];

  constructor(query: ReadQuery, schema: SchemaFacts, semantics: SemanticModel) {
    this.#query = query;
    this.schema = schema;
    this.semantics = semantics;
    this.#ids = new Map(
      semantics.datasets.flatMap((dataset) => {
        const table = findDatasetTable(dataset, schema.catalog);
        return table === undefined ? [] : [[dataset.table, table.id] as const];
      }),
    );
    const sources = new Set<Source>();
    for (const scope of query.scopes.all)
      for (const source of scope.sources) if (source.table !== undefined) sources.add(source);
    this.sources = [...sources];
    this.mentions = query.tree.nodes.flatMap((node) => this.homesOf(node).map((home) => ({ ...home, node })));
    for (const mention of this.mentions) {
      const known = this.#byColumn.get(mention.id);
      if (known === undefined) this.#byColumn.set(mention.id, [mention]);
      else known.push(mention);
    }
    this.links = this.#findLinks();
  }

  get nodes(): readonly SqlNode[] {
    return this.#query.tree.nodes;
  }

  textOf(node: SqlNode): string {
    return textOf(this.#query.tree, node).replace(/\s+/g, ' ');
  }

  tableId(table: string): string {
    return this.#ids.get(table) ?? table;
  }

  columnId(column: string): string {
    const dot = column.lastIndexOf('.');
    return `${this.tableId(column.slice(0, dot))}${column.slice(dot)}`;
  }

  reads(table: string): readonly Source[] {
    const id = this.tableId(table);
    return this.sources.filter((source) => source.table?.id === id);
  }

  /** Places that speak of a column; of one use of its table, where one is given. */
  mentionsOf(column: string, source?: Source): readonly Mention[] {
    const found = this.#byColumn.get(this.columnId(column)) ?? [];
    return source === undefined ? found : found.filter((one) => one.source === source);
  }

  scopeAt(node: SqlNode): Scope | undefined {
    return this.#query.scopes.places[node.id];
  }

  /** The columns of tables that a name stands for. */
  homesOf(node: SqlNode): readonly Home[] {
    if (node.type !== 'Column') return [];
    const reference = this.#query.scopes.references[node.id];
    if (reference?.kind === 'alias') {
      const key = reference.output.key ?? '';
      return this.#homesOfOutput(reference.scope.query, { key, index: -1 }, DEEPEST);
    }
    if (reference?.kind !== 'column') return [];
    const key = reference.output.key ?? '';
    const sources = reference.merged ?? [reference.source];
    return sources.flatMap((source) => this.homesIn(source, key));
  }

  homesIn(source: Source, key: string, depth = DEEPEST): readonly Home[] {
    if (source.table !== undefined) {
      const [column] = source.columns.byKey.get(key)?.lineage.physical ?? [];
      return [{ source, id: column?.id ?? `${source.table.id}.${key}` }];
    }
    if (source.query === undefined || depth === 0) return [];
    const index = source.columns.list.findIndex((output) => output.key === key);
    return this.#homesOfOutput(source.query.query, { key, index }, depth - 1);
  }

  readonly #known = new Map<string, readonly Home[]>();

  /** What an output of a query is made of; a query that is read twice is looked at once. */
  #homesOfOutput(query: SqlNode, output: OutputPlace, depth: number): readonly Home[] {
    const key = `${query.id} ${output.index} ${output.key}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#known.set(key, []);
    const homes = distinctHomes(this.#findHomes(query, output, depth));
    this.#known.set(key, homes);
    return homes;
  }

  #findHomes(query: SqlNode, output: OutputPlace, depth: number): readonly Home[] {
    if (depth === 0) return [];
    if (query.type !== 'Select') {
      const inner = [child(query, 'this'), child(query, 'expression')];
      return inner.flatMap((one) => (one === undefined ? [] : this.#homesOfOutput(one, output, depth - 1)));
    }
    const shown = childrenIn(query, 'expressions');
    const hasStar = shown.some((one) => one.type === 'Star' || one.children.at(-1)?.type === 'Star');
    const item =
      (hasStar ? undefined : shown[output.index]) ?? shown.find((one) => nameOf(one) === output.key);
    if (item !== undefined) {
      const homes = this.#homesBelow(item, depth);
      return [...walk(item)].some(isMaking) ? homes.map((home) => ({ ...home, isMade: true })) : homes;
    }
    const sources = hasStar ? (this.scopeAt(query)?.sources ?? []) : [];
    return sources
      .filter((source) => source.columns.byKey.has(output.key))
      .flatMap((source) => this.homesIn(source, output.key, depth - 1));
  }

  #homesBelow(item: SqlNode, depth: number): readonly Home[] {
    const homes: Home[] = [];
    for (const node of walk(item)) {
      const reference = node.type === 'Column' ? this.#query.scopes.references[node.id] : undefined;
      if (reference?.kind !== 'column') continue;
      const sources = reference.merged ?? [reference.source];
      for (const source of sources)
        homes.push(...this.homesIn(source, reference.output.key ?? '', depth - 1));
    }
    return homes;
  }

  #findLinks(): readonly Link[] {
    const equal = this.nodes.flatMap((node) => {
      if (node.type !== 'EQ' && node.type !== 'In' && node.type !== 'NullSafeEQ') return [];
      const [one = [], ...others] = node.children.map((side) => this.#sideOf(side));
      return pairs(one, others.flat());
    });
    const merged = this.#query.scopes.all.flatMap((scope) =>
      [...scope.merged].flatMap(([key, { sources }]) =>
        sources.flatMap((source, at) =>
          sources.slice(at + 1).flatMap((next) => pairs(this.homesIn(source, key), this.homesIn(next, key))),
        ),
      ),
    );
    return [...equal, ...merged];
  }

  /** A column, or what a subquery shows. */
  #sideOf(node: SqlNode): readonly Home[] {
    const inner = node.type === 'Paren' || node.type === 'Cast' ? child(node, 'this') : node;
    if (inner?.type === 'Column') return this.homesOf(inner);
    if (inner?.type !== 'Subquery') return [];
    return this.#homesOfOutput(inner, { key: '', index: 0 }, DEEPEST);
  }

  /** Aggregates over rows of a use: of its columns, or of whole rows that it is the first source of. */
  aggregatesOver(source: Source): readonly SqlNode[] {
    return this.aggregates.filter(({ over }) => over.includes(source)).map(({ node }) => node);
  }

  #aggregates: readonly { readonly node: SqlNode; readonly over: readonly Source[] }[] | undefined;

  get aggregates(): readonly { readonly node: SqlNode; readonly over: readonly Source[] }[] {
    this.#aggregates ??= this.nodes.filter(isAggregateCall).map((node) => {
      const own = [...walk(node)].flatMap((inner) => this.homesOf(inner).map(({ source }) => source));
      return { node, over: own.length > 0 ? own : this.#rowsOf(this.scopeAt(node)?.sources ?? []) };
    });
    return this.#aggregates;
  }

  /** Whose rows the query around a node counts. */
  countedAt(node: SqlNode): readonly Source[] {
    return this.#rowsOf(this.scopeAt(node)?.sources ?? []);
  }

  /** The rows of a use are what its query is about: none of the tables beside it refers to them. */
  isFirst(source: Source): boolean {
    const beside = this.scopeAt(source.node)?.sources ?? [];
    return beside.includes(source) && !this.linksInto(source).some(({ one }) => beside.includes(one.source));
  }

  /** Whose rows a query counts: those of tables that no other of its tables refers to. */
  #rowsOf(sources: readonly Source[]): readonly Source[] {
    const all = sources.flatMap((source) => this.tablesBehind(source));
    const own = all.filter((source) => !this.linksInto(source).some(({ one }) => all.includes(one.source)));
    return own.length > 0 ? own : all.slice(0, 1);
  }

  /** Links by which rows of other uses find the one row of this use: `one` is the many side. */
  linksInto(source: Source): readonly RoleLink[] {
    this.#into ??= this.#findRoles();
    return this.#into.get(source) ?? [];
  }

  #into: ReadonlyMap<Source, readonly RoleLink[]> | undefined;

  #findRoles(): ReadonlyMap<Source, readonly RoleLink[]> {
    const byColumns = new Map(
      this.semantics.relationships.map((relationship) => {
        const [from = '', to = ''] = [relationship.fromColumns[0], relationship.toColumns[0]];
        return [`${this.columnId(from)} ${this.columnId(to)}`, relationship] as const;
      }),
    );
    const into = new Map<Source, RoleLink[]>();
    for (const { one, other } of this.links)
      for (const [many, single] of [
        [one, other],
        [other, one],
      ] as const) {
        const relationship = byColumns.get(`${many.id} ${single.id}`);
        if (relationship === undefined) continue;
        const known = into.get(single.source) ?? [];
        into.set(single.source, [...known, { one: many, other: single, relationship }]);
      }
    return into;
  }

  /** The first table of a source: itself, or that of the query behind it. */
  tablesBehind(source: Source, depth = DEEPEST): readonly Source[] {
    if (source.table !== undefined) return [source];
    const [first] = source.query?.sources ?? [];
    return first === undefined || depth === 0 ? [] : this.tablesBehind(first, depth - 1);
  }
}

interface OutputPlace {
  readonly key: string;
  readonly index: number;
}

function distinctHomes(homes: readonly Home[]): readonly Home[] {
  return homes.filter(
    ({ source, id }, at) => homes.findIndex((other) => other.source === source && other.id === id) === at,
  );
}

function pairs(one: readonly Home[], other: readonly Home[]): readonly Link[] {
  return one.flatMap((a) => other.flatMap((b) => (a.source === b.source ? [] : [{ one: a, other: b }])));
}

function isMaking(node: SqlNode): boolean {
  return node.type === 'Case' || COMPARISONS.has(node.type) || isAggregateCall(node);
}

function nameOf(item: SqlNode): string | undefined {
  const name = item.type === 'Alias' ? child(item, 'alias') : item.children.at(-1);
  return name?.value?.toLowerCase();
}

const COMPARISONS: ReadonlySet<string> = new Set(
  'EQ NEQ GT GTE LT LTE NullSafeEQ NullSafeNEQ Is In Between Like ILike Glob'.split(' '),
);
const TRUTHS: ReadonlySet<string> = new Set(['And', 'Or', 'Not', 'Where', 'Having', 'Qualify', 'Join']);

/** The condition that a column stands in, with the OR and NOT around it; undefined where nothing is asked of it. */
export function conditionOf(column: SqlNode): SqlNode | undefined {
  let at = column;
  for (let above = at.parent; above !== undefined; above = at.parent) {
    if (COMPARISONS.has(above.type)) return inFull(above);
    if (TRUTHS.has(above.type) || (above.type === 'If' && at.role === 'this')) return inFull(at);
    if (above.type === 'Case' && at.role === 'this') return above;
    if (above.type === 'Select' || above.type === 'Subquery') return undefined;
    at = above;
  }
  return undefined;
}

const AROUND: ReadonlySet<string> = new Set(['Not', 'Or', 'Paren']);

function inFull(condition: SqlNode): SqlNode {
  let at = condition;
  while (at.parent !== undefined && AROUND.has(at.parent.type)) at = at.parent;
  return at;
}

/** The CASE, FILTER or argument of an aggregate that a condition holds for alone; undefined where it holds for the rows of its query. */
export function aggregateAround(node: SqlNode): SqlNode | undefined {
  const found = ancestor(
    node,
    (above) => above.type === 'Select' || above.type === 'Filter' || isAggregateCall(above),
  );
  return found === undefined || found.type === 'Select' ? undefined : found;
}
