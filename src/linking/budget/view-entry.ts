/** What a prompt shows of the tables of one family: of likely ones much, of those that are there for safety the names. */
import type { Table } from '../../catalog/index.ts';
import { membersOfQuestion, type TableIndex } from '../../knowledge/retrieve/index.ts';
import type { SchemaOpinion } from '../../reasoning/grounded/linking/index.ts';
import { nameRange } from '../schema/name-range.ts';
import type { Family } from './order-families.ts';

export interface EntrySources {
  readonly question: string;
  readonly tables: TableIndex;
  readonly opinion: Pick<SchemaOpinion, 'columnPromise'>;
  /** Columns that were linked. */
  readonly isLinked: (columnId: string) => boolean;
}

/** The first tables show most of their columns, those behind them some, with what is known of them; the others names and types. */
const WELL_SHOWN = 12;
const COLUMNS_WELL_SHOWN = 24;
const DESCRIBED = 40;
const COLUMNS_SHOWN = 6;
/** Of a family, tables that the question names. */
const MEMBERS_SHOWN = 3;
/** Of a description where only names are shown. */
const MOST_SAID = 80;
/** To name few columns again takes no more room than to say where they stand. */
const LEAST_ALIKE = 4;

/** As many as a line of a prompt has room for. */
const MOST_PLACES = 2;
const MOST_GENERATIONS = 3;

/** By the names of all its columns: the table that shows them. */
export type Shapes = Map<string, Table>;

/**
 * The tables of a family that the question names stand for all, else the newest; the note on the first tells of the others. Where its
 * columns stand in the prompt already, a table says which one has them.
 */
export function viewEntry(
  family: Family,
  place: number,
  shapes: Shapes,
  sources: EntrySources,
): readonly Table[] {
  const [lead, ...others] = membersShown(family, sources.question);
  if (lead === undefined) return [];
  const first = pointedOrCut(lead, place, shapes.get(shapeOf(lead)), sources);
  const shower = first.columns.length > 0 ? first : shapes.get(shapeOf(lead));
  return [
    withNote(first, familyNote(family, sources.tables)),
    ...others.map((table) => pointedOrCut(table, place, shower, sources)),
  ];
}

/** Where another table shows the same columns, those that were linked among them, it is named instead. */
function pointedOrCut(table: Table, place: number, like: Table | undefined, sources: EntrySources): Table {
  const own = cutTable(table, place, sources);
  const isTold = like !== undefined && table.columns.length >= LEAST_ALIKE && showsLinked(like, own, sources);
  return isTold ? { ...table, columns: [], comment: `columns as in ${pathOf(like)}` } : own;
}

/** The first of a shape has the most columns. */
export function rememberShape(
  [first]: readonly Table[],
  { table: wholeOf }: TableIndex,
  shapes: Shapes,
): void {
  const whole = first === undefined ? undefined : wholeOf(first.id);
  if (first === undefined || whole === undefined || first.columns.length === 0) return;
  const shape = shapeOf(whole);
  if (!shapes.has(shape)) shapes.set(shape, first);
}

function membersShown(family: Family, question: string): readonly Table[] {
  const { members, namedCount } = membersOfQuestion(family, question);
  return members.slice(0, Math.max(1, Math.min(MEMBERS_SHOWN, namedCount))).map(({ table }) => table);
}

/** What was linked of a table and its likeliest columns, in the order of the table. */
function cutTable(table: Table, place: number, { opinion, isLinked }: EntrySources): Table {
  const most = place < WELL_SHOWN ? COLUMNS_WELL_SHOWN : COLUMNS_SHOWN;
  const likelihoodOf = (id: string): number => opinion.columnPromise(id);
  const columns = likeliestColumns(table.columns, most, table, { isFound: isLinked, likelihoodOf });
  if (place < DESCRIBED) return columns === table.columns ? table : { ...table, columns };
  const { comment, ...plain } = table;
  return {
    ...withNote(plain, comment && cutText(comment)),
    columns: columns.map(({ comment: _told, profile: _known, ...column }) => column),
  };
}

