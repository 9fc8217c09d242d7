/** A schema made ready for ranking: families of equal tables stand in it once, literals can be looked up. */
import type { Catalog, ForeignKey } from '../../../catalog/index.ts';
import { indexTables, namedInQuestion, type TableIndex } from '../../../knowledge/retrieve/index.ts';
import { foldValue, type ValueIndex } from '../../../knowledge/values/index.ts';
import { type FindColumnsOf, type RankedQuestion, readQuestionWords, valueFacts } from './question-words.ts';
import { prepareSchemaWords, type SchemaWords, type ToldOf } from './schema-words.ts';

export interface PreparedLinker {
  /** Of the first table of each family. */
  readonly schema: SchemaWords;
  readonly tables: TableIndex;
  readonly columnsOf: FindColumnsOf;
  /** The id of the column that stands in `schema` for a column of any table of its family. */
  readonly placeOf: (columnId: string) => string;
  readonly hasValues: boolean;
}

export interface LinkerOptions {
  readonly tables?: TableIndex;
  /** Without one the examples of the profiles are looked through. */
  readonly values?: ValueIndex;
  /** Descriptions and synonyms that people wrote. */
  readonly toldOf?: ToldOf;
}

/** Of a document of a hundred pages the beginning says what it is about. */
const LONGEST_HINT = 4_000;

/** Read once for a catalog; a question then takes milliseconds. */
export function prepareLinker(
  catalog: Catalog,
  { tables = indexTables(catalog), values, toldOf }: LinkerOptions = {},
): PreparedLinker {
  const places = new Map<string, string>();
  const firsts = tables.families.flatMap(({ members }) => {
    const [first] = members;
    if (first === undefined) return [];
    for (const { table } of members)
      for (const [at, { id }] of table.columns.entries()) places.set(id, first.table.columns[at]?.id ?? id);
    return [first.table];
  });
  const order = new Map(catalog.tables.map(({ id }, index) => [id, index]));
  firsts.sort((left, right) => (order.get(left.id) ?? 0) - (order.get(right.id) ?? 0));
  const foreignKeys = distinctKeys(catalog.foreignKeys, places, tables);
  const schema = prepareSchemaWords({ ...catalog, tables: firsts, foreignKeys }, toldOf);
  const found = values === undefined ? fromExamples(catalog) : fromIndex(values);
  return {
    schema,
    tables,
    placeOf: (id) => places.get(id) ?? id,
    columnsOf: (text) => [...new Set(found(text).map((id) => places.get(id) ?? id))],
    hasValues: values !== undefined,
  };
}

/** Keys between the first tables of the families, each once. */
function distinctKeys(
  keys: readonly ForeignKey[],
  places: ReadonlyMap<string, string>,
  tables: TableIndex,
): readonly ForeignKey[] {
  const firstOf = (id: string): string => tables.familyOf(id)?.members[0]?.table.id ?? id;
  const distinct = new Map<string, ForeignKey>();
  for (const key of keys) {
    const moved = {
      ...key,
      fromTable: firstOf(key.fromTable),
      toTable: firstOf(key.toTable),
      fromColumns: key.fromColumns.map((id) => places.get(id) ?? id),
      toColumns: key.toColumns.map((id) => places.get(id) ?? id),
    };
    distinct.set(`${moved.fromColumns.join()} ${moved.toColumns.join()}`, moved);
  }
  return [...distinct.values()];
}

function fromIndex(values: ValueIndex): FindColumnsOf {
  return (text) => [...values.lookup(text), ...values.lookupLiteral(text)].map(({ columnId }) => columnId);
}

function fromExamples({ tables }: Catalog): FindColumnsOf {
  const columns = new Map<string, string[]>();
  for (const table of tables)
    for (const { id, profile } of table.columns)
      for (const value of new Set(profile?.examples.map(foldValue))) {
        const known = columns.get(value);
        if (known === undefined) columns.set(value, [id]);
        else known.push(id);
      }
  return (text) => columns.get(foldValue(text)) ?? [];
}

export function rankedQuestion(question: string, hint: string, linker: PreparedLinker): RankedQuestion {
  const shortHint = hint.slice(0, LONGEST_HINT);
  return {
    words: readQuestionWords(question, shortHint),
    values: valueFacts(question, shortHint.slice(0, 600), linker.columnsOf),
    named: namedTables(question, linker),
    hasValues: linker.hasValues,
  };
}

function namedTables(question: string, { schema, tables }: PreparedLinker): ReadonlySet<number> {
  const named = namedInQuestion(tables.families, question);
  const isNamed = (id: string): boolean => {
    const family = tables.familyOf(id);
    return family !== undefined && named.has(family);
  };
  return new Set(schema.tables.flatMap(({ table, index }) => (isNamed(table.id) ? [index] : [])));
}
