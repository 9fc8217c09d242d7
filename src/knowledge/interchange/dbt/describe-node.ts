import { readOneColumn } from '../../semantic/semantic-file.ts';
import type { DescribedColumn, DescribedTable, DescribedValue } from '../conversion/described-model.ts';
import { canMapValues, distinctWords } from '../conversion/model-from-description.ts';
import type { Loss } from '../foreign/conversion.ts';
import { type ForeignRecord, recordsIn, textOf, withoutEmpty } from '../foreign/foreign-record.ts';
import { rewriteColumns } from '../foreign/sql-expression.ts';
import type { CatalogColumn, DbtNode } from './dbt-project.ts';
import { acceptedValuesOf, keysOf } from './dbt-tests.ts';
import { columnOf, entitiesOf, expressionOf, type SemanticModel } from './semantic-layer.ts';
import { readSpoken, synonymsIn } from './spoken-words.ts';

interface NodePlace {
  readonly name: string;
  readonly semantic: SemanticModel | undefined;
  readonly losses: Loss[];
}

/** A table of the project, with the dimensions of its semantic model where it has one. */
export function describeNode(node: DbtNode, { name, semantic, losses }: NodePlace): DescribedTable {
  const { properties, relation, kind, source } = node;
  const documented = recordsIn(properties.columns);
  const columns = withDimensions(describeColumns(node, losses), semantic, losses);
  const keys = keysOf(properties, documented);
  const own = spokenText(properties.description, node.place, losses);
  const { description: _, columns: __, ...rest } = properties;
  const { dimensions, ...layer } = semantic?.record ?? {};
  const order = recordsIn(dimensions).map((dimension) => dimension.name);
  return {
    name,
    source: relation.join('.'),
    description: own.text ?? textOf(semantic?.record.description),
    synonyms: distinctWords(synonymsIn(properties), [name]),
    columns,
    primaryKey: keys.primaryKey.length > 0 ? keys.primaryKey : primaryEntity(semantic),
    uniqueKeys: keys.uniqueKeys,
    metrics: [],
    timeColumn: defaultTime(semantic),
    extension: withoutEmpty({
      kind,
      name: node.name === name ? '' : node.name,
      source,
      described:
        own.text === undefined && textOf(semantic?.record.description) !== undefined ? 'semantic_model' : '',
      properties: { ...rest, ...own.kept },
      semantic_model:
        semantic === undefined ? {} : { ...layer, ...(order.length === 0 ? {} : { dimensions: order }) },
    }),
  };
}

function primaryEntity(semantic: SemanticModel | undefined): readonly string[] {
  const [entity] = entitiesOf(semantic?.record ?? {}, ['primary']);
  const column = entity && columnOf(entity);
  return column === undefined ? [] : [column];
}

function defaultTime(semantic: SemanticModel | undefined): string | undefined {
  const name = recordsIn([semantic?.record.defaults])[0]?.agg_time_dimension;
  const dimension = recordsIn(semantic?.record.dimensions).find(
    (item) => name !== undefined && item.name === name,
  );
  return dimension && columnOf(dimension);
}

/** A text for people; one that a `doc` block holds is not here, and its call is kept. */
function spokenText(
  raw: unknown,
  place: string,
  losses: Loss[],
): { readonly text?: string; readonly kept: ForeignRecord } {
  const text = textOf(raw);
  if (text === undefined) return { kept: {} };
  if (!/\{\{[\s\S]*\}\}/.test(text)) return { text, kept: {} };
  losses.push({
    kind: 'kept',
    place,
    what: 'a description that stands in a doc block; the manifest holds its text',
  });
  return { kept: { description: raw } };
}

/** As the catalog lists them, with the words of the documentation; as documented where there is no catalog. */
function describeColumns(node: DbtNode, losses: Loss[]): DescribedColumn[] {
  const { catalog, properties, place } = node;
  const documented = new Map(
    recordsIn(properties.columns).map((column) => [String(column.name).toLowerCase(), column]),
  );
  const inCatalog =
    catalog ?? [...documented.values()].map((column): CatalogColumn => ({ name: String(column.name) }));
  const known = new Set(inCatalog.map(({ name }) => name.toLowerCase()));
  for (const [name] of documented)
    if (!known.has(name))
      losses.push({ kind: 'dropped', place: `${place}.${name}`, what: 'documented, but not in the catalog' });
  return inCatalog
    .filter(({ name }) => name.trim() !== '')
    .map((column) => describeColumn(column, documented.get(column.name.toLowerCase()), node, losses));
}

