/** Loads files into the tables of a DuckDB database. Runs in the loader's process. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { compareText, hashText } from '../../lib/index.ts';
import { quoteName, quoteText } from '../../sql/dialects/index.ts';
import { type CsvText, openCsv, readCsv, readCsvFiles } from './csv-text.ts';
import {
  byFormat,
  type FileGroup,
  freeName,
  quotePath,
  type SourceFile,
  stemOfPath,
  tableName,
} from './file-source.ts';
import {
  type ColumnType,
  convertTexts,
  leaveOutTotal,
  MISFIT,
  sampleTypes,
  type TextReading,
  typedColumn,
} from './text-types.ts';
import { readWorkbook } from './workbook.ts';

/** One table that was made, for people. */
export interface LoadedTable {
  readonly name: string;
  readonly rows: number;
  /** What was decided or left out while it was read. */
  readonly notes: readonly string[];
}

export interface LoadContext {
  readonly connection: DuckDBConnection;
  /** For copies in UTF-8 and sheets as text; removed afterwards. */
  readonly folder: string;
  /** Names of the tables that are there. */
  readonly taken: Set<string>;
}

/** What DuckDB reads, and how its columns are called. */
interface Relation {
  /** A call of a table function. */
  readonly from: string;
  /** What the file calls its columns, where the relation has other names. */
  readonly headers?: ReadonlyMap<string, readonly string[]>;
  /** Between the cells of a text. */
  readonly delimiter?: string;
  readonly notes: readonly string[];
}

const MOST_COLUMNS = 2_000;
const MOST_JSON_BYTES = 64 * 1024 * 1024;
/** Of a table that several files make: where a row comes from. */
const FILE_COLUMN = 'source_file';

/** Makes the tables of one group. Throws what DuckDB says where a file is not what its name says. */
export async function loadGroup(group: FileGroup, context: LoadContext): Promise<LoadedTable[]> {
  const tables: LoadedTable[] = [];
  for (const { name, files } of await byFormat(group)) {
    const [first] = files;
    const note =
      first!.format === group.files[0]!.format ? [] : [`read as ${first!.format}, in spite of its name`];
    const loaded =
      first!.format === 'workbook'
        ? await loadWorkbook(name, first!.path, context)
        : await loadFamily({ name, files }, context);
    tables.push(...loaded.map((table) => ({ ...table, notes: [...note, ...table.notes] })));
  }
  if (tables.length === 0) throw new Error('it is empty');
  return tables;
}

async function loadFamily(group: FileGroup, context: LoadContext): Promise<LoadedTable[]> {
  const parts = await byColumns(group, context);
  const tables: LoadedTable[] = [];
  for (const { name, files } of parts) {
    const table = await loadFiles(name, files, context);
    if (table === undefined) continue;
    const isApart = parts.length > 1 && name !== group.name;
    const note = `other columns than those of ${group.name}: a table of its own`;
    tables.push(isApart ? { ...table, notes: [note, ...table.notes] } : table);
  }
  return tables;
}

async function loadFiles(
  name: string,
  files: readonly SourceFile[],
  context: LoadContext,
): Promise<LoadedTable | undefined> {
  const [first] = files;
  const free = freeName(name, context.taken);
  if (first!.format === 'parquet') return createTable(free, { from: readCall(files), notes: [] }, context);
  if (first!.format === 'json') return loadJson(free, files, context);
  const texts = await openTexts(
    files.map(({ path }) => path),
    context,
    true,
  );
  return texts.length === 0 ? undefined : loadCsv(free, texts, context);
}

/** The types of JSON are those of its beginning; a value further down that does not fit them sends it through once more. */
async function loadJson(
  name: string,
  files: readonly SourceFile[],
  context: LoadContext,
): Promise<LoadedTable> {
  try {
    return await createTable(name, { from: readCall(files), notes: [] }, context);
  } catch (error) {
    if (!isTransformFault(error)) throw error;
    return createTable(name, { from: readCall(files, ', sample_size=-1'), notes: [] }, context);
  }
}

function isTransformFault(error: unknown): boolean {
  return error instanceof Error && /JSON transform error/i.test(error.message);
}

function readCall(files: readonly SourceFile[], options = ''): string {
  const paths = `[${files.map(({ path }) => quotePath(path)).join(', ')}]`;
  return files[0]!.format === 'json'
    ? `read_json(${paths}, maximum_object_size=${MOST_JSON_BYTES}${options}${unionOptions(files.length)})`
    : `read_parquet(${paths}${unionOptions(files.length)})`;
}

function unionOptions(files: number): string {
  return files > 1 ? `, union_by_name=true, filename='${FILE_COLUMN}'` : '';
}

