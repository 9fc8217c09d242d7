import type { Assumption } from '../../answer.ts';
import { columnsInSql, type Dataset } from '../../knowledge/semantic/index.ts';
import { DIALECTS } from '../../sql/dialects/index.ts';
import {
  type FromTable,
  type Predicate,
  printQuery,
  type Query,
  type SelectQuery,
} from '../../sql/print/index.ts';
import type { Reading } from '../roles/reading.ts';
import type { Frame } from './compose/frame/frame.ts';
import type { GroundedKnowledge } from './knowledge/knowledge.ts';
import { filterAssumptions, isLiftedFilter } from './metric/bind/default-filters.ts';
import { explainQuery } from './query/explain/explain-query.ts';
import { queryNames } from './query/explain/part-text.ts';
import type { Plan } from './query/plan/build-query.ts';
import { type Mention, mentionNote } from './question/mention/mention.ts';
import type { Bound } from './resolve/bound.ts';
import type { ResolveContext } from './resolve/noun-candidates.ts';

/** Where a plan comes from. */
export interface PlanOrigin {
  readonly bound: Bound;
  readonly limit: number | undefined;
  readonly frame: Frame;
  /** Names of what was changed since the rules bound the frame. */
  readonly revisions: readonly string[];
  readonly mentions: readonly Mention[];
  readonly context: ResolveContext;
}

/** A plan as a reading: its SQL, why each part stands there, and how it was understood. */
export function readPlan(
  plan: Pick<Plan, 'query' | 'assumptions'>,
  { frame, revisions, mentions }: PlanOrigin,
  probability: number,
  knowledge: GroundedKnowledge,
): Reading {
  const { query, assumptions } = withDefaultFilters(plan.query, knowledge);
  const { sql, parts } = printQuery(query, DIALECTS[knowledge.catalog.dialect]);
  const unexplained = mentions.filter((mention) => mention.isUnknown && !frame.used.has(mention.index));
  return {
    query,
    sql,
    parts,
    explanation: explainQuery(query, queryNames(knowledge)),
    probability,
    rules: [...frame.rules, ...revisions],
    assumptions: [...plan.assumptions, ...assumptions],
    mentions: mentions.map(mentionNote),
    unexplained: unexplained.map(mentionNote),
    metrics: [],
    dimensions: [],
  };
}

/**
 * The default filters of the semantic model, written into every block of a query that reads plain tables, unless the block says
 * something of the same column itself: "how many orders were deleted?" keeps what it asks for.
 */
function withDefaultFilters(
  query: Query,
  knowledge: GroundedKnowledge,
): { readonly query: Query; readonly assumptions: readonly Assumption[] } {
  const filtered = knowledge.semantics.datasets.filter(({ defaultFilter }) => defaultFilter !== undefined);
  if (filtered.length === 0) return { query, assumptions: [] };
  const meant = new Set<string>();
  const changed = eachBlock(query, (block) => {
    const said = new Set(columnsIn(block.where));
    const due = filtered.filter(
      (dataset) => readsRowsOf(block, dataset, knowledge) && !saysOf(dataset, said),
    );
    for (const { table } of due) meant.add(table);
    const added = due.filter((dataset) => !isLiftedFilter(dataset, knowledge)).flatMap(predicateOf);
    return added.length === 0 ? block : { ...block, where: [...block.where, ...added] };
  });
  return { query: changed, assumptions: filterAssumptions(meant, knowledge) };
}

function predicateOf({ defaultFilter }: Dataset): Predicate[] {
  if (defaultFilter === undefined) return [];
  const { sql, text } = defaultFilter;
  return [{ kind: 'raw', sql, cause: { why: text, certainty: 'assumed' } }];
}

/** Tables by their own name: the text of a filter names them so. */
function readsRowsOf(
  { from, joins }: SelectQuery,
  { table: id }: Dataset,
  { catalog }: GroundedKnowledge,
): boolean {
  const table = catalog.tables.find((one) => one.id === id);
  if (table === undefined) return false;
  const { name, qualifier = [] } = table;
  const isIt = (read: FromTable): boolean =>
    read.alias === undefined &&
    read.table === name &&
    (read.qualifier ?? []).join('.') === qualifier.join('.');
  return [from, ...joins.map(({ table }) => table)].some(isIt);
}

function saysOf({ defaultFilter }: Dataset, said: ReadonlySet<string>): boolean {
  return columnsInSql(defaultFilter?.sql ?? '').some((column) => said.has(column));
}

/** Changes every SELECT of a query, those inside others as well. */
function eachBlock<Part>(part: Part, change: (block: SelectQuery) => SelectQuery): Part {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map((one) => eachBlock(one, change)) as Part;
  const inner = Object.fromEntries(Object.entries(part).map(([name, one]) => [name, eachBlock(one, change)]));
  return (isBlock(inner) ? change(inner) : inner) as Part;
}

function isBlock(part: object): part is SelectQuery {
  return 'kind' in part && part.kind === 'select' && 'from' in part;
}

/** `table.column`, in lower case, of what stands in conditions of the block itself. */
function columnsIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  if (Array.isArray(part)) return part.flatMap(columnsIn);
  if (isBlock(part)) return [];
  if ('kind' in part && part.kind === 'column' && 'table' in part && 'column' in part)
    return [`${part.table}.${part.column}`.toLowerCase()];
  return Object.values(part).flatMap(columnsIn);
}
