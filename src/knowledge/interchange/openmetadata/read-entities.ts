import { inQuotes, withoutQuotes } from '../../../sql/dialects/index.ts';
import type { ForeignFile, Loss } from '../foreign/conversion.ts';
import { type CsvRow, readCsv } from '../foreign/csv-text.ts';
import { faultIn, openForeign } from '../foreign/foreign-document.ts';
import { type ForeignRecord, foreignText, withoutEmpty } from '../foreign/foreign-record.ts';
import { isRecord } from '../foreign/lean-model.ts';

export interface OpenMetadataEntity {
  readonly record: ForeignRecord;
  readonly place: string;
}

export interface OpenMetadataEntities {
  readonly tables: readonly OpenMetadataEntity[];
  readonly terms: readonly OpenMetadataEntity[];
  readonly metrics: readonly OpenMetadataEntity[];
}

type Kind = keyof OpenMetadataEntities;

/** Tables, glossary terms and metrics of JSON answers of the API and of its CSV exports. */
export function readEntities(files: readonly ForeignFile[], losses: Loss[]): OpenMetadataEntities {
  const found: Record<Kind, OpenMetadataEntity[]> = { tables: [], terms: [], metrics: [] };
  let others = 0;
  for (const file of files) {
    for (const { kind, ...entity } of file.path.toLowerCase().endsWith('.csv')
      ? readRows(file)
      : readJson(file)) {
      if (kind === undefined) others += 1;
      else if (entity.record.deleted === true)
        losses.push({ kind: 'dropped', place: entity.place, what: 'a deleted entity' });
      else found[kind].push(entity);
    }
  }
  if (others > 0) {
    const what = `${others} entities that are neither table, glossary term nor metric`;
    losses.push({ kind: 'dropped', place: files[0]?.path ?? '', what });
  }
  return {
    tables: withoutRepeats(found.tables, losses),
    terms: withoutRepeats(found.terms, losses),
    metrics: withoutRepeats(found.metrics, losses),
  };
}

/** An entity that stands in two files is the same one; the first is the fuller where JSON is named first. */
function withoutRepeats(
  entities: readonly OpenMetadataEntity[],
  losses: Loss[],
): readonly OpenMetadataEntity[] {
  const seen = new Set<string>();
  return entities.filter(({ record, place }) => {
    const name = foreignText(record.fullyQualifiedName ?? record.name);
    if (!seen.has(name)) {
      seen.add(name);
      return true;
    }
    losses.push({ kind: 'dropped', place, what: `${name.slice(0, 200)} stands twice; the first counts` });
    return false;
  });
}

interface KindedEntity extends OpenMetadataEntity {
  /** Absent: of a kind that is not read. */
  readonly kind: Kind | undefined;
}

/** One entity, a list of them, or a page of the API (`data`). */
function readJson(file: ForeignFile): readonly KindedEntity[] {
  const document = openForeign(file);
  const { value } = document;
  const inside =
    isRecord(value) && Array.isArray(value.data) ? { list: value.data, path: ['data'] } : undefined;
  const { list, path } = inside ?? { list: Array.isArray(value) ? value : [value], path: [] };
  const isList = inside !== undefined || Array.isArray(value);
  return list.map((item: unknown, index) => {
    const at = isList ? [...path, index] : path;
    if (!isRecord(item) || typeof item.name !== 'string' || item.name.trim() === '')
      throw document.fault(at, 'expected an entity of OpenMetadata with a `name`');
    return { kind: kindOf(item), record: item, place: document.place(at) };
  });
}

/** Answers of the API do not say what they are. */
function kindOf(record: ForeignRecord): Kind | undefined {
  if (Array.isArray(record.columns)) return 'tables';
  if (isRecord(record.metricExpression) || typeof record.metricType === 'string') return 'metrics';
  return record.glossary !== undefined || Array.isArray(record.synonyms) ? 'terms' : undefined;
}

type Cell = (name: string) => string;

/** A CSV export: of a glossary, of the columns of a table, or of a schema with what is in it. */
function readRows(file: ForeignFile): readonly KindedEntity[] {
  const [header, ...rows] = readCsv(file.text, file.path);
  const places = new Map((header?.cells ?? []).map((cell, index) => [cell.trim().replace(/\*$/, ''), index]));
  const cellsOf =
    ({ cells }: CsvRow): Cell =>
    (name) =>
      cells[places.get(name) ?? -1]?.trim() ?? '';
  const placed = rows.map((row) => ({ cell: cellsOf(row), place: `${file.path}:${row.line}:1` }));
  if (places.has('parent') && places.has('synonyms')) return placed.flatMap((row) => readTerm(row));
  if (places.has('column.fullyQualifiedName') && !places.has('entityType')) return readColumns(placed);
  if (places.has('entityType') && places.has('fullyQualifiedName')) return readMixed(placed);
  if (places.has('fullyQualifiedName') && places.has('name')) return placed.flatMap((row) => readTable(row));
  throw faultIn(
    file.path,
    file.text,
    0,
    'expected a CSV export of OpenMetadata: of a glossary (parent, name*, synonyms), of a table (column.fullyQualifiedName) or of a schema (name*, fullyQualifiedName)',
  );
}

