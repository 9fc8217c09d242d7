import type { Column, Table } from '../../catalog/index.ts';
import { CandorError } from '../../errors.ts';
import { catalogNames } from '../../knowledge/authored/index.ts';
import type { KnowledgeBase } from '../../knowledge/base/index.ts';
import type { JoinEdge } from '../../knowledge/graph/index.ts';
import { nearestNames } from '../../language/index.ts';
import { readEvidence } from '../../onboarding/index.ts';
import type { Session } from '../../session/index.ts';
import type { Join, ListedColumn, Profile, TablePage } from '../contract/catalog-contract.ts';
import { listed, readAreasNow, tablesOfArea } from './list-tables.ts';
import { notesAbout, readableExamples } from './notes-about.ts';
import { semanticsOfTable } from './semantics-of-table.ts';

/** Of each list but the columns. */
const MOST = 100;

export interface DescribeOptions {
  /** The first column, counted from 0. */
  readonly from: number;
  readonly limit: number;
  readonly showSql: boolean;
}

/** All that is known of a table. Throws `server.not-found`. */
export async function describeTable(
  written: string,
  session: Session,
  options: DescribeOptions,
): Promise<TablePage> {
  const table = findTable(written, session);
  const base = await session.base.open();
  const { graph } = base;
  const { id } = table;
  const node = graph.table(id);
  const said = semanticsOfTable(session, id);
  const status = node?.status?.value;
  const [summary] = listed([table], session, base);
  if (summary === undefined) throw new CandorError('internal.bug', `The table ${id} is not listed.`);
  const areas = (await readAreasNow(session)).filter((area) =>
    tablesOfArea(area, session, base).some((each) => each.table === id),
  );
  const examples = readableExamples(session).filter(({ tables }) => tables.includes(id));
  const cut: string[] = [];
  const first = <Item>(what: string, all: readonly Item[]): readonly Item[] => {
    if (all.length > MOST) cut.push(`${what}: ${MOST} of ${all.length} shown`);
    return all.slice(0, MOST);
  };
  const visible = (other: string | undefined): boolean =>
    other !== undefined && graph.table(other) !== undefined;
  return {
    ...summary,
    descriptions: (node?.descriptions ?? []).map(saidBy),
    synonyms: (node?.synonyms ?? []).map(({ value }) => value),
    ...(status !== undefined && {
      status: {
        ...{ status: status.status, by: status.by, at: status.at },
        ...(status.why !== undefined && { why: status.why }),
        ...(visible(status.replacedBy) && { replacedBy: status.replacedBy }),
      },
    }),
    hasRowFilter: said.hasRowFilter,
    ...(await columnsOf(table, session, { ...options, base })),
    joins: first('joins', graph.joins(id)).map((edge) => joinOf(edge, id, session)),
    notes: [...first('notes', notesAbout(id, session, base))],
    examples: first('verified pairs', examples).map(({ pair }) => ({
      ...{ question: pair.question, place: pair.file },
      ...(options.showSql && { sql: pair.sql }),
    })),
    metrics: first('metrics', said.metrics).map(named),
    dimensions: first('dimensions', said.dimensions).map((one) => ({ ...named(one), column: one.column })),
    areas: first('areas', areas).map(({ id: area, name }) => ({ id: area, name })),
    ...usageOf(id, base, first),
    cut,
  };
}

function findTable(written: string, { catalog }: Session): Table {
  const id = catalogNames(catalog).tableOf(written);
  const table = catalog.tables.find((each) => each.id === id);
  if (table !== undefined) return table;
  const ids = catalog.tables.map((each) => each.id);
  const near = nearestNames(written.toLowerCase().slice(0, 300), ids, 3);
  const hint = near.length === 0 ? '' : `; near it: ${near.join(', ')}`;
  throw new CandorError('server.not-found', `There is no table ${written.slice(0, 300)}${hint}.`);
}

async function columnsOf(
  table: Table,
  session: Session,
  { from, limit, base }: DescribeOptions & { readonly base: KnowledgeBase },
): Promise<Pick<TablePage, 'columns' | 'nextColumn'>> {
  const page = table.columns.slice(from, from + limit);
  const stored = await readEvidence(session.config.derivedDirectory, table.id);
  const evidence = new Map(stored?.columns.map((column) => [column.id, column]));
  const { masked } = semanticsOfTable(session, table.id);
  const keys = session.catalog.foreignKeys.filter(({ fromTable }) => fromTable === table.id);
  const columns = page.map((column): ListedColumn => {
    const { id, name, type, family, isNullable } = column;
    const node = base.graph.column(id);
    const profile = columnProfile(column, evidence.get(id));
    return {
      ...{ id, name, type, family, isNullable },
      isPrimaryKey: table.primaryKey.includes(id),
      isPartitionKey: node?.isPartitionKey ?? false,
      isMasked: masked.has(id),
      references: referencesOf(column, keys),
      descriptions: (node?.descriptions ?? []).map(saidBy),
      synonyms: (node?.synonyms ?? []).map(({ value }) => value),
      ...(profile !== undefined && { profile }),
    };
  });
  const next = from + page.length;
  return { columns, ...(page.length > 0 && next < table.columns.length && { nextColumn: next }) };
}

