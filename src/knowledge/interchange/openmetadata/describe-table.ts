import type { DescribedColumn, DescribedTable } from '../conversion/described-model.ts';
import { distinctWords } from '../conversion/model-from-description.ts';
import {
  type ForeignRecord,
  foreignText,
  recordsIn,
  textOf,
  withoutEmpty,
} from '../foreign/foreign-record.ts';
import type { OpenMetadataEntity } from './read-entities.ts';

/** What a server adds to every answer, and rows of data, which have no place in a description. */
const SERVER_KEYS = new Set([
  'changeDescription',
  'changeSummary',
  'customMetrics',
  'deleted',
  'followers',
  'href',
  'id',
  'incrementalChangeDescription',
  'lifeCycle',
  'processedLineage',
  'profile',
  'queries',
  'sampleData',
  'testSuite',
  'updatedAt',
  'updatedBy',
  'usageSummary',
  'version',
  'votes',
]);

/** The record without what a server adds. */
export function ownKeys(record: ForeignRecord): ForeignRecord {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !SERVER_KEYS.has(key)));
}

/** Words of glossary terms, by the term's whole name. */
export type TermWords = ReadonlyMap<string, readonly string[]>;

/** A table with its words; `name` is what the model calls it. */
export function describeTable(
  { record }: OpenMetadataEntity,
  { name, source, terms }: { readonly name: string; readonly source: string; readonly terms: TermWords },
): DescribedTable {
  const columns = recordsIn(record.columns).filter((column) => textOf(column.name) !== undefined);
  const { columns: _, description: __, ...rest } = ownKeys(record);
  const keys = keysOf(record);
  return {
    name,
    source,
    ...(textOf(record.description) === undefined ? {} : { description: textOf(record.description) }),
    synonyms: distinctWords(
      [record.displayName, ...termsOf(record, terms)],
      [name, foreignText(record.name)],
    ),
    columns: columns.map((column) => describeColumn(column, terms)),
    ...keys,
    metrics: [],
    extension: { table: rest },
  };
}

function describeColumn(column: ForeignRecord, terms: TermWords): DescribedColumn {
  const name = foreignText(column.name).trim();
  const description = textOf(column.description);
  const datatype = textOf(column.dataTypeDisplay) ?? textOf(column.dataType);
  const { name: _, description: __, dataTypeDisplay: display, ...rest } = ownKeys(column);
  return {
    name,
    ...(description === undefined ? {} : { description }),
    synonyms: distinctWords([column.displayName, ...termsOf(column, terms)], [name]),
    ...(datatype === undefined ? {} : { datatype }),
    ...(/^(?:date|time)/i.test(datatype ?? '') ? { isTime: true } : {}),
    values: [],
    // A display that repeats the type is written again.
    extension: withoutEmpty({
      column: rest,
      shows_type: display !== undefined && display === rest.dataType ? true : undefined,
    }),
  };
}

export function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => textOf(item) !== undefined) : [];
}

/** A term of the glossary is attached like a tag. */
function termsOf(record: ForeignRecord, terms: TermWords): readonly string[] {
  return recordsIn(record.tags).flatMap(({ source, tagFQN }) => {
    if (source !== 'Glossary' || typeof tagFQN !== 'string') return [];
    return terms.get(tagFQN) ?? [tagFQN.split('.').at(-1) ?? tagFQN];
  });
}

export interface TableKeys {
  readonly primaryKey: readonly string[];
  readonly uniqueKeys: readonly (readonly string[])[];
}

/** Keys stand at single columns or as constraints of the table. */
export function keysOf(record: ForeignRecord): TableKeys {
  const columns = recordsIn(record.columns);
  const marked = (constraint: string): string[] =>
    columns.flatMap((column) => (column.constraint === constraint ? (textOf(column.name) ?? []) : []));
  const listed = (type: string): (readonly string[])[] =>
    recordsIn(record.tableConstraints)
      .filter(({ constraintType }) => constraintType === type)
      .map((constraint) => namesIn(constraint.columns))
      .filter((names) => names.length > 0);
  const primaryKey = listed('PRIMARY_KEY')[0] ?? marked('PRIMARY_KEY');
  return { primaryKey, uniqueKeys: [...listed('UNIQUE'), ...marked('UNIQUE').map((name) => [name])] };
}
