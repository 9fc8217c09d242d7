import type { Loss } from '../conversion.ts';
import type { DescribedColumn, DescribedTable } from '../described-model.ts';
import { type ForeignRecord, textOf, withoutEmpty } from '../foreign-record.ts';
import { foreignText } from '../foreign-text.ts';
import { isRecord } from '../lean-model.ts';
import { distinctWords } from '../model-from-description.ts';
import { columnOfPath, READ_ASPECTS } from './aspects.ts';
import type { Entity } from './read-aspects.ts';
import { type DatasetUrn, nameInUrn } from './urn.ts';

interface DatasetPlace {
  readonly urn: DatasetUrn;
  readonly name: string;
  /** Names of glossary terms by URN. */
  readonly terms: ReadonlyMap<string, string>;
  readonly losses: Loss[];
}

/** A table with the words for it: what people edited goes before what ingestion found. */
export function describeDataset(
  { urn: id, aspects, place }: Entity,
  { urn, name, terms, losses }: DatasetPlace,
): DescribedTable {
  const properties = aspects.get('datasetProperties') ?? {};
  const editable = aspects.get('editableDatasetProperties') ?? {};
  const schema = aspects.get('schemaMetadata') ?? {};
  const texts = readTexts(properties.description, editable.description);
  const { fields: _, ...schemaRest } = schema;
  const { editableSchemaFieldInfo: __, ...editableSchemaRest } = aspects.get('editableSchemaMetadata') ?? {};
  const others = [...aspects].filter(([aspect]) => !READ_ASPECTS.has(aspect));
  const columns = describeFields(aspects, { terms, place, losses });
  const called = [properties.name, editable.name].map((word) =>
    word === urn.name.split('.').at(-1) ? '' : word,
  );
  return {
    name,
    source: urn.name,
    description: texts.description,
    synonyms: distinctWords([...called, ...termsOf(aspects.get('glossaryTerms'), terms)], [name]),
    columns: columns.described,
    primaryKey: primaryKeyOf(schema),
    uniqueKeys: [],
    metrics: [],
    extension: withoutEmpty({
      urn: id,
      described: texts.described,
      aspects: withoutEmpty({
        datasetProperties: withoutKeys(properties, texts.keptIngested),
        editableDatasetProperties: withoutKeys(editable, {}),
        schemaMetadata: schemaRest,
        editableSchemaMetadata: editableSchemaRest,
        ...Object.fromEntries(others),
      }),
      has: [...aspects.keys()].filter((aspect) => READ_ASPECTS.has(aspect)),
      nested_fields: columns.nested,
    }),
  };
}

interface Texts {
  readonly description?: string;
  /** `ingested`: nobody has edited it. */
  readonly described: string;
  /** The ingested text that the edited one hides. */
  readonly keptIngested: ForeignRecord;
}

function readTexts(ingested: unknown, edited: unknown): Texts {
  const [found, own] = [ingested, edited].map((text) =>
    typeof text === 'string' && text.trim() !== '' ? text : undefined,
  );
  const keptIngested = own === undefined || found === undefined ? {} : { description: found };
  const description = own ?? found;
  return {
    ...(description === undefined ? {} : { description }),
    described: own === undefined && found !== undefined ? 'ingested' : '',
    keptIngested,
  };
}

/** The record without its description, which the model holds, unless one is to be kept. */
function withoutKeys({ description: _, ...rest }: ForeignRecord, kept: ForeignRecord): ForeignRecord {
  return { ...rest, ...kept };
}

interface FieldPlace {
  readonly terms: ReadonlyMap<string, string>;
  readonly place: string;
  readonly losses: Loss[];
}

