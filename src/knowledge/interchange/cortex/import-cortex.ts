import { readOneColumn } from '../../semantic/semantic-file.ts';
import {
  below,
  type Called,
  ImportContext,
  joinImported,
  keepKeys,
  placeOf,
  type Spot,
} from '../conversion/import-context.ts';
import { distinctDimensions, distinctMetrics } from '../conversion/names.ts';
import {
  AsideBox,
  type BlockData,
  blocks,
  keepWritten,
  readBlock,
  withoutUndefined,
} from '../conversion/vendor-block.ts';
import type { ForeignFile, Imported } from '../foreign/conversion.ts';
import { openForeign } from '../foreign/foreign-document.ts';
import {
  completeModel,
  type LeanDataset,
  type LeanModel,
  type LeanRelationship,
} from '../foreign/lean-model.ts';
import { type LogicalTable, resolveExpression } from '../foreign/resolve-expression.ts';
import { columnText } from '../foreign/sql-expression.ts';
import { CORTEX_MODEL, type CortexModel, type CortexRelationship, RELATIONSHIP } from './cortex-shape.ts';
import { importMetrics } from './import-cortex-metrics.ts';
import { importQueries } from './import-cortex-queries.ts';
import {
  CORTEX_VENDOR,
  importTable,
  logicalTable,
  type ReadTable,
  readWords,
  sourceOf,
} from './import-cortex-table.ts';

/** Reads semantic models and semantic views of Cortex Analyst, one model a file. */
export function importCortex(files: readonly ForeignFile[]): Imported {
  return joinImported(
    files.map((file) => {
      const document = openForeign(file);
      const model = document.check(CORTEX_MODEL, document.value, []);
      return importModel(model, { document, path: [] }, new ImportContext());
    }),
  );
}

function importModel(model: CortexModel, spot: Spot, desk: ImportContext): Imported {
  callMembers(model, spot, desk);
  const aside = new AsideBox();
  const tables = importTables(model, spot, { desk, aside });
  const times = new Map(
    tables.flatMap(({ dataset, timeColumn }): [string, string][] =>
      timeColumn === undefined ? [] : [[lastPart(dataset.source).toLowerCase(), timeColumn]],
    ),
  );
  const metrics = importMetrics(model, spot, { desk, times });
  const relationships = (model.relationships ?? []).flatMap((link, index) => {
    const read = importRelationship(link, below(spot, 'relationships', index), { desk, model, tables });
    if (read === undefined) aside.add('relationships', index, link);
    return read ?? [];
  });
  const queries = importQueries(model, spot, desk);
  const { custom_instructions, module_custom_instructions } = model;
  const instructions = custom_instructions ?? undefined;
  const asides = mergeAside(aside.block(), metrics.aside, queries.aside);
  const kept = keepKeys(model, spot, {
    desk,
    known: Object.keys(CORTEX_MODEL.shape),
    kept: ['comments', 'tags'],
  });
  const modules: BlockData = module_custom_instructions == null ? {} : { module_custom_instructions };
  const mappings = tables.flatMap((table) => table.mappings);
  const lean: LeanModel = withoutUndefined({
    name: model.name,
    description: model.description ?? undefined,
    ai_context: instructions === undefined ? undefined : { instructions },
    datasets: tables.map((table) => withAside(table, metrics.asideOfTables)),
    relationships,
    metrics: [...metrics.metrics],
    custom_extensions: blocks({
      CANDOR: { value_mappings: mappings.length === 0 ? undefined : mappings },
      [CORTEX_VENDOR]: { ...kept, ...modules, ...asides, ...queries.block },
    }),
  });
  for (const { dataset, timeColumn } of tables)
    if (timeColumn !== undefined) {
      const what = `${timeColumn} is the only time dimension of ${dataset.name}, so "when" means it`;
      desk.losses.push({
        kind: 'approximated',
        place: desk.places.get(`dataset ${dataset.name}`) ?? '',
        what,
      });
    }
  return {
    models: [completeModel(lean, placeOf(spot))],
    examples: queries.examples,
    notes: notesOf(model, spot),
    losses: desk.losses,
    places: desk.places,
  };
}

/** Fields and metrics are named within their table there, within the model here. */
function callMembers(model: CortexModel, spot: Spot, desk: ImportContext): void {
  const dimensions: Called[] = [];
  const metrics: Called[] = [];
  for (const [index, table] of model.tables.entries()) {
    if (sourceOf(table) === undefined) continue;
    const owner = readWords(table).name;
    for (const list of ['dimensions', 'time_dimensions', 'metrics'] as const)
      for (const [place, element] of (table[list] ?? []).entries()) {
        const at = below(spot, 'tables', index, list, place);
        const kind = list === 'metrics' ? 'metric' : 'dimension';
        (kind === 'metric' ? metrics : dimensions).push({
          element,
          kind,
          spot: at,
          owner,
          words: readWords(element),
        });
      }
  }
  for (const [place, element] of (model.metrics ?? []).entries())
    metrics.push({
      element,
      kind: 'metric',
      spot: below(spot, 'metrics', place),
      owner: '',
      words: readWords(element),
    });
  desk.call(dimensions, distinctDimensions(dimensions));
  desk.call(metrics, distinctMetrics(metrics));
}

