/** The values of columns as they stand in the derived files, a line for each table. */
import type { ColumnValues } from '../../catalog/index.ts';
import { readContent, readLines } from './profile-log.ts';

/** Texts and counts apart: half the characters of pairs. */
interface StoredColumn extends Omit<ColumnValues, 'values'> {
  readonly values: readonly string[];
  readonly counts: readonly number[];
}

export function toStored({ values, ...column }: ColumnValues): StoredColumn {
  return { ...column, values: values.map(([text]) => text), counts: values.map(([, count]) => count) };
}

function fromStored({ values, counts, ...column }: StoredColumn): ColumnValues {
  return { ...column, values: values.map((text, at) => [text, counts[at] ?? 0] as const) };
}

/** The hash that a line begins with. */
export function hashOfLine(line: Buffer): string {
  return line.toString('latin1', 0, line.indexOf(0x09));
}

/** A table's columns with their values. */
export interface StoredTableValues {
  readonly columns: readonly ColumnValues[];
  /** Where the next table begins in the file. */
  readonly end: number;
  /** Of the line; undefined for a damaged one. */
  readonly hash: string | undefined;
}

/** The file of values, table by table. */
export async function* readStoredValues(path: string): AsyncGenerator<StoredTableValues> {
  for await (const { bytes, isWhole, offset, length } of readLines(path)) {
    const end = offset + length;
    if (!isWhole) yield { columns: [], end, hash: undefined };
    else {
      // The hash says that these are the bytes a run of this version has written.
      const columns = (readContent(bytes) as readonly StoredColumn[]).map(fromStored);
      yield { columns, end, hash: hashOfLine(bytes) };
    }
  }
}
