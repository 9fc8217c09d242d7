import {
  type FileContext,
  type FileDataset,
  type FileField,
  type FileModel,
  readOneColumn,
} from '../../semantic/semantic-file.ts';
import { foreignWords, nameKeeper, plainName } from '../conversion/names.ts';
import { type Mapping, mappingCondition } from '../conversion/value-mapping.ts';
import {
  type BlockData,
  readBlock,
  withForeign,
  withoutUndefined,
  writtenFor,
} from '../conversion/vendor-block.ts';
import type { Loss } from '../foreign/conversion.ts';
import { isRecord, standardSql, synonymsOf } from '../foreign/lean-model.ts';
import { CUBE_VENDOR } from './cube-shape.ts';
import { cubeSql } from './cube-template.ts';

const TYPES: Readonly<Record<string, string>> = {
  Integer: 'number',
  Decimal: 'number',
  Float: 'number',
  Boolean: 'boolean',
  Date: 'time',
  DateTime: 'time',
  DateTimeTz: 'time',
};

/** Keys without a field first, as private dimensions; then the fields. */
export function exportDimensions(dataset: FileDataset, keyTypes: unknown): unknown[] {
  const types = isRecord(keyTypes) ? keyTypes : {};
  const fieldColumns = new Map(
    dataset.fields.map((field) => [readOneColumn(standardSql(field) ?? '')?.toLowerCase(), field]),
  );
  const keep = nameKeeper();
  const keys = dataset.primary_key
    .filter((column) => !fieldColumns.has(column.toLowerCase()))
    .map((column) =>
      withoutUndefined({
        name: keep(plainName(column)),
        sql: cubeSql(column),
        type: types[column] === null ? undefined : (types[column] ?? 'number'),
        primary_key: true,
        public: false,
      }),
    );
  const isKey = (field: FileField): boolean =>
    dataset.primary_key.some((column) => fieldColumns.get(column.toLowerCase()) === field);
  return [...keys, ...dataset.fields.map((field) => writeDimension(field, isKey(field), keep))];
}

function writeDimension(
  field: FileField,
  isKey: boolean,
  keep: (name: string) => string,
): Record<string, unknown> {
  const {
    computed,
    bare,
    type,
    public: shown,
    title,
    meta,
    ...rest
  } = readBlock(field.custom_extensions, CUBE_VENDOR);
  const sql = standardSql(field) ?? '';
  const isPublic = field.dimension !== undefined || computed === true;
  const written = type === undefined ? typeOf(field) : (type ?? undefined);
  return withForeign(rest, {
    ...named(field, { title, meta, called: rest.called }, keep),
    description: field.description,
    sql: bare === true ? undefined : (writtenFor(sql, rest) ?? cubeSql(sql)),
    type: written,
    primary_key: isKey ? true : undefined,
    public: shown ?? (isPublic ? undefined : false),
  });
}

/** Name, title and `meta` of a field or metric, as its cube calls it. */
export function named(
  item: { readonly name: string; readonly ai_context?: FileContext },
  block: { readonly title?: unknown; readonly meta?: unknown; readonly called?: unknown },
  keep: (name: string) => string,
): Record<string, unknown> {
  const words = foreignWords({ name: item.name, synonyms: synonymsOf(item.ai_context) }, block);
  const context = isRecord(item.ai_context) ? item.ai_context : {};
  const name = keep(plainName(words.name));
  const spoken = { spoken: words.name, context: { ...context, synonyms: [...words.synonyms] }, block };
  return { name, ...writeWords({ ...spoken, name }) };
}

function typeOf({ dimension, datatype }: FileField): string {
  const type = TYPES[datatype ?? ''];
  if (type !== undefined) return type;
  return dimension?.is_time === true ? 'time' : 'string';
}

/** Title, and synonyms and instructions under `meta`: the inverse of `readWords`. */
export function writeWords({
  spoken,
  name,
  context,
  block,
}: {
  readonly spoken: string;
  /** In the file; another than its plain name where that was taken, and then the title is read as a synonym. */
  readonly name: string;
  readonly context: FileContext;
  readonly block: { readonly title?: unknown; readonly meta?: unknown };
}): { readonly title?: string; readonly meta?: BlockData } {
  const isSpoken = plainName(spoken) !== spoken;
  const listed = synonymsOf(context);
  const kept = typeof block.title === 'string' ? block.title : undefined;
  const title = isSpoken ? spoken : kept;
  const isNameReadFromTitle = isSpoken && plainName(spoken) === name;
  const synonyms = !isNameReadFromTitle && listed[0] === title?.trim() ? listed.slice(1) : listed;
  const instructions =
    isRecord(context) && typeof context.instructions === 'string' ? context.instructions : undefined;
  const meta = withoutUndefined({
    ...(isRecord(block.meta) ? block.meta : {}),
    ...(synonyms.length === 0 ? {} : { synonyms }),
    ...(instructions === undefined ? {} : { ai_context: instructions }),
  });
  return withoutUndefined({ title, meta: Object.keys(meta).length === 0 ? undefined : meta });
}

/** Value mappings of the table's columns as segments. */
export function exportSegments(dataset: FileDataset, { model }: CubeWriter, said: unknown): unknown[] {
  const table = dataset.source.split('.').at(-1)?.toLowerCase() ?? '';
  const keep = nameKeeper();
  const { value_mappings } = readBlock(model.custom_extensions, 'CANDOR');
  const mappings: readonly unknown[] = Array.isArray(value_mappings) ? value_mappings : [];
  return mappings.filter(isMapping).flatMap((mapping) => {
    if (!mapping.column.toLowerCase().startsWith(`${table}.`)) return [];
    const [first = '', ...others] = mapping.surface;
    const { title, meta, ...notes } = isRecord(said) && isRecord(said[first]) ? said[first] : {};
    const condition = mappingCondition(mapping);
    const name = keep(plainName(first));
    const words = { name, spoken: first, context: { synonyms: [...others] }, block: { title, meta } };
    return [
      withForeign(notes, {
        name,
        ...writeWords(words),
        sql: writtenFor(condition, notes) ?? cubeSql(condition),
      }),
    ];
  });
}

function isMapping(value: unknown): value is Mapping {
  return (
    isRecord(value) &&
    typeof value.column === 'string' &&
    Array.isArray(value.surface) &&
    value.value !== undefined
  );
}

/** What writing one model needs beside the model. */
export interface CubeWriter {
  readonly model: FileModel;
  readonly losses: Loss[];
  /** Names of cubes by our names of datasets. */
  readonly cubes: ReadonlyMap<string, string>;
}