function referencesOf({ id }: Column, keys: Session['catalog']['foreignKeys']): string[] {
  const targets = keys.flatMap(({ fromColumns, toColumns }) => toColumns[fromColumns.indexOf(id)] ?? []);
  return [...new Set(targets)].slice(0, MOST);
}

function joinOf({ leftTable, rightTable, on, said }: JoinEdge, id: string, { catalog }: Session): Join {
  const isLeft = leftTable === id;
  const other = isLeft ? rightTable : leftTable;
  const inferred = catalog.foreignKeys.find(
    ({ fromTable, toTable, source }) =>
      source === 'inferred' &&
      ((fromTable === id && toTable === other) || (fromTable === other && toTable === id)),
  );
  return {
    table: other,
    on: on.map(([left, right]) => (isLeft ? { own: left, other: right } : { own: right, other: left })),
    said: said.map(({ value }) => {
      if (typeof value !== 'string') return { by: 'used', runs: value.runs, users: value.users };
      const confidence = value === 'inferred' ? inferred?.confidence : undefined;
      return { by: value, ...(confidence !== undefined && { confidence }) };
    }),
  };
}

function usageOf(
  id: string,
  { usage, graph }: KnowledgeBase,
  first: <Item>(what: string, all: readonly Item[]) => readonly Item[],
): Pick<TablePage, 'usage'> {
  if (usage === undefined) return {};
  const own = usage.tables.find(({ tableId }) => tableId === id);
  const readWith = first('tables read with it', graph.coQueried(id));
  return {
    usage: {
      ...{ from: usage.from, to: usage.to, runs: own?.runs ?? 0, users: own?.users ?? 0 },
      ...(own !== undefined && { lastAt: own.lastAt }),
      readWith: readWith.map(({ leftTable, rightTable, runs }) => ({
        table: leftTable === id ? rightTable : leftTable,
        runs,
      })),
    },
  };
}

function named({ name, description }: { readonly name: string; readonly description?: string }) {
  return { name, ...(description !== undefined && { description }) };
}

type Said = TablePage['descriptions'][number];

function saidBy({
  value,
  from,
}: {
  readonly value: string;
  readonly from: { source: Said['source']; place?: string };
}) {
  return { text: value, source: from.source, ...(from.place !== undefined && { place: from.place }) };
}

const MOST_VALUES = 10;
const MOST_CHARACTERS = 200;

/**
 * A profile as far as it may be shown. `column` is the reader's, without a profile where the policy hides one; `stored` adds
 * the statistics of the file, which knows no reader.
 */
function columnProfile({ profile }: Column, stored: Column | undefined): Profile | undefined {
  if (profile === undefined) return undefined;
  const { scannedRows, sampledBy, nullCount, countedRows = scannedRows, pii, semanticClass } = profile;
  const isWithheld = pii?.isWithheld === true || profile.form !== undefined;
  const { distinctEstimate, distinctCount, min, max, examples } = profile;
  const statistics = isWithheld ? undefined : stored?.profile?.statistics;
  return {
    rows: scannedRows,
    ...(sampledBy !== undefined && { sampledBy }),
    ...(countedRows > 0 && { nullShare: nullCount / countedRows }),
    ...(scannedRows > 0 && { distinct: Math.round(distinctEstimate ?? distinctCount) }),
    isDistinctEstimated: distinctEstimate !== undefined,
    isWithheld,
    ...(pii !== undefined && { personal: `${pii.kind}: ${pii.because}` }),
    ...(semanticClass !== undefined && { meaning: semanticClass }),
    ...(!isWithheld && min !== undefined && { min: short(min) }),
    ...(!isWithheld && max !== undefined && { max: short(max) }),
    examples: isWithheld ? [] : examples.slice(0, MOST_VALUES).map(short),
    topValues: (statistics?.topValues ?? [])
      .slice(0, MOST_VALUES)
      .map(({ value, count }) => ({ value: short(value), count })),
    bins: (statistics?.histogram ?? []).map(short),
  };
}

function short(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`;
}
