/** Loads files into the tables of a DuckDB database. Runs in the loader's process. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { hashText } from '../../lib/index.ts';
import { quoteName, quoteText } from '../../sql/dialects/index.ts';
import { type CsvText, openCsv } from './csv-text.ts';
import { type FileGroup, freeName, type SourceFile, stemOfPath, tableName } from './file-source.ts';
import { holdsValue, readTexts, type TextReading } from './text-types.ts';
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
  readonly notes: readonly string[];
}

/** Texts of a column that are looked at before a type is tried on all of them. */
const SAMPLED_TEXTS = 2_000;
const MOST_COLUMNS = 2_000;
const SAMPLED_ROWS = 100_000;
const MOST_JSON_BYTES = 64 * 1024 * 1024;
/** Of a table that several files make: where a row comes from. */
const FILE_COLUMN = 'source_file';

/** Makes the tables of one group. Throws what DuckDB says where a file is not what its name says. */
export async function loadGroup(group: FileGroup, context: LoadContext): Promise<LoadedTable[]> {
  const [first] = group.files;
  const tables: LoadedTable[] = [];
  if (first!.format === 'workbook') tables.push(...(await loadWorkbook(group.name, first!.path, context)));
  else
    for (const { name, files } of await byColumns(group, context)) {
      const table = await loadFiles(name, files, context);
      if (table !== undefined) tables.push(table);
    }
  if (tables.length === 0) throw new Error('it is empty');
  return tables;
}

async function loadFiles(
  name: string,
  files: readonly SourceFile[],
  context: LoadContext,
): Promise<LoadedTable | undefined> {
  if (files[0]!.format !== 'csv') return createTable(name, { from: readCall(files), notes: [] }, context);
  const texts = await openTexts(
    files.map(({ path }) => path),
    context,
    true,
  );
  return texts.length === 0 ? undefined : loadCsv(name, texts, context);
}

function readCall(files: readonly SourceFile[]): string {
  const paths = `[${files.map(({ path }) => quoteText(path, 'duckdb')).join(', ')}]`;
  return files[0]!.format === 'json'
    ? `read_json(${paths}, maximum_object_size=${MOST_JSON_BYTES}${unionOptions(files.length)})`
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
    return columns.map(({ name }) => tableName(name)).join('\n');
  }
  const [text] = await openTexts([file.path], context, true);
  return text?.names.map(tableName).join('\n');
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

/** The strict reading first; then lines with too few cells and values that do not fit the types of the beginning; then without the lines that do not fit. */
const STRICTNESS = ['typed', 'padded', 'lenient'] as const;
type Strictness = (typeof STRICTNESS)[number];

const OPTIONS: Readonly<Record<Strictness, string>> = {
  typed: '',
  padded: ', null_padding=true, parallel=false',
  lenient: ', null_padding=true, parallel=false, ignore_errors=true, store_rejects=true',
};

async function loadCsv(name: string, opened: readonly CsvText[], context: LoadContext): Promise<LoadedTable> {
  let texts = opened;
  for (let attempt = 0; ; ) {
    const strictness = STRICTNESS[attempt]!;
    try {
      const table = await createTable(name, await csvRelation(texts, strictness, context), context);
      return { ...table, notes: [...table.notes, ...(await rejectedLines(strictness, context))] };
    } catch (error) {
      context.taken.delete(name);
      const mayRecode = texts === opened && opened.every(({ encoding }) => encoding === undefined);
      if (mayRecode && isEncodingFault(error))
        texts = await openTexts(
          opened.map(({ source }) => source),
          context,
          false,
        );
      else if (attempt + 1 < STRICTNESS.length) attempt += 1;
      else throw error;
    }
  }
}

function isEncodingFault(error: unknown): boolean {
  return error instanceof Error && /not utf-8 encoded|invalid unicode/i.test(error.message);
}

async function csvRelation(
  texts: readonly CsvText[],
  strictness: Strictness,
  context: LoadContext,
): Promise<Relation> {
  const { encoding, skip, hasHeader, names } = texts[0]!;
  const notes: string[] = [];
  if (encoding !== undefined) notes.push(`read as ${encoding}`);
  if (skip > 0) notes.push(`${skip} lines above the header left out`);
  if (!hasHeader) notes.push('no header: columns are called by their place');
  const called = nameColumns(names.map((name) => ({ name, type: 'VARCHAR' })));
  const texted = called.map(({ name }) => ({ name, type: 'VARCHAR' }));
  const columns =
    strictness === 'typed'
      ? await sampleTypes(
          readCsv(texts, texted, OPTIONS.lenient.replace(', store_rejects=true', '')),
          context,
        )
      : texted;
  const headers = new Map(called.map(({ name, path }) => [name, path]));
  return { from: readCsv(texts, columns, OPTIONS[strictness]), headers, notes };
}

function readCsv(texts: readonly CsvText[], columns: readonly SourceColumn[], options: string): string {
  const { delimiter, skip, hasHeader } = texts[0]!;
  const paths = texts.map(({ path }) => quoteText(path, 'duckdb')).join(', ');
  const types = columns.map(({ name, type }) => `${quoteText(name, 'duckdb')}: ${quoteText(type, 'duckdb')}`);
  const file = texts.length > 1 ? `, filename='${FILE_COLUMN}'` : '';
  // Nothing is guessed by the engine: what it guesses from the beginning of a file may not hold for the rest.
  return `read_csv([${paths}], auto_detect=false, delim=${quoteText(delimiter, 'duckdb')}, quote='"', escape='"', nullstr='', skip=${skip}, header=${hasHeader}, columns={${types.join(', ')}}${file}${options})`;
}

