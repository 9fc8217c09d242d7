import type { SharedColumn, SharedTable } from '../../catalog/share/index.ts';
import { firstText } from '../../knowledge/graph/index.ts';
import type { ColumnCard, TablePart } from '../../reasoning/roles/rank-reasoner.ts';
import { orNothing, type RankerDesk } from './ranker-desk.ts';

/** A column that was chosen, of the table that the ranker saw. */
export interface RankedColumn {
  readonly column: SharedColumn;
  readonly tier: 'relevant' | 'maybe';
  readonly because: string;
}

/** Columns of the tables in two tiers; calls go out at once. Where a call gives nothing usable all its columns are maybe. */
export async function rankColumns(
  tables: readonly SharedTable[],
  desk: RankerDesk,
): Promise<readonly RankedColumn[]> {
  const { reasoner, question, settings } = desk;
  const parts = tables.flatMap((table) => tableParts(table, tables, desk));
  if (!settings.useColumnRanker) return everyColumn(parts, 'relevant', 'every column of a kept table');
  const calls = packParts(parts, settings.callColumns);
  const chosen = await Promise.all(
    calls.map(async (call) => {
      const count = call.reduce((sum, { columns }) => sum + columns.length, 0);
      const warning = `columns kept as maybe, all ${count} of one call`;
      const said = await orNothing(reasoner.rankColumns(question, call), desk, warning);
      return said === undefined
        ? everyColumn(call, 'maybe', 'the ranker gave no usable reply')
        : readTiers(said, call, desk);
    }),
  );
  return chosen.flat();
}

/** Names to columns of the call; a column in both tiers is relevant. */
function readTiers(
  said: readonly { table: string; column: string; tier: RankedColumn['tier']; because: string }[],
  call: readonly TablePart[],
  { names, warnings }: RankerDesk,
): readonly RankedColumn[] {
  const shown = new Set(call.map(({ table }) => table.id));
  const inCall = new Set(call.flatMap(({ columns }) => columns.map(({ column }) => column.id)));
  const chosen = new Map<string, RankedColumn>();
  let unknown = 0;
  for (const { table, column: name, tier, because } of said) {
    const column = names.field({ table, column: name }, shown);
    if (column === undefined || !inCall.has(column.id)) unknown += 1;
    else if (chosen.get(column.id)?.tier !== 'relevant' && (tier === 'relevant' || !chosen.has(column.id)))
      chosen.set(column.id, { column, tier, because });
  }
  if (unknown > 0) warnings.push(`the column ranker gave names that are not in its schema: ${unknown}`);
  return [...chosen.values()];
}

function everyColumn(
  parts: readonly TablePart[],
  tier: RankedColumn['tier'],
  because: string,
): readonly RankedColumn[] {
  return parts.flatMap(({ columns }) => columns.map(({ column }) => ({ column, tier, because })));
}

/** A table in parts of so many columns, the popular ones first, each part with the joins of the table. */
function tableParts(
  table: SharedTable,
  tables: readonly SharedTable[],
  desk: RankerDesk,
): readonly TablePart[] {
  const { partColumns } = desk.settings;
  const others = new Set(tables.map(({ id }) => id));
  const joins = desk.joinsOf(table.id).filter(({ other }) => others.has(other));
  const texts = joins.map(({ on, said }) => `${on.map(([a, b]) => `${a} = ${b}`).join(' and ')} (${said})`);
  const cards = table.columns
    .map((column) => columnCard(column, table, desk))
    .toSorted((a, b) => b.popularity - a.popularity);
  const parts = Math.max(1, Math.ceil(cards.length / partColumns));
  const description = firstText(desk.sources.graph?.table(table.id)?.descriptions) ?? table.comment ?? '';
  return Array.from({ length: parts }, (_, at) => ({
    table,
    description,
    columns: cards.slice(at * partColumns, (at + 1) * partColumns),
    part: at + 1,
    parts,
    joins: texts,
  }));
}

function columnCard(
  column: SharedColumn,
  table: SharedTable,
  { sources, joinsOf, signsOf }: RankerDesk,
): ColumnCard {
  const known = sources.graph?.column(column.id);
  const { values, found } = signsOf(column);
  return {
    column,
    description: firstText(known?.descriptions) ?? column.comment ?? '',
    isPartitionKey: known?.isPartitionKey ?? table.partitionKey?.includes(column.id) ?? false,
    references: referencesOf(column, joinsOf(table.id)),
    values,
    popularity: known?.popularity?.value ?? 0,
    found,
  };
}

const MOST_REFERENCES = 3;

function referencesOf(
  { id }: SharedColumn,
  joins: readonly { readonly on: readonly (readonly [string, string])[] }[],
): readonly string[] {
  const all = joins.flatMap(({ on }) => on.filter(([own]) => own === id).map(([, other]) => other));
  return [...new Set(all)].slice(0, MOST_REFERENCES);
}

/** Parts for one call each, a part never split. */
function packParts(parts: readonly TablePart[], most: number): readonly (readonly TablePart[])[] {
  const calls: TablePart[][] = [];
  let room = 0;
  for (const part of parts) {
    const last = calls.at(-1);
    if (last === undefined || part.columns.length > room) {
      calls.push([part]);
      room = most - part.columns.length;
    } else {
      last.push(part);
      room -= part.columns.length;
    }
  }
  return calls;
}
