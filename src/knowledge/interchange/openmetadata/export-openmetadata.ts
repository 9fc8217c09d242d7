import { type FileModel, METRIC_EXTENSION } from '../../semantic/semantic-file.ts';
import {
  CANDOR,
  type DescribedColumn,
  type DescribedModel,
  type DescribedTable,
  describeModel,
  tableOf,
} from '../conversion/described-model.ts';
import { fileNameOf } from '../conversion/names.ts';
import { putBack, readBlock } from '../conversion/vendor-block.ts';
import type { ForeignFile } from '../foreign/conversion.ts';
import { type ForeignRecord, isEmpty, recordsIn, textOf, withoutEmpty } from '../foreign/foreign-record.ts';
import { isRecord, type LeanMetric, standardSql } from '../foreign/lean-model.ts';
import { keysOf, namesIn } from './describe-table.ts';
import { OPENMETADATA_VENDOR, readFqn, writeFqn } from './read-entities.ts';

/** Pages of the API as they would be read: tables, metrics and glossary terms, each in a file of its own. */
export function exportOpenMetadata(model: FileModel): readonly ForeignFile[] {
  const described = describeModel(model, OPENMETADATA_VENDOR);
  const extension = described.extension ?? {};
  const all = [...described.tables.flatMap((table) => table.metrics), ...described.metrics];
  const metrics = all.flatMap(exportMetric);
  const pages: Readonly<Record<string, readonly unknown[]>> = {
    tables: described.tables.map((table) => exportTable(table, described)),
    metrics: putBack(metrics, 'metrics', { aside: extension.aside }),
    glossaryTerms: Array.isArray(extension.terms) ? extension.terms : [],
  };
  return Object.entries(pages).flatMap(([name, data]) =>
    data.length === 0 && name !== 'tables'
      ? []
      : [{ path: `${fileNameOf(model.name)}/${name}.json`, text: `${JSON.stringify({ data }, null, 2)}\n` }],
  );
}

function exportTable(table: DescribedTable, described: DescribedModel): ForeignRecord {
  const { description, extension = {} } = table;
  const given = isRecord(extension.table) ? extension.table : undefined;
  const columns = table.columns.filter(({ expression }) => expression === undefined).map(exportColumn);
  const name = textOf(given?.name) ?? tableOf(table.source);
  const base: ForeignRecord = {
    ...(given ?? { name, fullyQualifiedName: writeFqn(fqnOf(table, described)), ...displayName(table) }),
    ...withoutEmpty({ description }),
    columns,
  };
  const constraints = [...recordsIn(base.tableConstraints), ...missingKeys(table, base)];
  const links = missingLinks(table, described, constraints);
  return { ...base, ...withoutEmpty({ tableConstraints: [...constraints, ...links] }) };
}

/** A table that is called otherwise than in the database. */
function displayName({ name, source, synonyms }: DescribedTable): ForeignRecord {
  return withoutEmpty({ displayName: name === tableOf(source) ? synonyms[0] : name });
}

function fqnOf(
  { source, extension = {} }: DescribedTable,
  { extension: own = {} }: DescribedModel,
): readonly string[] {
  const given = isRecord(extension.table)
    ? readFqn(String(extension.table.fullyQualifiedName ?? ''))
    : undefined;
  return given ?? [textOf(own.service) ?? 'unknown', ...source.split('.')];
}

function exportColumn({
  name,
  fieldName,
  description,
  label,
  synonyms,
  datatype,
  extension = {},
}: DescribedColumn): ForeignRecord {
  const given = isRecord(extension.column) ? extension.column : undefined;
  const type = textOf(given?.dataType);
  const showsType = extension.shows_type === true || (datatype !== undefined && datatype !== type);
  return {
    name,
    ...(given ?? withoutEmpty({ dataType: 'UNKNOWN', displayName: fieldName ?? label ?? synonyms[0] })),
    ...withoutEmpty({ dataTypeDisplay: showsType ? datatype : undefined, description }),
  };
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index]);
}

/** Keys that the constraints of the table do not say yet. */
function missingKeys({ primaryKey, uniqueKeys }: DescribedTable, record: ForeignRecord): ForeignRecord[] {
  const said = keysOf(record);
  const isNew = primaryKey.length > 0 && !isSame(said.primaryKey, primaryKey);
  const missing = uniqueKeys.filter((key) => !said.uniqueKeys.some((other) => isSame(other, key)));
  return [
    ...(isNew ? [{ constraintType: 'PRIMARY_KEY', columns: [...primaryKey] }] : []),
    ...missing.map((key) => ({ constraintType: 'UNIQUE', columns: [...key] })),
  ];
}

/** Links that no constraint says yet. */
function missingLinks(
  table: DescribedTable,
  described: DescribedModel,
  constraints: readonly ForeignRecord[],
): ForeignRecord[] {
  const own = described.links.filter(({ from }) => from === table.name);
  return own.flatMap(({ to, fromColumns, toColumns }): ForeignRecord[] => {
    const target = described.tables.find(({ name }) => name === to);
    if (target === undefined) return [];
    const referredColumns = toColumns.map((column) => writeFqn([...fqnOf(target, described), column]));
    const isSaid = constraints.some(
      (constraint) =>
        constraint.constraintType === 'FOREIGN_KEY' &&
        isSame(namesIn(constraint.columns), fromColumns) &&
        isSame(namesIn(constraint.referredColumns), referredColumns),
    );
    return isSaid ? [] : [{ constraintType: 'FOREIGN_KEY', columns: [...fromColumns], referredColumns }];
  });
}

/** A metric of one table in SQL; ratios and conditions that depend on a question have no form there. */
function exportMetric(metric: LeanMetric): ForeignRecord[] {
  const given = readBlock(metric.custom_extensions, OPENMETADATA_VENDOR).metric;
  const words = withoutEmpty({ description: metric.description });
  if (isRecord(given)) return [{ ...given, ...words }];
  const own = METRIC_EXTENSION.safeParse(readBlock(metric.custom_extensions, CANDOR)).data;
  const sql = standardSql(metric);
  if (sql === undefined || own === undefined || own.ratio !== undefined) return [];
  if (own.conditional_filters.length > 0 || (own.filters.length > 0 && own.table === undefined)) return [];
  const condition = own.filters
    .map((filter) => (own.filters.length === 1 ? filter : `(${filter})`))
    .join(' AND ');
  const code = condition === '' ? sql : `SELECT ${sql} FROM ${own.table} WHERE ${condition}`;
  const unit = isEmpty(own.unit) ? {} : { unitOfMeasurement: 'OTHER', customUnitOfMeasurement: own.unit };
  return [{ name: metric.name, ...words, metricExpression: { language: 'SQL', code }, ...unit }];
}
