import type { FileModel } from '../../semantic/semantic-file.ts';
import {
  type DescribedColumn,
  type DescribedTable,
  describeModel,
  tableOf,
} from '../conversion/described-model.ts';
import { canMapValues, distinctWords, modelFromDescription } from '../conversion/model-from-description.ts';
import { fileNameOf, shortestNames } from '../conversion/names.ts';
import type { ForeignFile, Imported, Loss } from '../foreign/conversion.ts';
import { readCsv, writeCsv } from '../foreign/csv-text.ts';
import { faultIn } from '../foreign/foreign-document.ts';
import { withoutEmpty } from '../foreign/foreign-record.ts';
import { readValueDescription, writeValueDescription } from './read-value-description.ts';

/** One model for each database, named after its folder; one dataset for each file, named as the table is. */
export function readDescriptions(files: readonly ForeignFile[]): Imported {
  const losses: Loss[] = [];
  const databases = new Map<string, DescribedTable[]>();
  for (const file of files) {
    const { database, table } = splitPath(file.path);
    databases.set(database, [...(databases.get(database) ?? []), readTable(file, table, losses)]);
  }
  const models = [...databases].map(([name, tables]) => {
    const names = shortestNames(tables.map((table) => [table.source]));
    const distinct = tables.map((table, index) => ({ ...table, name: names[index] ?? table.name }));
    return modelFromDescription({ name, tables: distinct, links: [], metrics: [] }, BIRD_VENDOR, losses);
  });
  return { models, examples: [], notes: [], losses };
}

/** `superhero/database_description/race.csv` is the table `race` of the database `superhero`. */
function splitPath(path: string): { database: string; table: string } {
  const steps = path.split('/');
  const table = (steps.pop() ?? '').replace(/\.csv$/i, '').trim();
  const database = steps.filter((step) => step !== DESCRIPTION_FOLDER && step !== '.').at(-1);
  return { database: database ?? 'bird', table: table === '' ? 'table' : table };
}

type Cells = Readonly<Record<DescriptionColumn, string>>;

function readTable(file: ForeignFile, table: string, losses: Loss[]): DescribedTable {
  if (file.encoding !== undefined)
    losses.push({
      kind: 'approximated',
      place: file.path,
      what: `not UTF-8; read as ${file.encoding}, as Windows spreadsheets write`,
    });
  const [header, ...rows] = readCsv(file.text, file.path);
  const places = new Map((header?.cells ?? []).map((cell, index) => [cell.trim().toLowerCase(), index]));
  if (!places.has('original_column_name'))
    throw faultIn(file.path, file.text, 0, `expected the columns ${DESCRIPTION_COLUMNS.join(', ')}`);
  const columns = new Map<string, DescribedColumn>();
  for (const { line, cells } of rows) {
    const place = `${file.path}:${line}:1`;
    const row = readCells(cells, places, { place, isLegacy: file.encoding !== undefined, losses });
    const name = row.original_column_name;
    if (name === '') {
      if (cells.some((cell) => cell.trim() !== ''))
        losses.push({ kind: 'dropped', place, what: 'a row without original_column_name' });
    } else if (columns.has(name.toLowerCase())) {
      losses.push({ kind: 'dropped', place, what: `${name} stands twice; the first row counts` });
    } else {
      columns.set(name.toLowerCase(), describe(row, table));
    }
  }
  return {
    name: table,
    source: table,
    synonyms: [],
    columns: [...columns.values()],
    primaryKey: [],
    uniqueKeys: [],
    metrics: [],
  };
}

interface RowPlace {
  readonly place: string;
  /** The file was not UTF-8, which is reported once for all of it. */
  readonly isLegacy: boolean;
  readonly losses: Loss[];
}

function readCells(
  cells: readonly string[],
  places: ReadonlyMap<string, number>,
  { place, isLegacy, losses }: RowPlace,
): Cells {
  let [repaired, lost] = [0, 0];
  const read = (column: DescriptionColumn): string => {
    const { text, repairedCount, lostCount } = repairText(cells[places.get(column) ?? -1] ?? '');
    repaired += repairedCount;
    lost += lostCount;
    return text;
  };
  const [original_column_name, column_name, column_description, data_format, value_description] = [
    read('original_column_name'),
    read('column_name'),
    read('column_description'),
    read('data_format'),
    read('value_description'),
  ];
  if (repaired > 0 && !isLegacy)
    losses.push({ kind: 'approximated', place, what: `${repaired} characters of windows-1252 put right` });
  if (lost > 0) losses.push({ kind: 'dropped', place, what: `${lost} characters were lost before (�)` });
  const known = new Set(DESCRIPTION_COLUMNS.map((column) => places.get(column)));
  if (cells.some((cell, index) => cell.trim() !== '' && !known.has(index)))
    losses.push({ kind: 'dropped', place, what: 'a cell below no known column' });
  return { original_column_name, column_name, column_description, data_format, value_description };
}