function describeColumn(
  { name, type, comment }: CatalogColumn,
  documented: ForeignRecord | undefined,
  { relation, place }: DbtNode,
  losses: Loss[],
): DescribedColumn {
  const { name: _, description, data_type: declared, ...rest } = documented ?? {};
  const { text = comment, kept } = spokenText(description, `${place}.${name}`, losses);
  const datatype = type ?? textOf(declared);
  const accepted = acceptedValuesOf(documented ?? {});
  const isTime = datatype !== undefined && /^(?:date|time)/i.test(datatype);
  return {
    name,
    ...(text === undefined ? {} : { description: text }),
    synonyms: distinctWords(synonymsIn(documented ?? {}), [name]),
    ...(datatype === undefined ? {} : { datatype }),
    ...(isTime ? { isTime } : {}),
    values: canMapValues(relation.join('.'), name) ? accepted.flatMap(spokenValue) : [],
    extension: withoutEmpty({ column: { ...rest, ...kept } }),
  };
}

/** A value that is a word stands for itself; a bare number says nothing. */
function spokenValue(value: string | number): DescribedValue[] {
  if (typeof value === 'number' || !/\p{L}{2}/u.test(value)) return [];
  const spaced = value.replace(/[_-]+/g, ' ').trim();
  return [{ value, surface: distinctWords([value, spaced], []) }];
}

/** The columns with the dimensions of the semantic model: in its place where a dimension is one, else behind them. */
function withDimensions(
  columns: readonly DescribedColumn[],
  semantic: SemanticModel | undefined,
  losses: Loss[],
): readonly DescribedColumn[] {
  if (semantic === undefined) return columns;
  const all = columns.map((column): DescribedColumn => ({ ...column, isDimension: false }));
  for (const dimension of recordsIn(semantic.record.dimensions)) {
    if (textOf(dimension.name) === undefined) continue;
    const column = columnOf(dimension);
    const at = all.findIndex(
      ({ name, isDimension }) =>
        !isDimension && column !== undefined && name.toLowerCase() === column.toLowerCase(),
    );
    const found = all[at];
    if (found === undefined) all.push(...newDimension(dimension, semantic, losses));
    else all[at] = asDimension(found, dimension);
  }
  return all;
}

function asDimension(column: DescribedColumn, record: ForeignRecord): DescribedColumn {
  const { name, description, ...rest } = record;
  const { label } = record;
  const [own, said] = [textOf(description), textOf(label)];
  const fieldName = readSpoken(String(name), said);
  const isLabelName = said !== name && fieldName === said;
  const { column: kept } = column.extension ?? {};
  const isBoth = own !== undefined && column.description !== undefined;
  return {
    ...column,
    ...(fieldName === column.name ? {} : { fieldName }),
    ...(own === undefined ? {} : { description: own }),
    ...(said === undefined || isLabelName ? {} : { label: said }),
    isDimension: true,
    ...(record.type === 'time' ? { isTime: true } : { isTime: false }),
    extension: withoutEmpty({
      column:
        isBoth && own !== column.description
          ? { ...recordsIn([kept])[0], description: column.description }
          : kept,
      dimension: { name, ...rest },
      described: own === undefined ? '' : isBoth && own === column.description ? 'both' : 'dimension',
    }),
  };
}

/** A dimension that is no documented column: another reading of one, or computed. */
function newDimension(
  record: ForeignRecord,
  { record: model, table }: SemanticModel,
  losses: Loss[],
): DescribedColumn[] {
  const expression = expressionOf(record);
  const column = readOneColumn(expression);
  const bare = { name: column ?? String(record.name), synonyms: [], values: [] };
  const dimension = asDimension(bare, record);
  const extension = { ...dimension.extension, only_dimension: true };
  if (column !== undefined) return [{ ...dimension, extension }];
  const sql = rewriteColumns(expression, (parts) =>
    parts.length === 1 ? `${table.table}.${parts[0]}` : parts.join('.'),
  );
  if (sql === undefined) {
    const what = `the expression of the dimension ${String(record.name)} is not understood`;
    losses.push({ kind: 'kept', place: `${String(model.name)}.${String(record.name)}`, what });
  }
  return [{ ...dimension, fieldName: dimension.fieldName ?? bare.name, expression, extension }];
}
