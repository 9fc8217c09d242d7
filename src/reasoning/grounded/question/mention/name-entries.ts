import type { Catalog, Column, Table } from '../../../../catalog/index.ts';
import type { Metric, SemanticModel } from '../../../../knowledge/semantic/index.ts';
import { oppositeOf, splitName, stemOf } from '../../../../language/index.ts';
import { flagValues } from '../read/flag-values.ts';
import { describesRows, displayColumns } from './display-columns.ts';
import type { NounMatch } from './mention.ts';

/** A name of a table, column, metric or dimension, in the words it is looked up by. */
export interface NameEntry {
  readonly isFlag?: boolean;
  /** A table has a column of this name that says yes or no, as a view that shows the rows of one value does not tell. */
  readonly isFlagName?: boolean;
  readonly isText?: boolean;
  readonly isUnique?: boolean;
  /** The word says that the flag is not set. */
  readonly isOpposite?: boolean;
  /** A column of a view that is called like a table: what the table holds, in other words. */
  readonly isEcho?: boolean;
  /** Words like "list" or "ref" were left out of the name. */
  readonly isShortened?: boolean;
  /** Without those words another table is called so, to which this one points. */
  readonly isRecord?: boolean;
  readonly kind: NounMatch['kind'];
  readonly id: string;
  readonly tableId: string;
  /** Words of the name, stemmed, in order. */
  readonly words: readonly string[];
  /** The table only links others: it has no columns of its own. */
  readonly isBridge?: boolean;
  /** Stems of the tables that have a name of one word. */
  readonly tableStems?: ReadonlySet<string>;
  /** The name written together. */
  readonly spelt: string;
  readonly tableWords: readonly string[];
  readonly source: 'name' | 'synonym' | 'comment';
}

/** Words of names that say nothing by themselves. */
export const FILLER = new Set([
  'the',
  'of',
  'a',
  'an',
  'ref',
  'tbl',
  'dim',
  'fact',
  'info',
  'table',
  'data',
  'detail',
  'list',
  'record',
  'is',
]);

/** Every name, semantic synonym and short comment of a catalog. */
export function nameEntries(catalog: Catalog, semantics: SemanticModel): NameEntry[] {
  return [
    ...catalog.tables.flatMap((table) => [
      ...tableEntries(table, catalog, semantics),
      ...table.columns.flatMap((column) => columnEntries(column, table, catalog, semantics)),
    ]),
    ...semantics.metrics.flatMap((metric) =>
      termEntries('metric', metric.name, metric.table ?? '', [
        ...metric.synonyms,
        ...otherAverages([metric.name, ...metric.synonyms]),
        ...byOtherNames(metric, semantics),
      ]),
    ),
    ...semantics.dimensions.flatMap((dimension) =>
      termEntries('dimension', dimension.name, dimension.table, dimension.synonyms),
    ),
  ];
}

function tableEntries(table: Table, catalog: Catalog, semantics: SemanticModel): NameEntry[] {
  const synonyms = semantics.datasets
    .filter((dataset) => dataset.table === table.id)
    .flatMap((dataset) => [dataset.name, ...dataset.synonyms]);
  const base = {
    kind: 'table' as const,
    id: table.id,
    tableId: table.id,
    tableWords: [],
    isBridge: isBridge(table, catalog),
    tableStems: tableStems(catalog),
  };
  const records = recordsOf(catalog).get(table.id) ?? [];
  return [
    {
      ...base,
      ...named(table.name),
      source: 'name' as const,
      isShortened: isShortened(table),
      isRecord: records.some((of) => of.table === table),
    },
    ...records
      .filter((of) => of.parent === table)
      .map((of) => ({ ...base, ...named(of.table.name), source: 'name' as const, isShortened: true })),
    ...(DETAILS.test(table.name) && splitName(table.name).length > 1
      ? [{ ...base, ...wholeName(table.name), source: 'name' as const }]
      : []),
    ...synonyms.map((synonym) => ({ ...base, ...named(synonym), source: 'synonym' as const })),
  ].filter((entry) => entry.words.length > 0);
}

function isShortened({ name }: Table): boolean {
  return nameWords(name).length < splitName(name).length;
}

/** A table of records beside the table that they are of. */
interface RecordTable {
  readonly table: Table;
  readonly parent: Table;
}

