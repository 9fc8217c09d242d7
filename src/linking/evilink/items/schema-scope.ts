/** The part of the catalog that paths look at: families stand there once, a large catalog is cut by its ranking. */
import type { SharedTable, SharedText } from '../../../catalog/share/index.ts';
import type { SharedTables } from '../../../knowledge/retrieve/index.ts';
import type { ViewedTable } from '../../../reasoning/roles/link-reasoner.ts';
import type { ReasonKind, SharedReason } from '../../schema/linked-schema.ts';
import { nameRange } from '../../schema/name-range.ts';
import { textOfNote } from '../overview/retrieval-notes.ts';
import type { EvilinkSources } from './evilink-sources.ts';
import type { LinkItems } from './link-items.ts';

export interface SchemaScope {
  /** In the order of the catalog, tables of one schema side by side. */
  readonly tables: readonly ViewedTable[];
  /** A table as readers see it, with its family when it is the one that stands for it. */
  view(table: SharedTable): ViewedTable;
  /** The tables that a viewed table stands for: what is voted on. */
  membersOf(tableId: string): readonly string[];
  /** Notes of an item as texts; those of a table that stands for others are theirs too. */
  notesOf(id: string): readonly SharedText[];
  /** `200 of 486 tables looked at`. */
  readonly leftOut: readonly string[];
}

type Family = SharedTables['families'][number];

/** At most `preCut` families: those with notes first, then by the ranking, then in the order of the catalog. */
export function viewScope(sources: EvilinkSources, items: LinkItems, preCut: number): SchemaScope {
  const { tables } = sources;
  const spokesmen = spokesmenOf(sources);
  const { families, leftOut } = cutFamilies(sources, items, preCut);
  const notes = foldNotes(sources, items, spokesmen);
  const stands = (table: SharedTable): Family | undefined => {
    const family = tables.familyOf(table.id);
    return family !== undefined && family.members.length > 1 && spokesmen.get(family) === table
      ? family
      : undefined;
  };
  const view = (table: SharedTable): ViewedTable => {
    const family = stands(table);
    const shown = { table, columns: table.columns, notes };
    return family === undefined ? shown : { ...shown, family: nameRange(family) };
  };
  return {
    tables: bySchema(families.flatMap((family) => spokesmen.get(family) ?? [])).map(view),
    view,
    membersOf: (tableId) => {
      const table = tables.table(tableId);
      const family = table && stands(table);
      return family === undefined ? [tableId] : chosenMembers(tableId, family, sources);
    },
    notesOf: (id) => notes.get(id) ?? [],
    leftOut,
  };
}

/** The table that readers see of each family: the one the question is likeliest about. */
function spokesmenOf({ tables, membersOf }: EvilinkSources): ReadonlyMap<Family, SharedTable> {
  const spokesmen = new Map<Family, SharedTable>();
  for (const family of tables.families) {
    const first = family.members[0]?.table;
    if (first === undefined) continue;
    const [likeliest] = family.members.length > 1 ? membersOf(first.id) : [];
    const chosen = likeliest === undefined ? undefined : tables.table(likeliest);
    spokesmen.set(family, chosen !== undefined && tables.familyOf(chosen.id) === family ? chosen : first);
  }
  return spokesmen;
}

function chosenMembers(tableId: string, family: Family, { tables, membersOf }: EvilinkSources) {
  const chosen = membersOf(tableId).filter((id) => tables.familyOf(id) === family);
  return chosen.length === 0 ? [tableId] : [...new Set(chosen)];
}

function cutFamilies(
  { tables, notes, ranking }: EvilinkSources,
  items: LinkItems,
  preCut: number,
): { readonly families: readonly Family[]; readonly leftOut: readonly string[] } {
  const all = tables.families;
  if (all.length <= preCut) return { families: all, leftOut: [] };
  const noted = [...notes.keys()].map((id) => items.tableOf(id) ?? id);
  const likely = [...noted, ...(ranking ?? [])].flatMap((id) => tables.familyOf(id) ?? []);
  const kept = new Set([...new Set([...likely, ...all])].slice(0, preCut));
  return {
    families: all.filter((family) => kept.has(family)),
    leftOut: [`${preCut} of ${all.length} tables looked at, families counted once`],
  };
}

/** Notes of the other members are shown at the one that stands for them, on the column of the same name. */
function foldNotes(
  { tables, notes }: EvilinkSources,
  items: LinkItems,
  spokesmen: ReadonlyMap<Family, SharedTable>,
): ReadonlyMap<string, readonly SharedText[]> {
  const folded = new Map<string, Set<SharedText>>();
  const add = (id: string, texts: readonly SharedText[]): void => {
    folded.set(id, new Set([...(folded.get(id) ?? []), ...texts]));
  };
  for (const [id, found] of notes) {
    const texts = found.filter(saysMore).map(textOfNote);
    if (texts.length === 0) continue;
    add(id, texts);
    const column = items.column(id);
    const family = tables.familyOf(column?.tableId ?? id);
    const spokesman = family && spokesmen.get(family);
    if (spokesman === undefined) continue;
    const shown = column === undefined ? spokesman : items.columnNamed(spokesman, column.name);
    if (shown !== undefined && shown.id !== id) add(shown.id, texts);
  }
  return new Map([...folded].map(([id, texts]) => [id, [...texts]]));
}

/** That a name or a description is like words of the question or its hint, whoever sees both sees too. */
function saysMore(note: SharedText | SharedReason): boolean {
  return typeof note === 'string' || !SEEN_ANYWAY.has(note.kind);
}

const SEEN_ANYWAY: ReadonlySet<ReasonKind> = new Set(['name', 'description', 'hint']);

/** Tables of one schema side by side, schemas in the order of their first table. */
export function bySchema(tables: readonly SharedTable[]): readonly SharedTable[] {
  const groups = new Map<string, SharedTable[]>();
  for (const table of tables) {
    const key = schemaOf(table);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [table]);
    else known.push(table);
  }
  return [...groups.values()].flat();
}

/** A text that is equal for tables of one schema. */
export function schemaOf({ catalog = '', schema = '' }: SharedTable): string {
  return `${catalog}\n${schema}`;
}