function importTables(
  model: CortexModel,
  spot: Spot,
  { desk, aside }: { readonly desk: ImportContext; readonly aside: AsideBox },
): ReadTable[] {
  return model.tables.flatMap((table, index) => {
    const at = below(spot, 'tables', index);
    const source = sourceOf(table);
    if (source !== undefined) return [importTable(table, source, at, desk)];
    aside.add('tables', index, table);
    const what = `table ${table.name} is no plain table of the database; make it a view to ask about it`;
    desk.lose('kept', below(at, 'base_table'), what);
    return [];
  });
}

/** Metrics of a table that found no home go into the block of its dataset. */
function withAside({ dataset, logical }: ReadTable, asideOf: ReadonlyMap<string, BlockData>): LeanDataset {
  const block = asideOf.get(logical);
  if (block === undefined) return dataset;
  const own = readBlock(dataset.custom_extensions, CORTEX_VENDOR);
  return {
    ...dataset,
    custom_extensions: blocks({
      CANDOR: readBlock(dataset.custom_extensions, 'CANDOR'),
      [CORTEX_VENDOR]: { ...own, ...mergeAside(own, block) },
    }),
  };
}

function mergeAside(...parts: readonly BlockData[]): BlockData {
  const lists = parts.flatMap(({ aside }) => (aside === undefined ? [] : [aside]));
  return lists.length === 0 ? {} : { aside: Object.assign({}, ...lists) };
}

function notesOf(model: CortexModel, spot: Spot): Imported['notes'] {
  const { custom_instructions, module_custom_instructions } = model;
  const said: [string, unknown][] = [
    ['custom_instructions', custom_instructions],
    ...Object.entries(module_custom_instructions ?? {}),
  ];
  return said.flatMap(([key, text]) => {
    if (typeof text !== 'string' || text.trim() === '') return [];
    const path = key === 'custom_instructions' ? [key] : ['module_custom_instructions', key];
    return [{ text: text.trim(), topic: model.name, place: placeOf(below(spot, ...path)) }];
  });
}

interface RelationshipContext {
  readonly desk: ImportContext;
  readonly model: CortexModel;
  readonly tables: readonly ReadTable[];
}

/** `undefined` for what is no path of equal columns from many rows to one. */
function importRelationship(
  link: CortexRelationship,
  spot: Spot,
  { desk, model, tables }: RelationshipContext,
): LeanRelationship | undefined {
  const setAside = (why: string): undefined => {
    desk.lose('kept', spot, `relationship ${link.name} ${why}`);
  };
  const [from, to] = [link.left_table, link.right_table].map((name) => {
    const table = model.tables.find((item) => item.name.toLowerCase() === name.toLowerCase());
    const read = tables.find(({ logical }) => logical === table?.name);
    return table && read ? { home: logicalTable(table), name: read.dataset.name } : undefined;
  });
  if (from === undefined || to === undefined) return setAside('names a table that is not there');
  if (link.relationship_type === 'many_to_many') return setAside('is many to many, which no join path is');
  const columnOf = (home: LogicalTable, column: string): string[] => {
    const found = readOneColumn(resolveExpression(columnText(column), [home], home)?.sql ?? '');
    return found === undefined ? [] : [found];
  };
  const pairs = link.relationship_columns;
  const from_columns = pairs.flatMap(({ left_column }) => columnOf(from.home, left_column));
  const to_columns = pairs.flatMap(({ right_column }) => columnOf(to.home, right_column));
  if (from_columns.length + to_columns.length !== 2 * pairs.length)
    return setAside('joins on what is no column');
  desk.mark(`relationship ${link.name}`, spot);
  const own = {
    ...keepKeys(link, spot, { desk, known: Object.keys(RELATIONSHIP.shape), kept: [] }),
    ...(link.join_type === 'left_outer' ? {} : { join_type: link.join_type ?? null }),
    ...(link.relationship_type === 'many_to_one'
      ? {}
      : { relationship_type: link.relationship_type ?? null }),
    ...keepWritten(JSON.stringify(pairs), JSON.stringify(columnPairs(from_columns, to_columns))),
  };
  return withoutUndefined({
    name: link.name,
    from: from.name,
    to: to.name,
    from_columns,
    to_columns,
    custom_extensions: blocks({ [CORTEX_VENDOR]: own }),
  });
}

/** The columns of a relationship as the format writes them. */
export function columnPairs(
  from: readonly string[],
  to: readonly string[],
): CortexRelationship['relationship_columns'] {
  return from.map((left_column, index) => ({ left_column, right_column: to[index] ?? '' }));
}

function lastPart(source: string): string {
  return source.split('.').at(-1) ?? source;
}