const recordsOfCatalog = new WeakMap<Catalog, ReadonlyMap<string, readonly RecordTable[]>>();

/** "the competition" is a row of `farm_competition`, to which a `competition_record` points: such pairs by each of their two tables. */
function recordsOf(catalog: Catalog): ReadonlyMap<string, readonly RecordTable[]> {
  const known = recordsOfCatalog.get(catalog);
  if (known !== undefined) return known;
  const tables = new Map(catalog.tables.map((table) => [table.id, table]));
  const records = new Map<string, RecordTable[]>();
  const paired = new Set<string>();
  for (const { fromTable, toTable } of catalog.foreignKeys) {
    const [table, parent] = [tables.get(fromTable), tables.get(toTable)];
    if (table === undefined || parent === undefined || table === parent || paired.has(table.id)) continue;
    if (!isShortened(table) || !isCalledLike(table, parent)) continue;
    paired.add(table.id);
    for (const { id } of [table, parent]) records.set(id, [...(records.get(id) ?? []), { table, parent }]);
  }
  recordsOfCatalog.set(catalog, records);
  return records;
}

/** Whether the name of the parent ends with that of the table. */
function isCalledLike(table: Table, parent: Table): boolean {
  const words = nameWords(table.name);
  return words.length > 0 && nameWords(parent.name).slice(-words.length).join(' ') === words.join(' ');
}

const DETAILS = /[_ ]?details?$/i;
const flagsOfCatalog = new WeakMap<Catalog, ReadonlySet<string>>();

/** Names of columns that say yes or no, in small letters. */
function flagNames(catalog: Catalog): ReadonlySet<string> {
  const known = flagsOfCatalog.get(catalog);
  if (known !== undefined) return known;
  const flags = catalog.tables.flatMap(({ columns }) =>
    columns.filter((column) => flagValues(column) !== undefined).map(({ name }) => name.toLowerCase()),
  );
  const names = new Set(flags);
  flagsOfCatalog.set(catalog, names);
  return names;
}

const stemsOfCatalog = new WeakMap<Catalog, ReadonlySet<string>>();

function tableStems(catalog: Catalog): ReadonlySet<string> {
  const known = stemsOfCatalog.get(catalog);
  if (known !== undefined) return known;
  const stems = new Set(
    catalog.tables
      .map((table) => nameWords(table.name))
      .filter((words) => words.length === 1)
      .flat(),
  );
  stemsOfCatalog.set(catalog, stems);
  return stems;
}

/** Two foreign keys and nothing of its own but a time stamp: the table links two others. */
function isBridge(table: Table, catalog: Catalog): boolean {
  const keys = catalog.foreignKeys.filter((key) => key.fromTable === table.id);
  const linked = new Set(keys.flatMap((key) => key.fromColumns));
  return (
    keys.length === 2 &&
    table.columns.every((column) => linked.has(column.id) || /update|created|modified/i.test(column.name))
  );
}

function columnEntries(
  column: Column,
  table: Table,
  catalog: Catalog,
  semantics: SemanticModel,
): NameEntry[] {
  const synonyms = semantics.dimensions
    .filter((dimension) => dimension.column === column.id)
    .flatMap((dimension) => [dimension.name, ...dimension.synonyms]);
  const base = {
    kind: 'column' as const,
    id: column.id,
    tableId: table.id,
    tableWords: nameWords(table.name),
    isFlag: flagValues(column) !== undefined,
    isFlagName: table.kind === 'view' && flagNames(catalog).has(column.name.toLowerCase()),
    isText: isText(column),
    isUnique: isUnique(column, table),
    isEcho: table.kind === 'view' && tableStems(catalog).has(nameWords(column.name).join(' ')),
  };
  // Where somebody wrote down the words for its values, these are the words.
  const isMapped = semantics.valueMappings.some((mapping) => mapping.column === column.id);
  const own = base.isFlag && !isMapped ? withoutVerb(column.name) : column.name;
  const opposite = base.isFlag && !isMapped ? oppositeOf(splitName(own).join(' ')) : undefined;
  const comment = column.comment !== undefined && column.comment.length <= 40 ? [column.comment] : [];
  // "customers" are no `customer_details` where a customer has a name.
  const isDetails = DETAILS.test(column.name) && splitName(column.name).length > 1;
  const isBeside = isDetails && displayColumns(table).every(({ id }) => id !== column.id);
  return [
    ...(isBeside && describesRows(column, table)
      ? []
      : [{ ...base, ...named(own), source: 'name' as const }]),
    ...(isDetails ? [{ ...base, ...wholeName(column.name), source: 'name' as const }] : []),
    ...(opposite === undefined
      ? []
      : [{ ...base, ...named(opposite), isOpposite: true, source: 'name' as const }]),
    ...(isShortKey(column, table)
      ? [{ ...base, ...named(`${table.name} id`), source: 'name' as const }]
      : []),
    ...synonyms.map((synonym) => ({ ...base, ...named(synonym), source: 'synonym' as const })),
    ...comment.map((text) => ({ ...base, ...named(text), source: 'comment' as const })),
  ].filter((entry) => entry.words.length > 0);
}

