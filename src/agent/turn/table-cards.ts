import type { Table } from '../../catalog/index.ts';
import type { KnowledgeBase } from '../../knowledge/base/index.ts';
import { firstText } from '../../knowledge/graph/index.ts';
import type { Session } from '../../session/index.ts';
import type { TableCard } from './turn.ts';

export interface ShownTable {
  readonly id: string;
  readonly because: readonly string[];
  /** Ids of columns to list first. */
  readonly columns?: readonly string[];
  readonly isTicked?: boolean;
}

const MOST_COLUMNS = 40;
const MOST_JOINED = 6;
/** Of the tables in use, the share that counts as popular, and the fewest runs that count as use. */
const POPULAR_SHARE = 0.2;
const POPULAR_RUNS = 10;
const DAYS_A_MONTH = 30;
const DAY = 24 * 60 * 60 * 1000;

/** What is known of tables, from the knowledge graph and the query log. Source: LinkedIn, section 7. */
export function tableCards(
  shown: readonly ShownTable[],
  session: Session,
  base: KnowledgeBase,
): readonly TableCard[] {
  const tables = new Map(session.catalog.tables.map((table) => [table.id, table]));
  const popular = popularOf(base);
  return shown.flatMap((one) => {
    const table = tables.get(one.id);
    return table === undefined ? [] : [tableCard(table, one, base, popular)];
  });
}

function tableCard(
  table: Table,
  { id, because, columns = [], isTicked }: ShownTable,
  base: KnowledgeBase,
  popular: ReadonlySet<string>,
): TableCard {
  const { graph } = base;
  const node = graph.table(id);
  const description = firstText(node?.descriptions) ?? table.comment;
  const monthlyReads = monthlyReadsOf(id, base);
  const status = node?.status?.value.status;
  const listed = columnsOf(table, columns, base);
  return {
    id,
    name: [...(table.qualifier ?? []), table.name].join('.'),
    ...(description !== undefined && description !== '' && { description }),
    tags: [...(status === undefined ? [] : [status]), ...(popular.has(id) ? (['popular'] as const) : [])],
    ...(monthlyReads !== undefined && { monthlyReads }),
    joinedWith: joinedWith(id, base),
    columns: listed,
    ...(listed.length < table.columns.length && { moreColumns: table.columns.length - listed.length }),
    because,
    ...(isTicked !== undefined && { isTicked }),
  };
}

function columnsOf(table: Table, first: readonly string[], { graph }: KnowledgeBase): TableCard['columns'] {
  const wanted = new Set(first);
  const ordered = [
    ...table.columns.filter(({ id }) => wanted.has(id)),
    ...table.columns.filter(({ id }) => !wanted.has(id)),
  ];
  return ordered.slice(0, MOST_COLUMNS).map(({ id, name, type, comment }) => {
    const description = firstText(graph.column(id)?.descriptions) ?? comment;
    return { name, type, ...(description !== undefined && description !== '' && { description }) };
  });
}

/** Those of joins in the log, most runs first; then those of keys, surest first. */
function joinedWith(id: string, { graph }: KnowledgeBase): readonly string[] {
  const joins = graph.joins(id).map(({ leftTable, rightTable, said }) => ({
    other: leftTable === id ? rightTable : leftTable,
    runs: Math.max(0, ...said.map(({ value }) => (typeof value === 'string' ? 0 : value.runs))),
  }));
  const others = joins.sort((a, b) => b.runs - a.runs).map(({ other }) => other);
  return [...new Set(others)].filter((other) => other !== id).slice(0, MOST_JOINED);
}

function monthlyReadsOf(id: string, { usage }: KnowledgeBase): number | undefined {
  if (usage === undefined) return undefined;
  const days = (Date.parse(usage.to) - Date.parse(usage.from)) / DAY + 1;
  const runs = usage.tables.find(({ tableId }) => tableId === id)?.runs ?? 0;
  return Math.round((runs / days) * DAYS_A_MONTH);
}

/** The most read fifth of the tables that are read at all. */
function popularOf({ usage }: KnowledgeBase): ReadonlySet<string> {
  const used = [...(usage?.tables ?? [])]
    .filter(({ runs }) => runs >= POPULAR_RUNS)
    .sort((a, b) => b.popularity - a.popularity);
  return new Set(used.slice(0, Math.ceil(used.length * POPULAR_SHARE)).map(({ tableId }) => tableId));
}
