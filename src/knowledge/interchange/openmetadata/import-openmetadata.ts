import { AsideBox } from '../aside.ts';
import type { ForeignFile, Imported, Loss } from '../conversion.ts';
import type { DescribedLink } from '../described-model.ts';
import { shortestNames } from '../distinct-names.ts';
import { type ForeignRecord, isEmpty, recordsIn, textOf, withoutEmpty } from '../foreign-record.ts';
import { foreignText } from '../foreign-text.ts';
import { isRecord } from '../lean-model.ts';
import { modelFromDescription } from '../model-from-description.ts';
import { describeTable, namesIn, ownKeys, type TermWords } from './describe-table.ts';
import { OPENMETADATA_VENDOR, readFqn, writeFqn } from './fqn.ts';
import { importMetrics } from './import-metrics.ts';
import { type OpenMetadataEntity, readEntities } from './read-entities.ts';

interface Found {
  readonly entity: OpenMetadataEntity;
  /** With the service before it. */
  readonly fqn: readonly string[];
  readonly name: string;
}

/** Tables with their words and keys, metrics that one table can answer, and the glossary as notes. */
export function importOpenMetadata(files: readonly ForeignFile[]): Imported {
  const losses: Loss[] = [];
  const entities = readEntities(files, losses);
  const terms = termWords(entities.terms);
  const found = nameTables(entities.tables);
  const tables = found.map(({ entity, fqn, name }) =>
    describeTable(entity, { name, source: sourceOf(fqn), terms }),
  );
  const aside = new AsideBox();
  const metrics = importMetrics(entities.metrics, tables, { aside, losses });
  reportCarried(entities.tables, losses);
  const model = modelFromDescription(
    {
      name: modelName(files),
      tables,
      links: found.flatMap((table) => importLinks(table, found, losses)),
      metrics,
      extension: withoutEmpty({
        service: found
          .map(({ fqn }) => (fqn.length > 1 ? fqn[0] : undefined))
          .find((name) => name !== undefined),
        terms: entities.terms.map(({ record }) => ownKeys(record)),
        ...aside.block(),
      }),
    },
    OPENMETADATA_VENDOR,
    losses,
  );
  return { models: [model], examples: [], notes: glossary(entities.terms), losses };
}

/** The folder that all files stand in. */
function modelName(files: readonly ForeignFile[]): string {
  const folders = new Set(files.map(({ path }) => path.split('/').slice(0, -1).at(-1) ?? ''));
  const [folder = ''] = folders;
  return folders.size === 1 && folder.trim() !== '' ? folder.trim() : 'openmetadata';
}

function nameTables(entities: readonly OpenMetadataEntity[]): readonly Found[] {
  const fqns = entities.map(({ record }) => {
    const schema = isRecord(record.databaseSchema)
      ? textOf(record.databaseSchema.fullyQualifiedName)
      : undefined;
    const above = schema === undefined ? undefined : readFqn(schema);
    const name = foreignText(record.name).trim();
    return readFqn(foreignText(record.fullyQualifiedName)) ?? [...(above ?? []), name];
  });
  const names = shortestNames(fqns);
  return entities.map((entity, index) => ({ entity, fqn: fqns[index] ?? [], name: names[index] ?? '' }));
}

/** Without the service, which is OpenMetadata's name for the connection. */
function sourceOf(fqn: readonly string[]): string {
  return (fqn.length > 1 ? fqn.slice(1) : fqn).join('.');
}

/** A term's name, its display name and its synonyms, by its whole name. */
function termWords(terms: readonly OpenMetadataEntity[]): TermWords {
  return new Map(
    terms.flatMap(({ record }): [string, string[]][] => {
      const words = [record.displayName, record.name, ...namesIn(record.synonyms)];
      const fqn = textOf(record.fullyQualifiedName);
      return fqn === undefined ? [] : [[fqn, words.flatMap((word) => textOf(word) ?? [])]];
    }),
  );
}

function glossary(terms: readonly OpenMetadataEntity[]): Imported['notes'] {
  return terms.flatMap(({ record, place }) => {
    const description = textOf(record.description);
    const name = textOf(record.displayName) ?? foreignText(record.name);
    return description === undefined ? [] : [{ text: `${name}: ${description}`, topic: 'Glossary', place }];
  });
}

function importLinks({ entity, name }: Found, tables: readonly Found[], losses: Loss[]): DescribedLink[] {
  return recordsIn(entity.record.tableConstraints).flatMap((constraint): DescribedLink[] => {
    if (constraint.constraintType !== 'FOREIGN_KEY') return [];
    const referred = namesIn(constraint.referredColumns).map(readFqn);
    const owner = referred[0]?.slice(0, -1);
    const target = owner && tables.find(({ fqn }) => writeFqn(fqn) === writeFqn(owner));
    const toColumns = referred.flatMap((fqn) => {
      const isSame =
        fqn !== undefined && owner !== undefined && writeFqn(fqn.slice(0, -1)) === writeFqn(owner);
      return isSame ? (fqn.at(-1) ?? []) : [];
    });
    const fromColumns = namesIn(constraint.columns);
    if (target !== undefined && toColumns.length === fromColumns.length)
      return [{ from: name, to: target.name, fromColumns, toColumns, synonyms: [] }];
    const what = 'a foreign key to a table that is not here, or with unlike columns';
    losses.push({ kind: 'kept', place: entity.place, what });
    return [];
  });
}

const SILENT = new Set([
  'name',
  'displayName',
  'description',
  'columns',
  'fullyQualifiedName',
  'tableConstraints',
]);

/** One line for each kind of thing that has no effect here, and one for what a server had added. */
function reportCarried(tables: readonly OpenMetadataEntity[], losses: Loss[]): void {
  const counts = new Map<string, number>();
  const add = (key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
  let added = 0;
  for (const { record } of tables) {
    const own = ownKeys(record);
    if (Object.keys(own).length < Object.keys(record).length) added += 1;
    for (const [key, value] of Object.entries(own))
      if (!SILENT.has(key) && !isEmpty(value)) add(`${key} of a table`);
    for (const column of recordsIn(record.columns)) countColumn(column, add);
  }
  for (const [what, count] of counts)
    losses.push({ kind: 'kept', place: what, what: `${count} times; carried along without effect` });
  if (added > 0)
    losses.push({
      kind: 'dropped',
      place: 'tables',
      what: `what the server adds to ${added} tables, sample rows among it`,
    });
}

function countColumn(column: ForeignRecord, add: (key: string) => void): void {
  if (recordsIn(column.children).length > 0) add('fields inside a column');
  if (recordsIn(column.tags).some(({ source }) => source !== 'Glossary')) add('tags of a column');
}
