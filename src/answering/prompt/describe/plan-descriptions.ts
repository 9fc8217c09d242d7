/** What a model would be asked to describe, table by table, and what that takes: told before anything is sent. */

import type { Table } from '../../../catalog/index.ts';
import { estimateTokens } from '../../../catalog/prompt-schema/index.ts';
import {
  redactedText,
  redactSql,
  type SharedText,
  type SharingPolicy,
  sharedAnnotatedText,
  valueTexts,
} from '../../../catalog/share/index.ts';
import { withoutHidden } from '../../../knowledge/authored/index.ts';
import { findUndescribed, type Undescribed } from '../../../knowledge/described/index.ts';
import type { KnowledgeGraph } from '../../../knowledge/graph/index.ts';
import { semanticNotes } from '../../../knowledge/semantic/index.ts';
import { restrictCatalog } from '../../../linking/index.ts';
import { costOf, type LanguageModel } from '../../../model/index.ts';
import { describedTokens, describeTablePrompt } from '../../../reasoning/llm/index.ts';
import type { TableToDescribe } from '../../../reasoning/roles/describe-reasoner.ts';
import type { Session } from '../../../session/index.ts';
import { descriptionLines, type ToldOfSchema, toldOfSchema } from '../schema-annotations.ts';

/** Columns of one call; a model loses sight of more. */
const MOST_COLUMNS = 40;
const MOST_NEIGHBOURS = 8;
const MOST_QUERIES = 5;
const MOST_NOTES = 20;

/** One call of the model. */
export interface DescribeCall {
  readonly table: Table;
  readonly asked: TableToDescribe;
  /** Ids of columns, by their names. */
  readonly columnIds: ReadonlyMap<string, string>;
  /** Of how many calls about this table it is which, from 1. */
  readonly part: number;
  readonly parts: number;
}

export interface DescriptionPlan {
  readonly calls: readonly DescribeCall[];
  /** What is to be described. */
  readonly tables: number;
  readonly columns: number;
  readonly codes: number;
  /** Of all calls, by the length of the texts. */
  readonly promptTokens: number;
  readonly replyTokens: number;
  /** US dollars; undefined where nobody says what the model costs. A model of this machine costs nothing. */
  readonly dollars: number | undefined;
}

type Sources = Pick<Session, 'catalog' | 'hiddenTables' | 'semantics' | 'authored' | 'base'>;

/** Of all tables, or of those with the given ids. Nothing is sent. */
export async function planDescriptions(
  sources: Sources,
  model: LanguageModel,
  tables?: ReadonlySet<string>,
): Promise<DescriptionPlan> {
  const sharing: SharingPolicy = model.isPrivate ? 'private' : 'all';
  const undescribed = findUndescribed(sources, { tables, hasValues: sharing === 'all' });
  const { usage, graph } = await sources.base.open();
  const notes = semanticNotes(sources.semantics, sources.catalog);
  const planSources: PlanSources = {
    ...sources,
    graph,
    sharing,
    told: toldOfSchema(sources, { notes, usage, sharing }),
  };
  const calls = undescribed.flatMap((one) => callsOf(one, planSources));
  const prompts = calls.flatMap(({ asked }) => describeTablePrompt(asked));
  const promptTokens = prompts.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  const replyTokens = calls.reduce((sum, { asked }) => sum + describedTokens(asked), 0);
  return {
    ...{ calls, promptTokens, replyTokens },
    tables: undescribed.filter(({ isTable }) => isTable).length,
    columns: undescribed.reduce((sum, { columns }) => sum + columns.length, 0),
    codes: undescribed.flatMap(({ codes }) => codes).reduce((sum, { values }) => sum + values.length, 0),
    dollars: dollarsOf(model, { promptTokens, completionTokens: replyTokens }),
  };
}

function dollarsOf({ host, price }: LanguageModel, tokens: Parameters<typeof costOf>[0]): number | undefined {
  if (host === null) return 0;
  return price && costOf(tokens, price);
}

interface PlanSources extends Sources {
  readonly graph: KnowledgeGraph;
  readonly sharing: SharingPolicy;
  readonly told: ToldOfSchema;
}

