import {
  type FileExtensions,
  type FileField,
  type FileModel,
  type FileRelationship,
  writeOneColumn,
} from '../../semantic/semantic-file.ts';
import type { Loss } from '../foreign/conversion.ts';
import { carried, type ForeignRecord, withoutEmpty } from '../foreign/foreign-record.ts';
import { completeModel, type LeanDataset, type LeanModel } from '../foreign/lean-model.ts';
import {
  CANDOR,
  columnKey,
  type DescribedColumn,
  type DescribedLink,
  type DescribedModel,
  type DescribedTable,
  tableOf,
} from './described-model.ts';
import { distinctName, repeatedWords } from './names.ts';

/**
 * The semantic model that says what a description says. Names that questions use are made distinct: a field that
 * stands in several tables is called with its table. Names of tables must be distinct already.
 */
export function modelFromDescription(described: DescribedModel, vendor: string, losses: Loss[]): FileModel {
  const dimensions = described.tables.flatMap(({ columns }) => columns.filter(isDimension).map(fieldName));
  const place: FieldPlace = { vendor, repeated: repeatedWords(dimensions), taken: new Set(), losses };
  const mappings = described.tables.flatMap((table) => valueMappings(table, losses));
  for (const name of place.repeated)
    losses.push({
      kind: 'approximated',
      place: `${described.name}.${name}`,
      what: `several tables have a field of this name; each is called with its table, as "… ${name}"`,
    });
  const lean: LeanModel = {
    name: described.name,
    ...(described.description === undefined ? {} : { description: described.description }),
    datasets: described.tables.map((table) => dataset(table, place)),
    relationships: relationships(described, vendor, losses),
    metrics: [...described.metrics],
    custom_extensions: [
      ...block(CANDOR, mappings.length === 0 ? {} : { value_mappings: mappings }),
      ...block(vendor, described.extension),
    ],
  };
  return completeModel(lean, described.name);
}

interface FieldPlace {
  readonly vendor: string;
  /** Names of dimensions that several tables have, in lower case. */
  readonly repeated: ReadonlySet<string>;
  readonly taken: Set<string>;
  readonly losses: Loss[];
}

function dataset(table: DescribedTable, place: FieldPlace): LeanDataset {
  const time = table.timeColumn;
  return {
    name: table.name,
    source: table.source,
    primary_key: [...table.primaryKey],
    unique_keys: table.uniqueKeys.map((key) => [...key]),
    ...(table.description === undefined ? {} : { description: table.description }),
    ...context(table.synonyms),
    fields: table.columns.map((column) => field(column, table, place)),
    metrics: [...table.metrics],
    custom_extensions: [
      ...block(CANDOR, time === undefined ? {} : { time_column: `${tableOf(table.source)}.${time}` }),
      ...block(place.vendor, table.extension),
    ],
  };
}

function field(column: DescribedColumn, table: DescribedTable, place: FieldPlace): FileField {
  const name = fieldName(column);
  const isRepeated = place.repeated.has(name.toLowerCase());
  const names = isRepeated ? [`${table.name} ${name}`] : [name];
  const asDimension = isDimension(column);
  if (column.expression !== undefined && column.isDimension === true)
    place.losses.push({
      kind: 'kept',
      place: `${table.name}.${name}`,
      what: 'a computed dimension; questions filter and group by columns only',
    });
  return {
    name: asDimension ? distinctName(names, place.taken) : name,
    expression: {
      dialects: [{ dialect: 'ANSI_SQL', expression: column.expression ?? writeOneColumn(column.name) }],
    },
    ...(asDimension ? { dimension: column.isTime === undefined ? {} : { is_time: column.isTime } } : {}),
    ...(column.label === undefined ? {} : { label: column.label }),
    ...(column.description === undefined ? {} : { description: column.description }),
    ...(column.datatype === undefined ? {} : { datatype: column.datatype }),
    ...context(column.synonyms),
    custom_extensions: block(place.vendor, column.extension),
  };
}

function fieldName({ name, fieldName: called }: DescribedColumn): string {
  return called ?? name;
}