function cutText(text: string): string {
  const characters = [...text.slice(0, 2 * MOST_SAID)];
  return characters.length <= MOST_SAID ? text : `${characters.slice(0, MOST_SAID).join('').trimEnd()}…`;
}

function pathOf({ qualifier = [], name }: Table): string {
  return [...qualifier, name].join('.');
}

/** Whether what was linked of one table stands under its name in another. */
function showsLinked({ columns }: Table, own: Table, { isLinked }: EntrySources): boolean {
  const names = new Set(columns.map(({ name }) => name.toLowerCase()));
  return own.columns.every(({ id, name }) => !isLinked(id) || names.has(name.toLowerCase()));
}

function shapeOf({ columns }: Table): string {
  return columns
    .map(({ name }) => name.toLowerCase())
    .sort()
    .join('\n');
}

// What is said of tables that are not shown because one like them is.

/**
 * `one of 366 tables with these columns, GA_SESSIONS_20160801 to GA_SESSIONS_20170801`, and earlier or later generations of the
 * name, whose columns differ a little; undefined for a table without like.
 */
function familyNote(family: Family, tables: EntrySources['tables']): string | undefined {
  const generations = tables
    .siblings(family)
    .filter((other) => other !== family)
    .map(rangeText);
  const notes = [
    ...(family.members.length > 1 ? [ownNote(family)] : []),
    ...(generations.length > 0
      ? [`with nearly these columns: ${listed(generations, MOST_GENERATIONS)}`]
      : []),
  ];
  return notes.length === 0 ? undefined : notes.join('; ');
}

function ownNote(family: Family): string {
  const { total, first, last } = nameRange(family);
  const places = placesOf(family);
  if (first === last) return `one of ${total} tables of this name, in ${listed(places, MOST_PLACES)}`;
  const where = places.length > 1 ? `, in ${listed(places, MOST_PLACES)}` : '';
  return `one of ${total} tables with these columns, ${first} to ${last}${where}`;
}

function rangeText(family: Family): string {
  const { total, first, last } = nameRange(family);
  if (first !== last) return `${first} to ${last} (${total})`;
  return total === 1 ? first : `${first} (in ${total} schemas)`;
}

function placesOf({ members }: Family): readonly string[] {
  return [
    ...new Set(
      members.map(({ table: { catalog, schema } }) =>
        [catalog, schema].filter((each) => each !== undefined).join('.'),
      ),
    ),
  ];
}

function listed(texts: readonly string[], most: number): string {
  const more = texts.length - most;
  return `${texts.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The table with the note before its own description, which may be cut. */
function withNote(table: Table, note: string | undefined): Table {
  if (note === undefined) return table;
  return { ...table, comment: table.comment === undefined ? note : `${note}. ${table.comment}` };
}

interface Keyed {
  readonly primaryKey: readonly string[];
  readonly partitionKey?: readonly string[] | undefined;
}

/** Of a wide table what something speaks for, its keys, and the likeliest of the others; they keep their order. */
export function likeliestColumns<Column extends { readonly id: string }>(
  columns: readonly Column[],
  most: number,
  { primaryKey, partitionKey = [] }: Keyed,
  signs: { readonly isFound: (id: string) => boolean; readonly likelihoodOf: (id: string) => number },
): readonly Column[] {
  if (columns.length <= most) return columns;
  const keys = new Set([...primaryKey, ...partitionKey]);
  const worth = ({ id }: Column): number =>
    (signs.isFound(id) ? 2 : 0) + (keys.has(id) ? 1 : 0) + signs.likelihoodOf(id);
  const kept = new Set(columns.toSorted((left, right) => worth(right) - worth(left)).slice(0, most));
  return columns.filter((column) => kept.has(column));
}
