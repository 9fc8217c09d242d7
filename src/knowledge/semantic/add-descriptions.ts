/** Writes descriptions that somebody has accepted into the semantic model, where those of people live; comments stay. */
import { basename, join } from 'node:path';
import { type Document, isMap, isSeq, parseDocument, type YAMLMap } from 'yaml';
import type { Catalog, Column, Table } from '../../catalog/index.ts';
import { CandorError } from '../../errors.ts';
import { changeFile, readTextFiles } from '../files/authored-files.ts';
import { findDatasetTable } from './find-dataset-table.ts';
import { readSemanticTexts, SEMANTIC_NAMES } from './read-semantic-model.ts';
import { readOneColumn, writeOneColumn } from './semantic-file.ts';

/** For tables that no file of the model has yet. */
const OWN_FILE = 'descriptions.yml';

const EMPTY = `# What candor knowledge described --accept wrote; yours to edit.
version: "0.2.0"
semantic_model:
  - name: descriptions
    datasets: []
`;

export interface NewDescription {
  /** Absent: of the table itself. */
  readonly column?: Column | undefined;
  /** A stored value of the column. */
  readonly value?: string | undefined;
  readonly text: string;
}

/**
 * Adds descriptions of one table to its dataset, or to a new one in `semantics/descriptions.yml`, and returns the name of
 * the file. Meanings of stored values become value mappings. What people have described meanwhile stays theirs. Throws
 * `knowledge.refused` where the file has another form, `semantics.invalid` where it is faulty already.
 */
export async function addDescriptions(
  directory: string,
  table: Table,
  added: readonly NewDescription[],
  catalog: Catalog,
): Promise<string> {
  const files = await readTextFiles(directory, SEMANTIC_NAMES, 'semantics.invalid');
  const home = files.find(({ text, shown }) => placeIn(text, { shown, table, catalog }) >= 0);
  const name = home?.name ?? OWN_FILE;
  const shown = `${basename(directory)}/${name}`;
  await changeFile(join(directory, name), shown, (text) => {
    const whole = text.trim() === '' ? EMPTY : text;
    const changed = withDescriptions(whole, { shown, table, catalog }, added);
    if (placeIn(changed, { shown, table, catalog }) < 0)
      throw new CandorError(
        'knowledge.refused',
        `${table.id} cannot be named in ${shown}; describe it by hand.`,
      );
    return changed;
  });
  return shown;
}

interface Place {
  readonly shown: string;
  readonly table: Table;
  readonly catalog: Catalog;
}

/** Which of all datasets of a file is of the table; below 0: none. */
function placeIn(text: string, { shown, table, catalog }: Place): number {
  return readSemanticTexts([{ text, shown }]).datasets.findIndex(
    (dataset) => findDatasetTable(dataset, catalog)?.id === table.id,
  );
}

function withDescriptions(text: string, place: Place, added: readonly NewDescription[]): string {
  const document = parseDocument(text);
  const { model, dataset } = datasetNode(document, text, place);
  for (const { column, value, text: said } of added) {
    if (column === undefined) describe(dataset, said);
    else if (value === undefined) describe(fieldNode(document, dataset, column), said);
    else addMapping(document, model, { dataset, column, value, said, shown: place.shown });
  }
  return document.toString({ lineWidth: 0 });
}

/** The node of the dataset, which is added where there is none, and of its model. */
function datasetNode(
  document: Document,
  text: string,
  place: Place,
): { readonly model: YAMLMap; readonly dataset: YAMLMap } {
  const { shown, table } = place;
  const models = document.get('semantic_model');
  let at = placeIn(text, place);
  for (const model of isSeq(models) ? models.items : []) {
    if (!isMap(model)) break;
    const datasets = model.get('datasets');
    if (at < 0) {
      const dataset = document.createNode({
        name: table.name,
        source: [...(table.qualifier ?? []), table.name].join('.'),
      });
      addTo(document, model, 'datasets', dataset);
      return { model, dataset };
    }
    const count = isSeq(datasets) ? datasets.items.length : 0;
    const found = isSeq(datasets) ? datasets.items[at] : undefined;
    if (isMap(found)) return { model, dataset: found };
    at -= count;
  }
  throw new CandorError('knowledge.refused', `${shown} has no list of datasets to add ${table.id} to.`);
}

function addTo(document: Document, map: YAMLMap, key: string, item: unknown): void {
  const list = map.get(key);
  if (isSeq(list) && list.items.length > 0) list.add(item);
  else map.set(key, document.createNode([item]));
}

function describe(map: YAMLMap, text: string): void {
  if (String(map.get('description') ?? '').trim() === '') map.set('description', text);
}

function fieldNode(document: Document, dataset: YAMLMap, column: Column): YAMLMap {
  const fields = dataset.get('fields');
  const isOf = (field: unknown): field is YAMLMap =>
    isMap(field) && readOneColumn(expressionOf(field))?.toLowerCase() === column.name.toLowerCase();
  const found = isSeq(fields) ? fields.items.find(isOf) : undefined;
  if (found !== undefined) return found;
  // Without `dimension` it documents a column and takes part in no question by itself.
  const expression = { dialects: [{ dialect: 'ANSI_SQL', expression: writeOneColumn(column.name) }] };
  const field = document.createNode({ name: column.name, expression });
  const dialects = field.getIn(['expression', 'dialects', 0], true);
  if (isMap(dialects)) dialects.flow = true;
  addTo(document, dataset, 'fields', field);
  return field;
}

function expressionOf(field: YAMLMap): string {
  const dialects = field.getIn(['expression', 'dialects']);
  const own = isSeq(dialects)
    ? dialects.items.find((one) => isMap(one) && String(one.get('dialect')).toUpperCase() === 'ANSI_SQL')
    : undefined;
  return isMap(own) ? String(own.get('expression') ?? '') : '';
}

interface Mapping {
  readonly dataset: YAMLMap;
  readonly column: Column;
  readonly value: string;
  readonly said: string;
  readonly shown: string;
}

function addMapping(
  document: Document,
  model: YAMLMap,
  { dataset, column, value, said, shown }: Mapping,
): void {
  const table = String(dataset.get('source')).split('.').at(-1) ?? '';
  const name = `${table}.${column.name}`;
  if (/^[^.\s]+\.[^.]+$/.test(name) === false)
    throw new CandorError(
      'knowledge.refused',
      `${shown} cannot name ${name}; write its codes down as a note.`,
    );
  const data = extensionData(document, model, shown);
  const stored = column.family === 'number' && String(Number(value)) === value ? Number(value) : value;
  addTo(
    document,
    data,
    'value_mappings',
    document.createNode({ column: name, value: stored, surface: [said] }),
  );
}

/** What Candor keeps of the model, which is added where there is none. */
function extensionData(document: Document, model: YAMLMap, shown: string): YAMLMap {
  const all = model.get('custom_extensions');
  const isOurs = (one: unknown): one is YAMLMap =>
    isMap(one) && String(one.get('vendor_name')).toUpperCase() === 'CANDOR';
  const found = isSeq(all) ? all.items.find(isOurs) : undefined;
  if (found === undefined) {
    const data = document.createNode({});
    data.flow = false;
    addTo(document, model, 'custom_extensions', document.createNode({ vendor_name: 'CANDOR', data }));
    return data;
  }
  const data = found.get('data');
  if (isMap(data)) {
    data.flow = false;
    return data;
  }
  throw new CandorError(
    'knowledge.refused',
    `The data of CANDOR in ${shown} is no mapping; write the meanings of codes there by hand.`,
  );
}