interface PlacedRow {
  readonly cell: Cell;
  readonly place: string;
}

function readTerm({ cell, place }: PlacedRow): KindedEntity[] {
  const name = cell('name');
  if (name === '') return [];
  const parent = cell('parent');
  const record = withoutEmpty({
    name,
    displayName: cell('displayName'),
    description: cell('description'),
    synonyms: listOf(cell('synonyms')),
    fullyQualifiedName: parent === '' ? name : `${parent}.${writeFqn([name])}`,
  });
  return [{ kind: 'terms', record: { ...record, synonyms: record.synonyms ?? [] }, place }];
}

function listOf(cell: string): string[] {
  return cell.split(';').flatMap((word) => (word.trim() === '' ? [] : [word.trim()]));
}

function readTable({ cell, place }: PlacedRow): KindedEntity[] {
  const name = cell('name');
  if (name === '') return [];
  const words = { displayName: cell('displayName'), description: cell('description') };
  const record = {
    name,
    fullyQualifiedName: cell('fullyQualifiedName'),
    ...withoutEmpty(words),
    columns: [],
  };
  return [{ kind: 'tables', record, place }];
}

/** Columns of one table, each with its whole name. */
function readColumns(rows: readonly PlacedRow[]): readonly KindedEntity[] {
  const tables = new Map<string, { readonly columns: ForeignRecord[]; readonly place: string }>();
  for (const { cell, place } of rows) {
    const parts = readFqn(cell('column.fullyQualifiedName'));
    const name = parts?.at(-1);
    if (parts === undefined || name === undefined || parts.length < 2) continue;
    const table = writeFqn(parts.slice(0, -1));
    const entry = tables.get(table) ?? { columns: [], place };
    entry.columns.push(readColumn(name, cell));
    tables.set(table, entry);
  }
  return [...tables].map(([fullyQualifiedName, { columns, place }]) => {
    const name = readFqn(fullyQualifiedName)?.at(-1) ?? fullyQualifiedName;
    return { kind: 'tables' as const, record: { name, fullyQualifiedName, columns }, place };
  });
}

function readColumn(name: string, cell: Cell, prefix = 'column.'): ForeignRecord {
  const tags = [
    ...listOf(cell(`${prefix}tags`)).map((tagFQN) => ({ tagFQN, source: 'Classification' })),
    ...listOf(cell(`${prefix}glossaryTerms`)).map((tagFQN) => ({ tagFQN, source: 'Glossary' })),
  ];
  return {
    name,
    ...withoutEmpty({
      displayName: cell(`${prefix}displayName`),
      description: cell(`${prefix}description`),
      dataType: cell('column.dataType'),
      dataTypeDisplay: cell('column.dataTypeDisplay'),
      tags,
    }),
  };
}

/** A schema with everything in it: `entityType` says of each row what it is. */
function readMixed(rows: readonly PlacedRow[]): readonly KindedEntity[] {
  const tables = new Map<string, KindedEntity & { readonly columns: ForeignRecord[] }>();
  const others: KindedEntity[] = [];
  for (const row of rows) {
    const type = row.cell('entityType').toLowerCase();
    const fqn = row.cell('fullyQualifiedName');
    const parts = readFqn(fqn);
    const name = parts?.at(-1);
    if (type === 'table' && parts !== undefined) {
      const columns: ForeignRecord[] = [];
      const [table] = readTable(row);
      if (table !== undefined)
        tables.set(writeFqn(parts), { ...table, record: { ...table.record, columns }, columns });
    } else if (type === 'column' && parts !== undefined && name !== undefined) {
      tables.get(writeFqn(parts.slice(0, -1)))?.columns.push(readColumn(name, row.cell, ''));
    } else others.push({ kind: undefined, record: { name: fqn }, place: row.place });
  }
  return [...[...tables.values()].map(({ columns: _, ...entity }) => entity), ...others];
}

// Fully qualified names of OpenMetadata: `service.database.schema.table.column`, parts with dots in quotes.

/** The vendor of what only this format knows. */
export const OPENMETADATA_VENDOR = 'OPENMETADATA';

/** The parts of a name; `undefined` where it is none. */
export function readFqn(text: string): readonly string[] | undefined {
  if (text.length > 3_000) return undefined;
  const parts: string[] = [];
  const part = /(?:("(?:[^"]|"")+")|([^".]+))(\.|$)/y;
  while (part.lastIndex < text.length || parts.length === 0) {
    const found = part.exec(text);
    if (found === null) return undefined;
    const name = withoutQuotes(found[1] ?? found[2] ?? '').trim();
    if (name === '') return undefined;
    parts.push(name);
    if (found[3] === '') return parts;
  }
  return undefined;
}

export function writeFqn(parts: readonly string[]): string {
  return parts.map((part) => (/[."]/.test(part) ? inQuotes(part, '"') : part)).join('.');
}
