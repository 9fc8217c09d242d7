import { readOneColumn } from '../../semantic/semantic-file.ts';
import type { ImportContext } from '../conversion/import-context.ts';
import { distinctDimensions, distinctMetrics, plainName } from '../conversion/names.ts';
import { type BlockData, blocks, withoutUndefined } from '../conversion/vendor-block.ts';
import { contextOf, expressionIn, type LeanDataset, type LeanField } from '../foreign/lean-model.ts';
import { type LogicalTable, resolveExpression } from '../foreign/resolve-expression.ts';
import {
  elementsOf,
  type FilterType,
  fieldKey,
  isYes,
  keepOthers,
  LOOKML_VENDOR,
  type LookmlElement,
  lose,
  placeIn,
  plainEntries,
  plainLookmlSql,
  textOf,
} from './lookml-element.ts';

/** A view that reads a table. */
export interface LookmlView {
  readonly view: LookmlElement;
  readonly source: string;
  readonly home: LogicalTable;
}

/** The table of a view: `sql_table_name`, else its own name; `undefined` for a derived table or one named by Liquid. */
export function sourceOfView(view: LookmlElement): string | undefined {
  if (view.entries.some(({ key }) => key === 'derived_table')) return undefined;
  const source = (textOf(view, 'sql_table_name') ?? view.name).replace(/[`"]/g, '').trim();
  return /^[^.\s{}'()@$]+(?:\.[^.\s{}'()@$]+){0,2}$/.test(source) ? source : undefined;
}

/** Fields as expressions see them; of a group of times its raw form and its date. */
export function logicalView(view: LookmlElement, source: string): LogicalTable {
  const members = new Map<string, string>();
  const add = (name: string, sql: string | undefined): void => {
    if (sql !== undefined) members.set(fieldKey(name), sql);
  };
  for (const dimension of elementsOf(view, 'dimension')) add(dimension.name, sqlOf(dimension, view));
  for (const group of elementsOf(view, 'dimension_group')) {
    const sql = isDuration(group) ? undefined : sqlOf(group, view);
    for (const frame of ['raw', 'time']) add(`${group.name}_${frame}`, sql);
    add(`${group.name}_date`, sql && `CAST(${sql} AS DATE)`);
  }
  return { name: view.name, table: (source.split('.').at(-1) ?? source).toLowerCase(), members };
}

function sqlOf(field: LookmlElement, view: LookmlElement): string | undefined {
  return plainLookmlSql(textOf(field, 'sql') ?? `\${TABLE}.${field.name}`, view.name);
}

function isDuration(group: LookmlElement): boolean {
  return textOf(group, 'type') === 'duration';
}

/** What filters on a field compare with. */
export function filterTypeOf(dimension: LookmlElement): FilterType {
  const type = textOf(dimension, 'type') ?? 'string';
  if (type === 'yesno' || type === 'string' || type === 'number') return type;
  return 'other';
}

export interface ReadView {
  readonly dataset: LeanDataset;
  readonly timeColumn: string | undefined;
}

export interface ViewContext {
  readonly desk: ImportContext;
  readonly tables: readonly LogicalTable[];
  /** What explores say about the rows of the view. */
  readonly ours: BlockData;
  /** Measures that are no metric of ours. */
  readonly aside: readonly LookmlElement[];
}

export function importView({ view, source, home }: LookmlView, context: ViewContext): ReadView {
  const { desk, tables, ours, aside } = context;
  desk.places.set(`dataset ${view.name}`, placeIn(view));
  const dimensions = elementsOf(view, 'dimension');
  const groups = elementsOf(view, 'dimension_group');
  const read = { home, tables, desk };
  const fields = [
    ...dimensions.map((dimension) => importField(dimension, read)),
    ...groups.flatMap((group) => (isDuration(group) ? [] : [importField(group, read)])),
  ];
  const durations = groups.filter(isDuration);
  for (const group of durations) lose(desk, 'kept', group, `duration ${group.name} has no place here`);
  const keys = dimensions.filter((dimension) => isYes(dimension, 'primary_key'));
  const primaryKey = keys.flatMap((key) => columnOf(key, read) ?? []);
  const times = fields.filter(({ dimension }) => dimension?.is_time === true);
  const [time] = times.length === 1 ? times : [];
  const timeColumn = time && `${home.table}.${time.expression.dialects[0]?.expression.toLowerCase()}`;
  if (timeColumn !== undefined)
    lose(desk, 'approximated', view, `${timeColumn} is the only time of ${view.name}, so "when" means it`);
  const words = readLabel(view);
  const used = ['sql_table_name', 'label', 'description', 'dimension', 'dimension_group', 'measure'];
  const dataset = withoutUndefined({
    name: view.name,
    source,
    primary_key: primaryKey,
    description: textOf(view, 'description'),
    ai_context: contextOf(words.synonyms),
    fields,
    custom_extensions: blocks({
      CANDOR: { time_column: timeColumn, ...ours },
      [LOOKML_VENDOR]: {
        ...keepOthers(view, used, desk),
        ...namedBlocks('dimension_group', durations),
        ...namedBlocks('measure', aside),
      },
    }),
  });
  return { dataset, timeColumn };
}

/** Elements by their name, as plain data. */
export function namedBlocks(key: string, elements: readonly LookmlElement[]): BlockData {
  if (elements.length === 0) return {};
  return { [key]: elements.map(({ name, entries }) => ({ name, ...plainEntries(entries) })) };
}

/** An element by where it stands: reading it twice makes two objects of it. */
export function keyOf({ file, offset }: LookmlElement): string {
  return `${file.path}:${offset}`;
}

/** Fields are named within their view there, within the model here. */
export function callMembers(views: readonly LookmlView[], desk: ImportContext): void {
  const listOf = (kinds: readonly string[], kind: 'dimension' | 'metric') =>
    views.flatMap(({ view }) =>
      kinds.flatMap((name) =>
        elementsOf(view, name).flatMap((field) => {
          const isShown = kind === 'metric' || (!isYes(field, 'hidden') && !isDuration(field));
          return isShown ? [{ field, owner: view.name, words: readLabel(field) }] : [];
        }),
      ),
    );
  const dimensions = listOf(['dimension', 'dimension_group'], 'dimension');
  const metrics = listOf(['measure'], 'metric');
  const given = [...distinctDimensions(dimensions), ...distinctMetrics(metrics)];
  for (const [index, { field, owner }] of [...dimensions, ...metrics].entries()) {
    const words = given[index];
    if (words?.note.called === undefined) continue;
    desk.settle(keyOf(field), words);
    lose(
      desk,
      'approximated',
      field,
      `${words.name} of ${owner}: others have its name or a synonym of it too`,
    );
  }
}

interface FieldContext {
  readonly desk: ImportContext;
  readonly home: LogicalTable;
  readonly tables: readonly LogicalTable[];
}

/** Hidden fields document a column; computed ones too, since a dimension of ours is one column. */
function importField(field: LookmlElement, context: FieldContext): LeanField {
  const { desk, home, tables } = context;
  const isGroup = field.kind === 'dimension_group';
  const { name, synonyms } = desk.wordsOf(keyOf(field), readLabel(field));
  const column = columnOf(field, context);
  const written = textOf(field, 'sql') ?? `\${TABLE}.${field.name}`;
  const plain = plainLookmlSql(written, home.name);
  const sql =
    column ?? (plain === undefined ? undefined : resolveExpression(plain, tables, home)?.sql) ?? written;
  const isHidden = isYes(field, 'hidden');
  if (!isHidden) desk.places.set(`dimension ${name}`, placeIn(field));
  if (!isHidden && column === undefined)
    lose(desk, 'kept', field, `dimension ${name} is no column; it takes no part in questions`);
  const type = textOf(field, 'type') ?? 'string';
  const isTime = isGroup || /^(?:date|time)/.test(type);
  const datatype = { number: 'Decimal', yesno: 'Boolean', string: 'String' }[type];
  const used = ['sql', 'label', 'description', 'type', 'primary_key', 'hidden', 'timeframes'];
  const kept = keepOthers(field, used, desk);
  return withoutUndefined({
    name,
    expression: expressionIn(sql),
    dimension: isHidden || column === undefined ? undefined : { is_time: isTime },
    description: textOf(field, 'description'),
    datatype: isTime ? undefined : datatype,
    ai_context: contextOf(synonyms),
    custom_extensions: blocks({ [LOOKML_VENDOR]: column === undefined ? { ...kept, sql: written } : kept }),
  });
}

/** Types whose values are made from a column. */
const COMPUTED = new Set(['tier', 'bin', 'location', 'distance']);

/** The column that a field is and nothing else. */
function columnOf(field: LookmlElement, { home, tables }: FieldContext): string | undefined {
  const isMade = COMPUTED.has(textOf(field, 'type') ?? '') || field.entries.some(({ key }) => key === 'case');
  if (isMade) return undefined;
  const plain = plainLookmlSql(textOf(field, 'sql') ?? `\${TABLE}.${field.name}`, home.name);
  const resolved = plain === undefined ? undefined : resolveExpression(plain, tables, home);
  const isOwn = resolved?.tables.every((table) => table === home.table) === true;
  return isOwn ? readOneColumn(resolved?.sql ?? '') : undefined;
}

/** The name, as its label speaks it where that is the same words; another label is a synonym. */
export function readLabel(element: LookmlElement): {
  readonly name: string;
  readonly synonyms: readonly string[];
} {
  const label = textOf(element, 'label')?.trim();
  if (label === undefined || label === '' || label === element.name)
    return { name: element.name, synonyms: [] };
  const isSpoken = element.kind !== 'view' && plainName(label).toLowerCase() === element.name.toLowerCase();
  return isSpoken ? { name: label, synonyms: [] } : { name: element.name, synonyms: [label] };
}