/** A column that nobody has said anything about stays a column: it would only add words to confuse. */
function isDimension({ expression, isDimension: said, ...column }: DescribedColumn): boolean {
  if (expression !== undefined) return false;
  const { description, label, synonyms, values } = column;
  return said ?? (description !== undefined || label !== undefined || synonyms.length + values.length > 0);
}

function context(synonyms: readonly string[]): { ai_context?: { synonyms: string[] } } {
  return synonyms.length === 0 ? {} : { ai_context: { synonyms: [...synonyms] } };
}

/** A block of `custom_extensions`, none where it would be empty. */
function block(vendor: string, data: ForeignRecord | undefined): FileExtensions {
  const kept = withoutEmpty(data ?? {});
  return Object.keys(kept).length === 0 ? [] : [{ vendor_name: vendor, data: carried(kept) }];
}

interface Mapping {
  readonly column: string;
  readonly value: string | number;
  readonly surface: readonly string[];
}

/** Whether the codes of a column can be mapped: names of mappings are written `table.column`. */
export function canMapValues(source: string, column: string): boolean {
  return /^[^.\s]+$/.test(tableOf(source)) && !column.includes('.');
}

function valueMappings(table: DescribedTable, losses: Loss[]): Mapping[] {
  return table.columns.flatMap((column) => {
    if (column.values.length === 0 || column.expression !== undefined) return [];
    const key = columnKey(tableOf(table.source), column.name);
    if (!canMapValues(table.source, column.name)) {
      losses.push({
        kind: 'dropped',
        place: key,
        what: 'names of codes: no `table.column` names this column',
      });
      return [];
    }
    const taken = new Set<string>();
    return column.values.flatMap(({ value, surface }): Mapping[] => {
      const free = surface.filter((word) => !taken.has(word.toLowerCase()));
      for (const word of surface) taken.add(word.toLowerCase());
      if (free.length < surface.length)
        losses.push({
          kind: 'dropped',
          place: key,
          what: 'a name that stands for two codes; the first keeps it',
        });
      return free.length === 0 ? [] : [{ column: key, value, surface: free }];
    });
  });
}

function relationships(
  { tables, links }: DescribedModel,
  vendor: string,
  losses: Loss[],
): FileRelationship[] {
  const known = new Set(tables.map(({ name }) => name));
  const taken = new Set<string>();
  const seen = new Set<string>();
  return links.flatMap((link): FileRelationship[] => {
    const problem = linkProblem(link, known, seen);
    if (problem !== undefined) {
      losses.push({ kind: 'dropped', place: `${link.from}.${link.fromColumns.join('+')}`, what: problem });
      return [];
    }
    const plain = `${link.from}_${link.to}`;
    const names = link.name === undefined ? [plain, `${plain}_${link.fromColumns.join('_')}`] : [link.name];
    return [
      {
        name: distinctName(names, taken),
        from: link.from,
        to: link.to,
        from_columns: [...link.fromColumns],
        to_columns: [...link.toColumns],
        ...context(link.synonyms),
        custom_extensions: block(vendor, link.extension),
      },
    ];
  });
}

function linkProblem(link: DescribedLink, known: ReadonlySet<string>, seen: Set<string>): string | undefined {
  const { from, to, fromColumns, toColumns } = link;
  if (!known.has(from) || !known.has(to))
    return `a link to ${known.has(from) ? to : from}, which is not here`;
  if (fromColumns.length === 0 || fromColumns.length !== toColumns.length)
    return 'a link without pairs of columns';
  const key = JSON.stringify([from, to, fromColumns, toColumns]);
  if (seen.has(key)) return 'a link that stands twice';
  seen.add(key);
  return undefined;
}

/** Synonyms that add something: each once, none the same as a name that is there already. */
export function distinctWords(words: readonly unknown[], names: readonly string[]): string[] {
  const taken = new Set(names.map((name) => name.toLowerCase()));
  return words.flatMap((word) => {
    const clean = typeof word === 'string' ? word.trim() : '';
    if (clean === '' || taken.has(clean.toLowerCase())) return [];
    taken.add(clean.toLowerCase());
    return [clean];
  });
}
