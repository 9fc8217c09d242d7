import type { DescribedColumn, DescribedLink, DescribedTable } from '../conversion/described-model.ts';
import { distinctWords, modelFromDescription } from '../conversion/model-from-description.ts';
import { shortestNames } from '../conversion/names.ts';
import type { ForeignFile, Imported, Loss } from '../foreign/conversion.ts';
import {
  type ForeignRecord,
  foreignText,
  recordsIn,
  textOf,
  withoutEmpty,
} from '../foreign/foreign-record.ts';
import { isRecord } from '../foreign/lean-model.ts';
import {
  CARRIED_ENTITIES,
  columnOfPath,
  DATAHUB_VENDOR,
  type DatasetUrn,
  type Entity,
  nameInUrn,
  READ_ASPECTS,
  readDatasetUrn,
  readEntities,
  readFieldUrn,
  SAID_ASPECTS,
} from './aspects.ts';

interface Found {
  readonly entity: Entity;
  readonly urn: DatasetUrn;
  readonly name: string;
}

/** Datasets with the words that people and ingestion gave them, and the terms of the glossary as notes. */
export function importDataHub(files: readonly ForeignFile[]): Imported {
  const losses: Loss[] = [];
  const entities = readEntities(files, losses);
  const datasets = findDatasets(entities, losses);
  const terms = new Map(
    entities.filter(({ type }) => type === 'glossaryTerm').map((term) => [term.urn, termName(term)]),
  );
  const tables = datasets.map(
    ({ entity, urn, name }): DescribedTable => describeDataset(entity, { urn, name, terms, losses }),
  );
  reportCarried(entities, losses);
  const carriedEntities = entities
    .filter(({ type }) => CARRIED_ENTITIES.has(type))
    .map(({ urn, aspects }) => ({ urn, aspects: Object.fromEntries(aspects) }));
  const [first] = datasets;
  const model = modelFromDescription(
    {
      name: modelName(files),
      tables,
      links: datasets.flatMap((dataset) => importLinks(dataset, datasets, losses)),
      metrics: [],
      extension: withoutEmpty({
        platform: first?.urn.platform,
        origin: first?.urn.origin === 'PROD' ? '' : first?.urn.origin,
        entities: carriedEntities,
      }),
    },
    DATAHUB_VENDOR,
    losses,
  );
  return { models: [model], examples: [], notes: [...glossary(entities), ...deprecations(datasets)], losses };
}

function modelName(files: readonly ForeignFile[]): string {
  const [only, second] = files;
  const base = only?.path
    .split('/')
    .at(-1)
    ?.replace(/\.json$/i, '')
    .trim();
  return second === undefined && base !== undefined && base !== '' ? base : 'datahub';
}

function findDatasets(entities: readonly Entity[], losses: Loss[]): readonly Found[] {
  const found = entities.flatMap((entity): Omit<Found, 'name'>[] => {
    if (entity.type !== 'dataset') return [];
    const urn = readDatasetUrn(entity.urn);
    const isRemoved = entity.aspects.get('status')?.removed === true;
    if (urn !== undefined && !isRemoved) return [{ entity, urn }];
    const what = isRemoved ? 'a removed dataset' : 'a dataset whose URN is not understood';
    losses.push({ kind: 'dropped', place: entity.place, what: `${what}: ${entity.urn.slice(0, 200)}` });
    return [];
  });
  const names = shortestNames(found.map(({ urn }) => [urn.origin, urn.platform, ...urn.name.split('.')]));
  return found.map((item, index) => ({ ...item, name: names[index] ?? item.urn.name }));
}

function termName({ urn, aspects }: Entity): string {
  const name = aspects.get('glossaryTermInfo')?.name;
  return typeof name === 'string' && name.trim() !== '' ? name.trim() : nameInUrn(urn);
}

/** Foreign keys between datasets that are here; others stay in the schema that is carried along. */
function importLinks({ entity, name }: Found, datasets: readonly Found[], losses: Loss[]): DescribedLink[] {
  return recordsIn(entity.aspects.get('schemaMetadata')?.foreignKeys).flatMap((key): DescribedLink[] => {
    const target = datasets.find((other) => other.entity.urn === key.foreignDataset);
    const fromColumns = columnsOf(key.sourceFields, entity.urn);
    const toColumns = columnsOf(key.foreignFields, target?.entity.urn);
    if (target === undefined || fromColumns === undefined || toColumns?.length !== fromColumns.length) {
      const what = 'a foreign key to a dataset that is not here, or with unlike fields';
      losses.push({ kind: 'kept', place: entity.place, what });
      return [];
    }
    const said = typeof key.name === 'string' && key.name.trim() !== '' ? { name: key.name.trim() } : {};
    return [{ ...said, from: name, to: target.name, fromColumns, toColumns, synonyms: [] }];
  });
}

function columnsOf(urns: unknown, dataset: string | undefined): string[] | undefined {
  if (!Array.isArray(urns) || urns.length === 0) return undefined;
  const columns = urns.flatMap((urn: unknown) => {
    const field = typeof urn === 'string' ? readFieldUrn(urn) : undefined;
    const column = field?.dataset === dataset && field !== undefined ? columnOfPath(field.path) : undefined;
    return column === undefined ? [] : [column];
  });
  return columns.length === urns.length ? columns : undefined;
}

/** One line for each kind of thing that has no effect here. */
function reportCarried(entities: readonly Entity[], losses: Loss[]): void {
  const aspects = new Map<string, number>();
  const others = new Map<string, number>();
  for (const { type, aspects: own } of entities) {
    if (type !== 'dataset' && !CARRIED_ENTITIES.has(type)) others.set(type, (others.get(type) ?? 0) + 1);
    if (type !== 'dataset') continue;
    for (const name of own.keys())
      if (!READ_ASPECTS.has(name) && !SAID_ASPECTS.has(name)) aspects.set(name, (aspects.get(name) ?? 0) + 1);
  }
  for (const [name, count] of aspects)
    losses.push({ kind: 'kept', place: name, what: `of ${count} datasets; carried along without effect` });
  for (const [type, count] of others)
    losses.push({ kind: 'dropped', place: type, what: `${count} entities that describe no table` });
}

/** A term replaces nothing in a question, as jargon would: its meaning is for reading. */
function glossary(entities: readonly Entity[]): Imported['notes'] {
  return entities.flatMap((entity) => {
    const definition = entity.aspects.get('glossaryTermInfo')?.definition;
    return entity.type !== 'glossaryTerm' || typeof definition !== 'string' || definition.trim() === ''
      ? []
      : [{ text: `${termName(entity)}: ${definition.trim()}`, topic: 'Glossary', place: entity.place }];
  });
}

function deprecations(datasets: readonly Found[]): Imported['notes'] {
  return datasets.flatMap(({ entity, urn }) => {
    const deprecation = entity.aspects.get('deprecation');
    if (deprecation?.deprecated !== true) return [];
    const note = typeof deprecation.note === 'string' ? deprecation.note.trim() : '';
    const text = `The table \`${urn.name}\` is deprecated${note === '' ? '.' : `: ${note}`}`;
    return [{ text, topic: 'Deprecated', place: entity.place }];
  });
}

interface DatasetPlace {
  readonly urn: DatasetUrn;
  readonly name: string;
  /** Names of glossary terms by URN. */
  readonly terms: ReadonlyMap<string, string>;
  readonly losses: Loss[];
}

/** A table with the words for it: what people edited goes before what ingestion found. */
function describeDataset(
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