/** The files of a group that have the same columns make one table; each of the others one of its own. */
async function byColumns(group: FileGroup, context: LoadContext): Promise<FileGroup[]> {
  if (group.files.length === 1) return [group];
  const alike = new Map<string, SourceFile[]>();
  for (const file of group.files) {
    const key = await columnsKey(file, context);
    if (key !== undefined) alike.set(key, [...(alike.get(key) ?? []), file]);
  }
  const [largest] = [...alike.values()].sort((a, b) => b.length - a.length);
  return [...alike.values()].map((files) => ({
    name: files === largest ? group.name : tableName(stemOfPath(files[0]!.path)),
    files,
  }));
}

async function columnsKey(file: SourceFile, context: LoadContext): Promise<string | undefined> {
  if (file.format !== 'csv') {
    const columns = await describe(readCall([file]), context);
    return columns
      .map(({ name }) => tableName(name))
      .sort(compareText)
      .join('\n');
  }
  const [text] = await openTexts([file.path], context, true);
  return text?.names.map(tableName).sort(compareText).join('\n');
}

async function openTexts(
  paths: readonly string[],
  { folder }: LoadContext,
  isUtf8: boolean,
): Promise<CsvText[]> {
  const texts: CsvText[] = [];
  for (const path of paths) {
    const text = await openCsv(path, folder, isUtf8);
    if (text !== undefined) texts.push(text);
  }
  return texts;
}

/** The strict reading first; then lines with too few cells; then without the lines that do not fit. */
const STRICTNESS = ['strict', 'padded', 'lenient'] as const;
type Strictness = (typeof STRICTNESS)[number];

const OPTIONS: Readonly<Record<Strictness, string>> = {
  strict: '',
  padded: ', null_padding=true, parallel=false',
  lenient: ', null_padding=true, parallel=false, ignore_errors=true, store_rejects=true',
};
/** Lines with too few cells that are looked at. */
const MOST_SHORT = 10_000;

async function loadCsv(name: string, opened: readonly CsvText[], context: LoadContext): Promise<LoadedTable> {
  let texts = opened;
  let isTyped = true;
  let short: ShortLines = { remarks: [], notes: [] };
  for (let attempt = 0; ; ) {
    const strictness = STRICTNESS[attempt]!;
    try {
      const table = await createTable(
        name,
        await csvRelation(texts, { strictness, isTyped, short }, context),
        context,
      );
      return {
        ...table,
        notes: [...table.notes, ...short.notes, ...(await rejectedLines(strictness, context))],
      };
    } catch (error) {
      const mayRecode = texts === opened && opened.every(({ encoding }) => encoding === undefined);
      if (isTyped && error instanceof Error && error.message.includes(MISFIT)) isTyped = false;
      else if (mayRecode && isEncodingFault(error))
        texts = await openTexts(
          opened.map(({ source }) => source),
          context,
          false,
        );
      else if (attempt + 1 < STRICTNESS.length) {
        attempt += 1;
        if (attempt === 1) short = await findShortLines(texts, context);
      } else throw error;
    }
  }
}

function isEncodingFault(error: unknown): boolean {
  return error instanceof Error && /not utf-8 encoded|invalid unicode/i.test(error.message);
}

interface CsvReading {
  readonly strictness: Strictness;
  /** Whether the types of the beginning are tried. */
  readonly isTyped: boolean;
  readonly short: ShortLines;
}

async function csvRelation(
  texts: readonly CsvText[],
  { strictness, isTyped, short }: CsvReading,
  context: LoadContext,
): Promise<Relation> {
  const [{ encoding, names, delimiter, notes: decided }] = texts as readonly [CsvText, ...CsvText[]];
  const notes = [...(encoding === undefined ? [] : [`read as ${encoding}`]), ...decided];
  const called = nameColumns(names.map((name) => ({ name, type: 'VARCHAR' })));
  const columns = called.map(({ name }) => name);
  const fileColumn = texts.length > 1 ? `, filename='${FILE_COLUMN}'` : '';
  const all = readCsvFiles(texts, columns, fileColumn + OPTIONS[strictness]);
  const isLenient = strictness === 'lenient';
  const sampled = isLenient
    ? readCsvFiles(texts, columns, fileColumn + OPTIONS.lenient.replace(', store_rejects=true', ''))
    : all;
  const types = isTyped
    ? await sampleTypes(sampled, { columns, delimiter }, context.connection)
    : new Map<string, ColumnType>();
  const list = columns.map((column) => typedColumn(column, types.get(column)));
  if (texts.length > 1) list.push(FILE_COLUMN);
  return {
    from: `(SELECT ${list.join(', ')} FROM ${all}${withoutRemarks(columns, short)})`,
    headers: new Map(called.map(({ name, path }) => [name, path])),
    ...{ notes, delimiter },
  };
}

