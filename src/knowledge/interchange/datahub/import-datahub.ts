import type { ForeignFile, Imported, Loss } from '../conversion.ts';
import type { DescribedLink, DescribedTable } from '../described-model.ts';
import { shortestNames } from '../distinct-names.ts';
import { recordsIn, withoutEmpty } from '../foreign-record.ts';
import { modelFromDescription } from '../model-from-description.ts';
import { CARRIED_ENTITIES, columnOfPath, DATAHUB_VENDOR, READ_ASPECTS, SAID_ASPECTS } from './aspects.ts';
import { describeDataset } from './describe-dataset.ts';
import { type Entity, readEntities } from './read-aspects.ts';
import { type DatasetUrn, nameInUrn, readDatasetUrn, readFieldUrn } from './urn.ts';

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