function describe(row: Cells, table: string): DescribedColumn {
  const name = row.original_column_name;
  const isNumeric = /^(?:int|integer|real|bigint|numeric|number|float)/i.test(row.data_format);
  const inWords = row.value_description;
  const read = canMapValues(table, name)
    ? readValueDescription(inWords, isNumeric)
    : { values: [], rest: inWords };
  const description = [row.column_description, read.rest].filter((text) => text !== '').join('\n');
  const synonyms = distinctWords([row.column_name], [name]);
  return {
    name,
    ...(description === '' ? {} : { description }),
    synonyms,
    ...(row.data_format === '' ? {} : { datatype: row.data_format }),
    ...(/^(?:date|time)/i.test(row.data_format) ? { isTime: true } : {}),
    values: read.values,
    extension: withoutEmpty({
      column_name: synonyms.length === 0 ? row.column_name : '',
      value_description: inWords,
    }),
  };
}

/** The columns of a description file, in the order of the published ones. */
const DESCRIPTION_COLUMNS = [
  'original_column_name',
  'column_name',
  'column_description',
  'data_format',
  'value_description',
] as const;

type DescriptionColumn = (typeof DESCRIPTION_COLUMNS)[number];

/** The vendor of what only this format knows. */
const BIRD_VENDOR = 'BIRD';

/** The folder between a database's and its files. */
const DESCRIPTION_FOLDER = 'database_description';

/** Bytes 80 to 9F of windows-1252; `undefined` where it has no character. */
const WINDOWS_1252 = [...'€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'];

export interface Repaired {
  readonly text: string;
  /** Control characters that were punctuation of windows-1252. */
  readonly repairedCount: number;
  /** Characters that an earlier program had already replaced by `�`. */
  readonly lostCount: number;
}

/**
 * Text of a spreadsheet as it was meant: line ends and spaces of one kind, and characters that were read with the
 * wrong table put right. U+0080 to U+009F are control characters nobody types; in files that were windows-1252 once
 * they are its quotes, dashes and bullets.
 */
export function repairText(text: string): Repaired {
  let repairedCount = 0;
  const repaired = text.replace(/\p{Cc}/gu, (character) => {
    const meant = WINDOWS_1252[character.charCodeAt(0) - 0x80];
    if (meant === undefined) return character;
    repairedCount += 1;
    return meant;
  });
  const clean = repaired
    .replace(/\r\n?/g, '\n')
    .replaceAll('\u00a0', ' ')
    .replace(/[ \t]+$/gm, '')
    .trim();
  return { text: clean, repairedCount, lostCount: text.split('\ufffd').length - 1 };
}

/** One file for each dataset. Computed fields are no columns and are left out. */
export function writeDescriptions(model: FileModel): readonly ForeignFile[] {
  const { name, tables } = describeModel(model, BIRD_VENDOR);
  const names = shortestNames(tables.map(({ source }) => [fileNameOf(tableOf(source))]));
  return tables.map(({ columns }, index) => {
    const rows = columns.filter(({ expression }) => expression === undefined).map(writeRow);
    return {
      path: `${fileNameOf(name)}/${DESCRIPTION_FOLDER}/${names[index]}.csv`,
      text: writeCsv([[...DESCRIPTION_COLUMNS], ...rows]),
    };
  });
}

function writeRow(column: DescribedColumn): readonly string[] {
  const { name, fieldName, synonyms, datatype = '', extension = {} } = column;
  const called = typeof extension.column_name === 'string' ? extension.column_name : '';
  const { description, values } = splitDescription(column);
  return [name, fieldName ?? synonyms[0] ?? called, description, datatype, values];
}

/** The text of the values as it came, unless somebody has changed the description or the codes since. */
function splitDescription({ description = '', values, extension = {} }: DescribedColumn): {
  description: string;
  values: string;
} {
  const came = typeof extension.value_description === 'string' ? extension.value_description : '';
  const isNumeric = values.some(({ value }) => typeof value === 'number');
  const read = values.length === 0 ? { values: [], rest: came } : readValueDescription(came, isNumeric);
  const isSame = JSON.stringify(read.values) === JSON.stringify(values);
  if (came !== '' && isSame && (read.rest === '' || `\n${description}`.endsWith(`\n${read.rest}`))) {
    const length = description.length - (read.rest === '' ? 0 : read.rest.length + 1);
    return { description: description.slice(0, Math.max(0, length)), values: came };
  }
  return { description, values: writeValueDescription(values) };
}