/** Types that all values of the beginning have, the narrowest first. Dates as people write them are told apart on all values, later. */
const TYPES = ['BIGINT', 'DOUBLE', 'BOOLEAN', 'DATE', 'TIMESTAMP'] as const;
const SHAPES: Readonly<Record<(typeof TYPES)[number], string>> = {
  // Zeros in front belong to postcodes and article numbers, which would lose them as numbers.
  BIGINT: '[-+]?(0|[1-9][0-9]{0,17})',
  DOUBLE: '[-+]?(0|[1-9][0-9]*)?(\\.[0-9]+)?([eE][-+]?[0-9]+)?',
  BOOLEAN: '(?i:true|false)',
  DATE: '[0-9]{4}-[0-9]{2}-[0-9]{2}',
  TIMESTAMP: '[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]+)?)?',
};

async function sampleTypes(from: string, { connection }: LoadContext): Promise<SourceColumn[]> {
  const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${from}`);
  const names = described.getRows().map(([name]) => String(name));
  const tests = names
    .filter((name) => name !== FILE_COLUMN)
    .map((name) => {
      const column = quoteName(name, 'duckdb');
      const fits = TYPES.map(
        (type) =>
          `bool_and(regexp_full_match(${column}, ${quoteText(SHAPES[type], 'duckdb')}) AND TRY_CAST(${column} AS ${type}) IS NOT NULL)`,
      );
      return `[${fits.join(', ')}]`;
    });
  const reader = await connection.runAndReadAll(
    `SELECT ${tests.join(', ')} FROM (SELECT * FROM ${from} LIMIT ${SAMPLED_ROWS})`,
  );
  const [fits = []] = reader.getRowsJson();
  return tests.map((_, at) => {
    const holds = fits[at] as readonly (boolean | null)[];
    return { name: names[at]!, type: TYPES[holds.indexOf(true)] ?? 'VARCHAR' };
  });
}

async function rejectedLines(strictness: Strictness, { connection }: LoadContext): Promise<string[]> {
  if (strictness !== 'lenient') return [];
  const reader = await connection.runAndReadAll('SELECT count(DISTINCT line), min(line) FROM reject_errors');
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
    const text = { source: copy, path: copy, delimiter: ',', skip: 0, hasHeader: true, names: sheet.names };
    const table = await loadCsv(own || name, [text], context);
    const skipped = sheet.skipped > 0 ? [`${sheet.skipped} rows above the header left out`] : [];
    tables.push({ ...table, notes: [`sheet ${sheet.name}`, ...skipped, ...table.notes] });
  }
  return tables;
}

interface Column {
  /** As the file has it; of a field inside a structure the path. */
  readonly path: readonly string[];
  readonly name: string;
}

async function createTable(
  wanted: string,
  { from, headers, notes }: Relation,
  context: LoadContext,
): Promise<LoadedTable> {
  const { connection, taken } = context;
  const described = await describe(from, context);
  if (described.length > MOST_COLUMNS)
    throw new Error(`it has ${described.length} columns; at most ${MOST_COLUMNS} are read`);
  const columns = nameColumns(described);
  const name = freeName(wanted, taken);
  const table = quoteName(name, 'duckdb');
  const list = columns.map(
    ({ path, name: called }) =>
      `${path.map((part) => quoteName(part, 'duckdb')).join('.')} AS ${quoteName(called, 'duckdb')}`,
  );
  await connection.run(`CREATE TABLE ${table} AS SELECT ${list.join(', ')} FROM ${from}`);
  if (described.some(({ name: called }) => called === FILE_COLUMN))
    await connection.run(`UPDATE ${table} SET ${FILE_COLUMN} = parse_filename(${FILE_COLUMN})`);
  const converted = await convertTexts(table, context);
  await writeComments(
    table,
    columns.map(({ name: called, path }) => ({ name: called, path: headers?.get(path[0]!) ?? path })),
    converted,
    connection,
  );
  const reader = await connection.runAndReadAll(`SELECT count(*) FROM ${table}`);
  return {
    ...{ name, rows: Number(reader.getRows()[0]?.[0]) },
    notes: [
      ...notes,
      ...[...converted].flatMap(([column, { note }]) => (note === undefined ? [] : [`${column}: ${note}`])),
    ],
  };
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

/** Columns of texts become amounts or dates where all of their values are. */
async function convertTexts(table: string, { connection }: LoadContext): Promise<Map<string, TextReading>> {
  const described = await connection.runAndReadAll(`DESCRIBE ${table}`);
  const texts = described.getRows().filter(([, type]) => type === 'VARCHAR');
  const converted = new Map<string, TextReading>();
  for (const [name] of texts) {
    const column = quoteName(String(name), 'duckdb');
    const sample = await connection.runAndReadAll(
      `SELECT DISTINCT ${column} FROM (SELECT ${column} FROM ${table} WHERE ${column} IS NOT NULL LIMIT ${SAMPLED_ROWS}) LIMIT ${SAMPLED_TEXTS}`,
    );
    const reading = readTexts(sample.getRows().map(([value]) => String(value)));
    if (reading === undefined) continue;
    const expression = reading.expression(column);
    const misfits = await connection.runAndReadAll(
      `SELECT count(*) FROM ${table} WHERE ${holdsValue(column)} AND (${expression}) IS NULL`,
    );
    if (Number(misfits.getRows()[0]?.[0]) > 0) continue;
    await connection.run(
      `ALTER TABLE ${table} ALTER COLUMN ${column} SET DATA TYPE ${reading.type} USING ${expression}`,
    );
    converted.set(String(name), reading);
  }
  return converted;
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