/** The key `eid` of employees is their id. */
function isShortKey(column: Column, table: Table): boolean {
  return (
    table.primaryKey.length === 1 &&
    table.primaryKey.includes(column.id) &&
    /^[a-z]{1,4}(?:id|no)$/i.test(column.name) &&
    !splitName(column.name).includes('id')
  );
}

function termEntries(
  kind: 'metric' | 'dimension',
  name: string,
  tableId: string,
  synonyms: readonly string[],
): NameEntry[] {
  const base = { kind, id: name, tableId, tableWords: [] };
  return [
    { ...base, ...term(name), source: 'name' as const },
    ...synonyms.map((synonym) => ({ ...base, ...term(synonym), source: 'synonym' as const })),
  ];
}

/** "detailed channel" is not the channel: what somebody wrote down keeps the word. */
function term(name: string): Pick<NameEntry, 'words' | 'spelt'> {
  const plain = named(name);
  const whole = wholeName(name).words.filter((word) => word === 'detail' || !FILLER.has(word));
  return plain.words.length > 0 && whole.length > plain.words.length ? { ...plain, words: whole } : plain;
}

/** "unassigned enquiries" are "unassigned leads" where leads are enquiries. */
function byOtherNames(metric: Metric, { metrics }: SemanticModel): string[] {
  return metrics
    .filter((base) => base.table === metric.table && metric.name.endsWith(` ${base.name}`))
    .flatMap((base) => base.synonyms.map((synonym) => metric.name.slice(0, -base.name.length) + synonym))
    .filter((name) => !metric.synonyms.includes(name));
}

/** "the mean price" is the average price. */
function otherAverages(names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const other = /\bmean\b/i.test(name)
      ? name.replace(/\bmean\b/i, 'average')
      : name.replace(/\baverage\b/i, 'mean');
    return other === name || names.includes(other) ? [] : [other];
  });
}

function isText({ family, name, profile }: Column): boolean {
  const isWords = (profile?.examples ?? []).some((example) => !/^[+-]?[\d.,:/ -]+$/.test(example));
  return family === 'text' && isWords && profile?.pattern === undefined && !/date|time|year/i.test(name);
}

/** A key, or a column whose values hardly repeat. */
function isUnique({ id, profile }: Column, { primaryKey, rowCount }: Table): boolean {
  const [key, second] = primaryKey;
  return (
    (key === id && second === undefined) || (rowCount > 1 && (profile?.distinctCount ?? 0) >= 0.9 * rowCount)
  );
}

/** `has_exams`, `is_open`: the rest says what is so or not. */
function withoutVerb(name: string): string {
  return name.replace(/^(?:has|have|is|are|was|were)[_ ](?=.)/i, '');
}

function named(name: string): Pick<NameEntry, 'words' | 'spelt'> {
  return { words: nameWords(name), spelt: splitName(name).join('') };
}

/** `order_details` in all its words: "order" may stand for it, and so may "details". */
function wholeName(name: string): Pick<NameEntry, 'words' | 'spelt'> {
  const words = splitName(name);
  return { words: words.map(stemOf), spelt: words.join('') };
}

function nameWords(name: string): string[] {
  const words = splitName(name).map(stemOf);
  const content = words.filter((word) => !FILLER.has(word));
  if (content.length > 1 && content.at(-1) === 'by') content.pop();
  return content.length > 0 ? content : words;
}