function describeFields(
  aspects: Entity['aspects'],
  { terms, place, losses }: FieldPlace,
): { readonly described: readonly DescribedColumn[]; readonly nested: readonly unknown[] } {
  const fields = recordsWithPath(aspects.get('schemaMetadata')?.fields);
  const infos = recordsWithPath(aspects.get('editableSchemaMetadata')?.editableSchemaFieldInfo);
  const edited = new Map(infos.map((info) => [info.fieldPath, info]));
  const known = new Set(fields.map(({ fieldPath }) => fieldPath));
  const all = [...fields, ...infos.filter(({ fieldPath }) => !known.has(fieldPath))];
  const nested: unknown[] = [];
  const described = new Map<string, DescribedColumn>();
  for (const field of all) {
    const isSchema = known.has(field.fieldPath);
    const info = isSchema ? edited.get(field.fieldPath) : field;
    const column = nestedIn(field.fieldPath, known) ? undefined : columnOfPath(field.fieldPath);
    if (column === undefined || described.has(column))
      nested.push(withoutEmpty({ field: isSchema ? field : undefined, editable: info }));
    else described.set(column, describeField(column, isSchema ? field : undefined, { info, terms }));
  }
  if (nested.length > 0)
    losses.push({ kind: 'kept', place, what: `${nested.length} fields inside others are no columns` });
  return { described: [...described.values()], nested };
}

/** `address.city` is inside `address` where that is a field too. */
function nestedIn(path: string, known: ReadonlySet<string>): boolean {
  const dot = path.startsWith('[') ? -1 : path.indexOf('.');
  return dot > 0 && known.has(path.slice(0, dot));
}

type FieldRecord = ForeignRecord & { readonly fieldPath: string };

function recordsWithPath(list: unknown): readonly FieldRecord[] {
  return Array.isArray(list)
    ? list.filter(
        (item: unknown): item is FieldRecord => isRecord(item) && typeof item.fieldPath === 'string',
      )
    : [];
}

function describeField(
  name: string,
  field: FieldRecord | undefined,
  { info, terms }: { readonly info: FieldRecord | undefined; readonly terms: ReadonlyMap<string, string> },
): DescribedColumn {
  const texts = readTexts(field?.description, info?.description);
  const datatype = textOf(field?.nativeDataType);
  const label = textOf(field?.label);
  const words = [...termsOf(info?.glossaryTerms, terms), ...termsOf(field?.glossaryTerms, terms)];
  const { nativeDataType: _, label: __, ...fieldRest } = withoutKeys(field ?? {}, texts.keptIngested);
  const infoRest = withoutKeys(info ?? {}, {});
  return {
    name,
    ...(texts.description === undefined ? {} : { description: texts.description }),
    ...(label === undefined ? {} : { label }),
    synonyms: distinctWords(words, [name]),
    ...(datatype === undefined ? {} : { datatype }),
    ...(isTime(field) ? { isTime: true } : {}),
    values: [],
    extension: withoutEmpty({
      field: fieldRest,
      // A path that is the column's name says nothing more.
      editable: Object.keys(infoRest).length === 1 && infoRest.fieldPath === name ? {} : infoRest,
      described: texts.described,
    }),
  };
}

/** `{type: {type: {"com.linkedin.schema.DateType": {}}}}`, or a native type that says so. */
function isTime(field: ForeignRecord | undefined): boolean {
  const outer = isRecord(field?.type) ? field.type.type : undefined;
  const [name = ''] = isRecord(outer) ? Object.keys(outer) : [];
  return /\.(?:Date|Time)Type$/.test(name) || /^(?:date|time)/i.test(foreignText(field?.nativeDataType));
}

function primaryKeyOf(schema: ForeignRecord): readonly string[] {
  const listed = Array.isArray(schema.primaryKeys) ? schema.primaryKeys : [];
  const marked = recordsWithPath(schema.fields).filter(({ isPartOfKey }) => isPartOfKey === true);
  const paths: readonly unknown[] = listed.length > 0 ? listed : marked.map(({ fieldPath }) => fieldPath);
  return paths.flatMap((path) => (typeof path === 'string' ? (columnOfPath(path) ?? []) : []));
}

/** Names of the glossary terms of a table or field. */
function termsOf(aspect: unknown, names: ReadonlyMap<string, string>): readonly string[] {
  const list = isRecord(aspect) && Array.isArray(aspect.terms) ? aspect.terms : [];
  return list.flatMap((term: unknown) => {
    const urn = isRecord(term) ? term.urn : undefined;
    return typeof urn === 'string' ? [names.get(urn) ?? nameInUrn(urn)] : [];
  });
}
