/** The schema that all readings are told from, cut to one call: likely tables well, unlikely ones by their name. */
import type { OverviewTable, SchemaOverview, ViewedTable } from '../../../reasoning/roles/link-reasoner.ts';
import { likeliestColumns } from '../../budget/view-entry.ts';
import { estimateCharacters, estimateColumn } from './chunk-tables.ts';

/** Names of warehouses take more tokens than prose. */
const CHARACTERS_A_TOKEN = 3;
/** The first tables are shown with more of their columns than those that are there for safety. */
const WELL_SHOWN = 12;
const COLUMNS_WELL_SHOWN = 48;
const COLUMNS_SHOWN = 12;
/** The likeliest columns show what is said of them. */
const DESCRIBED = 60;
const DESCRIPTION_CHARACTERS = 60;
/** As prompts show what retrieval found. */
const SHOWN_NOTES = 3;
const NOTE_CHARACTERS = 200;
const NOTE_FRAME = 2;
/** Of the room, for tables of which only the name is shown. */
const NAMES_SHARE = 0.15;
/** Tables of which more is wanted than there is room for have as much as this each. */
const LEAST_OF_TABLE = 400;

export interface OverviewSources {
  /** Room of the schema. */
  readonly tokens: number;
  /** Table ids, likeliest first. */
  readonly ranking: readonly string[];
  /** Probability that the question needs a column. */
  readonly likelihoodOf: (columnId: string) => number;
}

/** A schema that fits is shown whole, in the order of the catalog. */
export function fitOverview(tables: readonly ViewedTable[], sources: OverviewSources): SchemaOverview {
  const room = sources.tokens * CHARACTERS_A_TOKEN;
  const described = likeliestDescribed(tables, sources);
  const sizeOf = (viewed: ViewedTable): number => sizeInOverview(viewed, described);
  const whole = tables.map((viewed) => ({ ...viewed, hiddenColumns: 0, described }));
  if (whole.reduce((sum, viewed) => sum + sizeOf(viewed), 0) <= room) return { tables: whole, named: [] };
  return cutOverview(byRanking(tables, sources.ranking), room, described, sources);
}

function likeliestDescribed(
  tables: readonly ViewedTable[],
  { likelihoodOf }: OverviewSources,
): ReadonlySet<string> {
  const ids = tables.flatMap(({ columns }) =>
    columns.flatMap(({ id, comment }) => (comment === undefined ? [] : [id])),
  );
  return new Set(ids.toSorted((left, right) => likelihoodOf(right) - likelihoodOf(left)).slice(0, DESCRIBED));
}

function cutOverview(
  ranked: readonly ViewedTable[],
  room: number,
  described: ReadonlySet<string>,
  { likelihoodOf }: OverviewSources,
): SchemaOverview {
  const shown: OverviewTable[] = [];
  const rest: ViewedTable[] = [];
  let left = room * (1 - NAMES_SHARE);
  for (const viewed of ranked) {
    const most = shown.length < WELL_SHOWN ? COLUMNS_WELL_SHOWN : COLUMNS_SHOWN;
    // However little room there is, the likeliest table is shown.
    const isFirst = shown.length + rest.length === 0;
    const few = narrowed(viewed, most, likelihoodOf);
    const cut = isFirst ? fitted(few, { room: left, described, likelihoodOf }) : few;
    const size = sizeInOverview(cut, described);
    if (size > left && !isFirst) rest.push(viewed);
    else {
      left -= size;
      shown.push({ ...cut, hiddenColumns: viewed.columns.length - cut.columns.length, described });
    }
  }
  let names = room * NAMES_SHARE;
  const named = rest.filter((viewed) => {
    names -= sizeInOverview({ ...viewed, columns: [] }, described);
    return names >= 0;
  });
  return { tables: shown, named };
}

function byRanking(tables: readonly ViewedTable[], ranking: readonly string[]): readonly ViewedTable[] {
  const places = new Map(ranking.map((id, place) => [id, place]));
  const placeOf = ({ table }: ViewedTable): number => places.get(table.id) ?? ranking.length;
  return tables.toSorted((left, right) => placeOf(left) - placeOf(right));
}

/** The likeliest of the tables share the room, in the given order; of wide ones the likeliest columns. */
export function fitColumns(
  tables: readonly ViewedTable[],
  { tokens, ranking, likelihoodOf }: OverviewSources,
): readonly ViewedTable[] {
  const room = tokens * CHARACTERS_A_TOKEN;
  const most = Math.max(1, Math.floor(room / LEAST_OF_TABLE));
  const likely = new Set(byRanking(tables, ranking).slice(0, most));
  const share = { room: room / likely.size, described: new Set<string>(), likelihoodOf };
  return tables.filter((viewed) => likely.has(viewed)).map((viewed) => fitted(viewed, share));
}

/** With as many columns as have room, one at least. */
function fitted(
  viewed: ViewedTable,
  {
    room,
    described,
    likelihoodOf,
  }: Pick<OverviewSources, 'likelihoodOf'> & {
    readonly room: number;
    readonly described: ReadonlySet<string>;
  },
): ViewedTable {
  let cut = viewed;
  for (let size = sizeInOverview(cut, described); size > room && cut.columns.length > 1; ) {
    const share = Math.min(0.9, room / size);
    cut = narrowed(viewed, Math.max(1, Math.floor(cut.columns.length * share)), likelihoodOf);
    size = sizeInOverview(cut, described);
  }
  return cut;
}

/** Keys, columns with notes and the likeliest ones, in the order of the table. */
function narrowed(
  viewed: ViewedTable,
  most: number,
  likelihoodOf: OverviewSources['likelihoodOf'],
): ViewedTable {
  const { table, notes } = viewed;
  const isFound = (id: string): boolean => notes.has(id);
  const columns = likeliestColumns(viewed.columns, most, table, { isFound, likelihoodOf });
  return columns === viewed.columns ? viewed : { ...viewed, columns };
}

function sizeInOverview(viewed: ViewedTable, described: ReadonlySet<string>): number {
  const { table, columns, notes } = viewed;
  const sizeOfNotes = (id: string): number =>
    (notes.get(id) ?? [])
      .slice(0, SHOWN_NOTES)
      .reduce((sum, { length }) => sum + Math.min(length, NOTE_CHARACTERS) + NOTE_FRAME, 0);
  return columns.reduce(
    (sum, column) =>
      sum +
      estimateColumn(column, 'L1') +
      sizeOfNotes(column.id) +
      (described.has(column.id) ? Math.min(column.comment?.length ?? 0, DESCRIPTION_CHARACTERS) : 0),
    estimateCharacters({ ...viewed, columns: [] }, 'L0') + sizeOfNotes(table.id),
  );
}
