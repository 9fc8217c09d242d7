import { inQuotes } from '../../../sql/dialects/index.ts';
import type {
  DescribedColumn,
  DescribedLink,
  DescribedModel,
  DescribedTable,
} from '../conversion/described-model.ts';
import { type ForeignRecord, recordsIn, withoutEmpty } from '../foreign/foreign-record.ts';
import { isRecord } from '../foreign/lean-model.ts';
import { type DbtNode, writeReference } from './dbt-project.ts';
import { entitiesOf } from './semantic-layer.ts';
import { dbtName } from './spoken-words.ts';

interface SemanticParts {
  readonly described: DescribedModel;
  /** Links that start here. */
  readonly links: readonly DescribedLink[];
  /** Measures of metrics that were not dbt's. */
  readonly measures: readonly ForeignRecord[];
}

/**
 * The semantic model of a table: the one that was imported, with what has been added since, or a new one. A table that
 * came from dbt without one gets it only for a metric that needs it.
 */
export function exportSemanticModel(
  table: DescribedTable,
  node: DbtNode,
  { described, links, measures }: SemanticParts,
): ForeignRecord | undefined {
  const given = isRecord(table.extension?.semantic_model) ? table.extension.semantic_model : undefined;
  const isForeign = table.extension?.kind !== undefined;
  const dimensions = table.columns.flatMap((column) =>
    exportDimension(column, !isForeign || given !== undefined),
  );
  if (given !== undefined) {
    const order = Array.isArray(given.dimensions) ? given.dimensions : [];
    const place = ({ name }: ForeignRecord): number =>
      order.includes(name) ? order.indexOf(name) : order.length;
    const sorted = [...dimensions].sort((a, b) => place(a) - place(b));
    const all = [...recordsIn(given.measures), ...measures];
    return { ...given, ...withoutEmpty({ dimensions: sorted, measures: all }) };
  }
  if (measures.length === 0 && (isForeign || dimensions.length === 0)) return undefined;
  const entities = ownEntities(table, { described, links });
  return {
    name: dbtName(table.name),
    model: writeReference(node),
    ...withoutEmpty({
      defaults: withoutEmpty({ agg_time_dimension: timeDimension(table, table.timeColumn) }),
      primary_entity: entitiesOf({ entities }, ['primary']).length === 0 ? primaryEntityName(table) : '',
      entities,
      dimensions,
      measures,
    }),
  };
}

/** The dimension for a field; one that was dbt's keeps its form. */
function exportDimension(column: DescribedColumn, isWanted: boolean): ForeignRecord[] {
  const { extension = {}, description, isDimension, label, fieldName } = column;
  const given = isRecord(extension.dimension) ? extension.dimension : undefined;
  if (given === undefined && (!isWanted || !isDimension || column.expression !== undefined)) return [];
  const name = typeof given?.name === 'string' ? given.name : dimensionName(column);
  const called = fieldName ?? column.name;
  const said = label ?? (called !== name && dbtName(called) === name ? called : undefined);
  const hasText = extension.described === 'dimension' || extension.described === 'both';
  const text = withoutEmpty({ description: hasText ? description : undefined });
  if (given !== undefined) return [{ ...given, ...withoutEmpty({ label }), ...text }];
  const isTime = column.isTime === true;
  return [
    {
      name,
      type: isTime ? 'time' : 'categorical',
      ...withoutEmpty({ label: said }),
      ...text,
      ...(column.name === name ? {} : { expr: sqlName(column.name) }),
      ...(isTime ? { type_params: { time_granularity: 'day' } } : {}),
    },
  ];
}

function dimensionName({ fieldName, name }: DescribedColumn): string {
  return dbtName(fieldName ?? name);
}

function sqlName(column: string): string {
  return /^\w+$/.test(column) ? column : inQuotes(column, '"');
}

/** The name of the time dimension of a column. */
export function timeDimension(table: DescribedTable, column: string | undefined): string | undefined {
  const found = table.columns.find(
    (item) => item.isDimension && item.isTime && item.name.toLowerCase() === column?.toLowerCase(),
  );
  return found && (nameOfDimension(found) ?? undefined);
}

/** What the dimension of a field is called in dbt. */
export function nameOfDimension(column: DescribedColumn): string {
  const given = isRecord(column.extension?.dimension) ? column.extension.dimension.name : undefined;
  return typeof given === 'string' ? given : dimensionName(column);
}

/** Entities and dimensions share their names, so that an entity is called after its table and key. */
export function primaryEntityName(table: DescribedTable): string {
  const given = isRecord(table.extension?.semantic_model) ? table.extension.semantic_model : {};
  if (typeof given.primary_entity === 'string') return given.primary_entity;
  const [entity] = entitiesOf(given, ['primary']);
  return entity === undefined ? `${dbtName(table.name)}_key` : String(entity.name);
}

/** The key of the table, and keys of tables that one link leads to. */
function ownEntities(
  table: DescribedTable,
  { described, links }: Omit<SemanticParts, 'measures'>,
): ForeignRecord[] {
  const [key, second] = table.primaryKey;
  const own =
    key === undefined || second !== undefined
      ? []
      : [{ name: primaryEntityName(table), type: 'primary', expr: sqlName(key) }];
  const foreign = links.flatMap((link) => {
    const target = described.tables.find(({ name }) => name === link.to);
    const isOnly = links.filter(({ to }) => to === link.to).length === 1;
    const [column, other] = link.fromColumns;
    const isKey = target?.primaryKey.length === 1 && target.primaryKey[0] === link.toColumns[0];
    if (target === undefined || !isOnly || !isKey || column === undefined || other !== undefined) return [];
    if (target.name === table.name) return [];
    return [{ name: primaryEntityName(target), type: 'foreign', expr: sqlName(column) }];
  });
  return [...own, ...foreign];
}
