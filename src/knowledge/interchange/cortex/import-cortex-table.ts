import { readOneColumn } from '../../semantic/semantic-file.ts';
import { below, type ImportContext, keepKeys, type Spot } from '../conversion/import-context.ts';
import { type NamedWords, readName } from '../conversion/names.ts';
import { type Mapping, mappingCondition, readMapping } from '../conversion/value-mapping.ts';
import {
  AsideBox,
  type BlockData,
  blocks,
  keepWritten,
  withoutUndefined,
} from '../conversion/vendor-block.ts';
import { contextOf, expressionIn, type LeanDataset, type LeanField } from '../foreign/lean-model.ts';
import { type LogicalTable, resolveExpression } from '../foreign/resolve-expression.ts';
import { localSql } from '../foreign/sql-expression.ts';
import {
  COLUMN,
  COLUMN_LISTS,
  type ColumnList,
  type CortexColumn,
  type CortexFilter,
  type CortexTable,
  FILTER,
  TABLE,
} from './cortex-shape.ts';
import { readSnowflakeType, writeSnowflakeType } from './snowflake-types.ts';

export const CORTEX_VENDOR = 'SNOWFLAKE';

export interface ReadTable {
  /** Its name in the file. */
  readonly logical: string;
  readonly dataset: LeanDataset;
  readonly mappings: readonly Mapping[];
  /** The only time dimension that is a column: what "when" means for its rows. */
  readonly timeColumn: string | undefined;
}

/** The source of a table: `database.schema.table`; `undefined` for a query. */
export function sourceOf({ base_table }: CortexTable): string | undefined {
  const { database, schema, table, definition } = base_table;
  const parts = [database, schema, table].filter((part) => part !== undefined);
  const isPlain =
    table !== undefined && definition === undefined && parts.every((part) => /^[^.\s]+$/.test(part));
  return isPlain ? parts.join('.') : undefined;
}

/** A table as expressions see it. */
export function logicalTable(table: CortexTable): LogicalTable {
  const columns = COLUMN_LISTS.flatMap((list) => table[list] ?? []);
  const members = [...columns, ...(table.metrics ?? [])].map(({ name, expr }): [string, string] => [
    name.toLowerCase(),
    String(expr ?? name),
  ]);
  return { name: table.name, table: (table.base_table.table ?? '').toLowerCase(), members: new Map(members) };
}

export function importTable(table: CortexTable, source: string, spot: Spot, desk: ImportContext): ReadTable {
  const home = logicalTable(table);
  const { name, synonyms } = readWords(table);
  desk.mark(`dataset ${name}`, spot);
  const fields = COLUMN_LISTS.flatMap((list) =>
    (table[list] ?? []).map((column, index) =>
      importColumn(column, below(spot, list, index), { desk, home, list }),
    ),
  );
  const times = fields.filter(({ dimension }) => dimension?.is_time === true);
  const [time] = times.length === 1 ? times : [];
  const column = time && readOneColumn(time.expression.dialects[0]?.expression ?? '');
  const timeColumn = column === undefined ? undefined : `${home.table}.${column.toLowerCase()}`;
  const filters = importFilters(table.filters ?? [], spot, { desk, home });
  const dataset = withoutUndefined({
    name,
    source,
    primary_key: table.primary_key?.columns,
    unique_keys: table.unique_keys?.map(({ columns }) => columns),
    description: table.description ?? undefined,
    ai_context: contextOf(synonyms),
    fields,
    custom_extensions: blocks({
      CANDOR: { time_column: timeColumn },
      [CORTEX_VENDOR]: {
        ...keepKeys(table, spot, { desk, known: Object.keys(TABLE.shape), kept: ['tags'] }),
        ...filters.block,
      },
    }),
  });
  return { logical: table.name, dataset, mappings: filters.mappings, timeColumn };
}

/** The words of a table, column or metric: its name as spoken and its synonyms. */
export function readWords(element: Pick<CortexColumn, 'name' | 'synonyms'>): NamedWords {
  return readName({ name: element.name, synonyms: element.synonyms ?? [] });
}

const KEPT_OF_COLUMN = Object.keys(COLUMN.shape).filter(
  (key) => !['name', 'synonyms', 'description', 'expr', 'data_type'].includes(key),
);

interface ColumnPlace {
  readonly desk: ImportContext;
  readonly home: LogicalTable;
  readonly list: ColumnList;
}

function importColumn(column: CortexColumn, spot: Spot, { desk, home, list }: ColumnPlace): LeanField {
  const { name, synonyms, note } = desk.wordsOf(column, readWords(column));
  const written = column.expr ?? column.name;
  const isDimension = list === 'dimensions' || list === 'time_dimensions';
  const plain = readOneColumn(written);
  // A column of its own name is the physical one; another name may be a member, as a fact of facts.
  const resolved = plain === undefined ? resolveExpression(written, [home], home)?.sql : written;
  const isColumn = plain !== undefined;
  if (isDimension) desk.mark(`dimension ${name}`, spot);
  if (isDimension && !isColumn) {
    const what = `dimension ${name} is computed (${written}); it documents a column and takes no part in questions`;
    desk.lose('kept', below(spot, 'expr'), what);
  }
  const type = column.data_type ?? undefined;
  const datatype = type === undefined ? undefined : readSnowflakeType(type);
  const sql = resolved ?? written;
  const kept: BlockData = {
    ...keepKeys(column, spot, { desk, known: Object.keys(COLUMN.shape), kept: KEPT_OF_COLUMN }),
    ...(type !== undefined && writeSnowflakeType(datatype ?? '') !== type ? { data_type: type } : {}),
    ...note,
    ...(column.expr == null ? { bare: true } : {}),
    ...(list === 'measures' || (isDimension && !isColumn) ? { list } : {}),
    ...keepWritten(written, sql, localSql(sql)),
  };
  return withoutUndefined({
    name,
    expression: expressionIn(sql),
    dimension: isDimension && isColumn ? { is_time: list === 'time_dimensions' } : undefined,
    description: column.description ?? undefined,
    datatype,
    ai_context: contextOf(synonyms),
    custom_extensions: blocks({ [CORTEX_VENDOR]: kept }),
  });
}

/** A filter that names a stored value is a value mapping; others have no effect and are kept. */
function importFilters(
  filters: readonly CortexFilter[],
  spot: Spot,
  { desk, home }: { readonly desk: ImportContext; readonly home: LogicalTable },
): { readonly mappings: readonly Mapping[]; readonly block: BlockData } {
  const aside = new AsideBox();
  const said: Record<string, unknown> = {};
  const mappings = filters.flatMap((filter, index) => {
    const at = below(spot, 'filters', index);
    at.document.unknownKeys(filter, Object.keys(FILTER.shape), at.path);
    const words = readWords(filter);
    const mapping = readMapping([words.name, ...words.synonyms], filter.expr, home);
    if (mapping === undefined) {
      aside.add('filters', index, filter);
      desk.lose('kept', at, `filter ${filter.name} is more than a name of one value; it has no effect here`);
      return [];
    }
    const { name: _, synonyms: __, expr, ...rest } = filter;
    const notes = { ...rest, ...keepWritten(expr, mappingCondition(mapping)) };
    if (Object.keys(notes).length > 0) said[mapping.surface[0] ?? ''] = notes;
    return [mapping];
  });
  const notes: BlockData = Object.keys(said).length === 0 ? {} : { filters_said: said };
  return { mappings, block: { ...aside.block(), ...notes } };
}