interface ShortLines {
  /** The only cell of lines that are no rows: comments, and what a program writes below its table. */
  readonly remarks: readonly string[];
  readonly notes: readonly string[];
}

/** Lines with too few cells. One with a single cell below several columns is a remark, no row. */
async function findShortLines(texts: readonly CsvText[], { connection }: LoadContext): Promise<ShortLines> {
  const width = texts[0]!.names.length;
  const columns = texts[0]!.names.map((_, at) => `column_${at + 1}`);
  const lenient = `, ignore_errors=true, store_rejects=true, rejects_limit=${MOST_SHORT}`;
  for (const text of texts) await connection.run(`SELECT count(*) FROM ${readCsv([text], columns, lenient)}`);
  const reader = await connection.runAndReadAll(
    `SELECT line, any_value(csv_line), min(column_idx) FROM reject_errors WHERE error_type = 'MISSING COLUMNS' GROUP BY scan_id, line ORDER BY line`,
  );
  await connection.run('DROP TABLE reject_errors; DROP TABLE reject_scans');
  const lines = reader.getRows().map(([line, text, cells]) => ({
    line: Number(line),
    text: String(text).trim(),
    cells: Number(cells),
  }));
  const isRemark = ({ text, cells }: (typeof lines)[number]): boolean =>
    cells === 1 && (width > 2 || /^(?:#|--|\/\/|\()/.test(text));
  const remarks = lines.filter(isRemark);
  const padded = lines.filter((line) => !isRemark(line));
  const notes: string[] = [];
  if (remarks.length > 0)
    notes.push(
      `lines that are no rows left out: ${remarks.length}, the first is line ${remarks[0]!.line}: ${remarks[0]!.text.slice(0, 60)}`,
    );
  if (padded.length > 0)
    notes.push(
      `lines with fewer cells than columns: ${padded.length}, the first is line ${padded[0]!.line}; what they lack is empty`,
    );
  return { remarks: [...new Set(remarks.map(({ text }) => text.replace(/^"(.*)"$/, '$1')))], notes };
}

function withoutRemarks([first, ...others]: readonly string[], { remarks }: ShortLines): string {
  if (remarks.length === 0) return '';
  const empty = others.map((column) => `${quoteName(column, 'duckdb')} IS NULL`).join(' AND ');
  const texts = remarks.map((text) => quoteText(text, 'duckdb')).join(', ');
  return ` WHERE NOT (${empty} AND trim(${quoteName(first!, 'duckdb')}) IN (${texts})) `;
}

async function rejectedLines(strictness: Strictness, { connection }: LoadContext): Promise<string[]> {
  if (strictness !== 'lenient') return [];
  const reader = await connection.runAndReadAll(
    'SELECT count(DISTINCT (scan_id, file_id, line)), min(line) FROM reject_errors',
  );
  const [[count, line] = []] = reader.getRows();
  return Number(count) === 0
    ? []
    : [`lines that do not have its columns left out: ${count}, the first is line ${line}`];
}

/** Names such as `Sheet1` say nothing: such a sheet is called after its file. */
const NO_NAME = /^(?:sheet|tabelle|table|feuil|hoja|foglio|planilha|blad)\s*\d*$/i;

async function loadWorkbook(name: string, path: string, context: LoadContext): Promise<LoadedTable[]> {
  const sheets = await readWorkbook(path);
  const tables: LoadedTable[] = [];
  for (const [at, sheet] of sheets.entries()) {
    const copy = join(context.folder, `${hashText(path)}-${at}.csv`);
    await writeFile(copy, sheet.csv, { mode: 0o600 });
    const own = sheets.length === 1 || NO_NAME.test(sheet.name) ? '' : tableName(sheet.name);
    const text = {
      ...{ source: copy, path: copy, delimiter: ',', escape: '"', skip: 1 },
      ...{ names: sheet.names, notes: [`sheet ${sheet.name}`, ...sheet.notes] },
    };
    tables.push(await loadCsv(freeName(own || name, context.taken), [text], context));
  }
  return tables;
}

interface Column {
  /** As the file has it; of a field inside a structure the path. */
  readonly path: readonly string[];
  readonly name: string;
}

async function createTable(
  name: string,
  { from, headers, delimiter, notes }: Relation,
  context: LoadContext,
): Promise<LoadedTable> {
  const { connection } = context;
  const described = await describe(from, context);
  if (described.length > MOST_COLUMNS)
    throw new Error(`it has ${described.length} columns; at most ${MOST_COLUMNS} are read`);
  const columns = nameColumns(described);
  const table = quoteName(name, 'duckdb');
  const list = columns.map(({ path, name: called }) => {
    const column = path.map((part) => quoteName(part, 'duckdb')).join('.');
    return `${path[0] === FILE_COLUMN ? `parse_filename(${column})` : column} AS ${quoteName(called, 'duckdb')}`;
  });
  // What a run that was stopped has left under this name is on no list.
  await connection.run(`CREATE OR REPLACE TABLE ${table} AS SELECT ${list.join(', ')} FROM ${from}`);
  const dropped = await dropEmptyColumns(table, headers, connection);
  const converted = await convertTexts(table, delimiter, connection);
  const total = await leaveOutTotal(table, connection);
  if (total.isLeftOut)
    for (const [column, reading] of await convertTexts(table, delimiter, connection))
      converted.set(column, reading);
  await writeComments(
    table,
    columns
      .filter(({ name: called }) => !dropped.has(called))
      .map(({ name: called, path }) => ({ name: called, path: headers?.get(path[0]!) ?? path })),
    converted,
    connection,
  );
  const reader = await connection.runAndReadAll(`SELECT count(*) FROM ${table}`);
  return {
    ...{ name, rows: Number(reader.getRows()[0]?.[0]) },
    notes: [
      ...notes,
      ...total.notes,
      ...[...converted].flatMap(([column, { note }]) => (note === undefined ? [] : [`${column}: ${note}`])),
    ],
  };
}

/** A column without a name and without values is the separator at the end of the lines, or a margin. */
async function dropEmptyColumns(
  table: string,
  headers: Relation['headers'],
  connection: DuckDBConnection,
): Promise<Set<string>> {
  const unnamed = [...(headers ?? [])].filter(([, path]) => path.join('') === '').map(([name]) => name);
  const dropped = new Set<string>();
  if (unnamed.length === headers?.size) return dropped;
  for (const name of unnamed) {
    const column = quoteName(name, 'duckdb');
    const reader = await connection.runAndReadAll(`SELECT count(${column}) FROM ${table}`);
    if (Number(reader.getRows()[0]?.[0]) > 0) continue;
    await connection.run(`ALTER TABLE ${table} DROP COLUMN ${column}`);
    dropped.add(name);
  }
  return dropped;
}

interface SourceColumn {
  readonly name: string;
  readonly type: string;
}

async function describe(from: string, { connection }: LoadContext): Promise<SourceColumn[]> {
  const reader = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${from}`);
  return reader.getRows().map(([name, type]) => ({ name: String(name), type: String(type) }));
}

/** Columns with names that need no quotes; the fields of a structure are columns of their own. */
function nameColumns(described: readonly SourceColumn[]): Column[] {
  const taken = new Set<string>();
  return described.flatMap(({ name, type }, at) => {
    const fields = type.startsWith('STRUCT(') ? fieldsOf(type) : undefined;
    const paths = fields?.map((field) => [name, field]) ?? [[name]];
    return paths.map((path) => ({
      path,
      name: freeName(tableName(path.join(' ')) || `column_${at + 1}`, taken),
    }));
  });
}

/** Names of the fields in `STRUCT(city VARCHAR, "post code" INTEGER, place STRUCT(…))`. */
function fieldsOf(type: string): string[] | undefined {
  const inner = type.slice('STRUCT('.length, -1);
  const fields: string[] = [];
  let depth = 0;
  let isQuoted = false;
  let start = 0;
  for (let at = 0; at <= inner.length; at += 1) {
    const sign = inner[at];
    if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && sign === '(') depth += 1;
    else if (!isQuoted && sign === ')') depth -= 1;
    else if (sign === undefined || (!isQuoted && depth === 0 && sign === ',')) {
      const [, quoted, bare] = /^\s*(?:"((?:[^"]|"")*)"|(\S+))\s/.exec(`${inner.slice(start, at)} `) ?? [];
      const field = quoted?.replace(/""/g, '"') ?? bare;
      if (field === undefined) return undefined;
      fields.push(field);
      start = at + 1;
    }
  }
  return type.endsWith(')') ? fields : undefined;
}

/** What a name and a type do not say any more: the header as it was, the currency that stood beside the amounts. */
async function writeComments(
  table: string,
  columns: readonly Column[],
  converted: ReadonlyMap<string, TextReading>,
  connection: DuckDBConnection,
): Promise<void> {
  for (const { path, name } of columns) {
    const written = path.join(' ').trim();
    const isSaid = /^[\p{L}\p{N}_\s.-]*$/u.test(written);
    const unit = converted.get(name)?.unit;
    const parts = [
      ...(isSaid || written === '' ? [] : [written]),
      ...(unit === undefined ? [] : [`in ${unit}`]),
    ];
    if (parts.length > 0)
      await connection.run(
        `COMMENT ON COLUMN ${table}.${quoteName(name, 'duckdb')} IS ${quoteText(parts.join(', '), 'duckdb')}`,
      );
  }
}