function callsOf(
  { table, isTable, columns, codes }: Undescribed,
  planSources: PlanSources,
): readonly DescribeCall[] {
  const wanted = new Set([...columns, ...codes.map(({ column }) => column)]);
  const ordered = table.columns.filter((column) => wanted.has(column));
  const parts = Math.max(1, Math.ceil(ordered.length / MOST_COLUMNS));
  const around = { neighbours: neighboursOf(table, planSources), queries: queriesOf(table, planSources) };
  return Array.from({ length: parts }, (_, at) => {
    const part = new Set(ordered.slice(at * MOST_COLUMNS, (at + 1) * MOST_COLUMNS));
    const { schema, notes } = shownOf(
      table,
      new Set([...part].map(({ id }) => id)),
      around.neighbours,
      planSources,
    );
    const asked: TableToDescribe = {
      table: [...(table.qualifier ?? []), table.name].join('.'),
      isTable: isTable && at === 0,
      columns: columns.filter((column) => part.has(column)).map(({ name }) => name),
      codes: codes
        .filter(({ column }) => part.has(column))
        .map(({ column, values }) => ({
          column: column.name,
          values: valueTexts(values, planSources.sharing),
        })),
      ...{ schema, notes, queries: around.queries },
    };
    const columnIds = new Map([...part].map(({ name, id }) => [name, id]));
    return { table, asked, columnIds, part: at + 1, parts };
  });
}

/** The table with the columns of this part and its keys; of its neighbours what joins them. */
function shownOf(
  table: Table,
  columns: ReadonlySet<string>,
  neighbours: readonly string[],
  { catalog, sharing, told, ...planSources }: PlanSources,
): Pick<TableToDescribe, 'schema' | 'notes'> {
  const keys = catalog.foreignKeys.filter(
    ({ fromTable, toTable }) => fromTable === table.id || toTable === table.id,
  );
  const linked = keys.flatMap(({ fromColumns, toColumns }) => [...fromColumns, ...toColumns]);
  const inView = new Set([table.id, ...neighbours]);
  const known = restrictCatalog(
    catalog,
    inView,
    new Set([...columns, ...table.primaryKey, ...linked.filter((id) => isOf(id, table))]),
  );
  const foreignKeys = known.foreignKeys.filter((key) => told.foreignKeys.includes(key));
  // The table itself comes first: it is what the reader is asked about.
  const tables = known.tables.toSorted(
    (one, other) => Number(other.id === table.id) - Number(one.id === table.id),
  );
  const part = { ...known, tables, foreignKeys };
  const isPrivate = sharing === 'private';
  const notes = [...inView].flatMap((id) => notesOf(id, planSources.graph));
  return {
    schema: sharedAnnotatedText(part, sharing, isPrivate ? {} : told.annotations),
    notes: [
      // As for a writer: people's words may name stored values, and stand among their own.
      ...(isPrivate ? descriptionLines(told.annotations, part) : []),
      ...withoutHidden([...new Set(notes)], { catalog, hiddenTables: planSources.hiddenTables }).slice(
        0,
        MOST_NOTES,
      ),
    ],
  };
}

function isOf(columnId: string, { columns }: Table): boolean {
  return columns.some(({ id }) => id === columnId);
}

/** Those of somebody or of an area are not for everybody's descriptions. */
function notesOf(table: string, graph: KnowledgeGraph): readonly string[] {
  return graph
    .notesOf(table)
    .filter(({ value }) => value.user === undefined && !value.isProposed && value.areas.length === 0)
    .map(({ value }) => value.text);
}

/** Tables that it is joined with: by keys first, then as logs have it. */
function neighboursOf({ id }: Table, { catalog, graph }: PlanSources): readonly string[] {
  const known = new Set(catalog.tables.map((table) => table.id));
  const joined = [
    ...catalog.foreignKeys.flatMap(({ fromTable, toTable }) => otherOf(id, fromTable, toTable)),
    ...graph.joins(id).flatMap(({ leftTable, rightTable }) => otherOf(id, leftTable, rightTable)),
  ];
  return [...new Set(joined)].filter((other) => known.has(other)).slice(0, MOST_NEIGHBOURS);
}

function otherOf(id: string, one: string, other: string): readonly string[] {
  if (one === other || (one !== id && other !== id)) return [];
  return [one === id ? other : one];
}

/** What people ran and checked; in private mode without its literals. */
function queriesOf(
  { id }: Table,
  { graph, sharing, catalog: { dialect } }: PlanSources,
): readonly SharedText[] {
  return graph
    .examplesOf(id)
    .slice(0, MOST_QUERIES)
    .map(({ value }) => redactedText(value.sql, sharing, (sql) => redactSql(sql, dialect).sql));
}
