import type { FileModel } from '../../semantic/semantic-file.ts';
import { type DescribedColumn, type DescribedTable, describeModel } from '../conversion/described-model.ts';
import { fileNameOf } from '../conversion/names.ts';
import type { ForeignFile } from '../foreign/conversion.ts';
import { type ForeignRecord, isEmpty, withoutEmpty } from '../foreign/foreign-record.ts';
import { isRecord } from '../foreign/lean-model.ts';
import { DATAHUB_VENDOR, entityType, READ_ASPECTS, writeDatasetUrn } from './aspects.ts';

/**
 * Change proposals for the words of each table, as `datahub ingest` reads them from a file. The schema itself belongs to
 * ingestion: it goes back where it came from DataHub, and is never made up here.
 */
export function exportDataHub(model: FileModel): ForeignFile {
  const { tables, extension = {}, name } = describeModel(model, DATAHUB_VENDOR);
  const platform = typeof extension.platform === 'string' ? extension.platform : 'unknown';
  const origin = typeof extension.origin === 'string' ? extension.origin : 'PROD';
  const datasets = tables.flatMap((table) => {
    const given = table.extension?.urn;
    const urn = typeof given === 'string' ? given : writeDatasetUrn({ platform, name: table.source, origin });
    const aspects = exportAspects(table);
    // A dataset without a word still is one.
    return proposals(
      urn,
      isEmpty(aspects) ? { datasetKey: datasetKey(platform, table.source, origin) } : aspects,
    );
  });
  const others = Array.isArray(extension.entities) ? extension.entities : [];
  const carried = others.flatMap((entity: unknown) =>
    isRecord(entity) && typeof entity.urn === 'string' && isRecord(entity.aspects)
      ? proposals(entity.urn, entity.aspects)
      : [],
  );
  return {
    path: `${fileNameOf(name)}.json`,
    text: `${JSON.stringify([...datasets, ...carried], null, 2)}\n`,
  };
}

function datasetKey(platform: string, name: string, origin: string): ForeignRecord {
  return { platform: `urn:li:dataPlatform:${platform}`, name, origin };
}

function proposals(urn: string, aspects: ForeignRecord): ForeignRecord[] {
  return Object.entries(aspects).map(([aspectName, json]) => ({
    entityType: entityType(urn) ?? 'dataset',
    entityUrn: urn,
    changeType: 'UPSERT',
    aspectName,
    aspect: { json },
  }));
}

function exportAspects(table: DescribedTable): ForeignRecord {
  const { extension = {}, description } = table;
  const kept = isRecord(extension.aspects) ? extension.aspects : {};
  const had = new Set(Array.isArray(extension.has) ? extension.has.map(String) : []);
  const isEdited = extension.described !== 'ingested';
  const nested = Array.isArray(extension.nested_fields) ? extension.nested_fields.filter(isRecord) : [];
  const fields = [...table.columns.flatMap(exportField), ...partsOf(nested, 'field')];
  const infos = [...table.columns.flatMap(exportInfo), ...partsOf(nested, 'editable')];
  const written: Record<string, ForeignRecord> = {
    datasetProperties: { ...recordOf(kept.datasetProperties), ...words(isEdited ? undefined : description) },
    editableDatasetProperties: {
      ...recordOf(kept.editableDatasetProperties),
      ...words(isEdited ? description : undefined),
    },
    schemaMetadata: { ...recordOf(kept.schemaMetadata), ...list('fields', fields) },
    editableSchemaMetadata: {
      ...recordOf(kept.editableSchemaMetadata),
      ...list('editableSchemaFieldInfo', infos),
    },
  };
  const read = Object.entries(written).filter(([name, aspect]) => had.has(name) || !isEmpty(aspect));
  const others = Object.entries(kept).filter(([name]) => !READ_ASPECTS.has(name));
  return Object.fromEntries([...read, ...others]);
}

function partsOf(nested: readonly ForeignRecord[], key: string): unknown[] {
  return nested.flatMap((item) => (item[key] === undefined ? [] : [item[key]]));
}

function recordOf(value: unknown): ForeignRecord {
  return isRecord(value) ? value : {};
}

function words(description: string | undefined): ForeignRecord {
  return withoutEmpty({ description });
}

function list(key: string, items: readonly unknown[]): ForeignRecord {
  return items.length === 0 ? {} : { [key]: items };
}

/** A field of the schema, where the schema came from DataHub. */
function exportField({ extension = {}, description, label, datatype }: DescribedColumn): ForeignRecord[] {
  const { field } = extension;
  if (!isRecord(field)) return [];
  const isEdited = extension.described !== 'ingested';
  return [
    {
      ...field,
      ...withoutEmpty({ label, nativeDataType: datatype, description: isEdited ? undefined : description }),
    },
  ];
}

/** What people say of a field. */
function exportInfo({ extension = {}, description, name, expression }: DescribedColumn): ForeignRecord[] {
  if (expression !== undefined) return [];
  const given = recordOf(extension.editable);
  const edited = words(extension.described === 'ingested' ? undefined : description);
  if (isEmpty(given) && isEmpty(edited)) return [];
  const path = recordOf(extension.field).fieldPath ?? name;
  return [{ fieldPath: path, ...given, ...edited }];
}
