/** What BIRD says of its columns: the official files, or what a language model wrote (TA-SQL). */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { decodeForeignText, readCsv, repairText } from '../../../knowledge/interchange/index.ts';
import { requirePath } from '../../corpus/suite-places.ts';

/** Words of a column by `table|column` in lower case; empty where nothing is said. */
export type ColumnWords = ReadonlyMap<string, string>;

export function wordsOf(words: ColumnWords, table: string, column: string): string {
  return words.get(keyOf(table, column)) ?? '';
}

function keyOf(table: string, column: string): string {
  return `${table}|${column}`.toLowerCase().trim();
}

/** The official files of one database, `<folder>/<table>.csv`: description and values of each column. */
export async function readOfficialWords(folder: string): Promise<ColumnWords> {
  const files = await readdir(await requirePath(folder, 'The descriptions of BIRD'));
  const words = new Map<string, string>();
  for (const file of files.filter((name) => name.endsWith('.csv')).sort()) {
    const path = join(folder, file);
    const { text } = decodeForeignText(await readFile(path), path, { legacyEncoding: 'windows-1252' });
    const [, ...rows] = readCsv(text, path);
    for (const { cells } of rows) {
      const [name = '', spoken = '', description = '', , ...values] = cells.map(
        (cell) => repairText(cell).text,
      );
      // Some rows have a comma too many before the values.
      const said = [
        description === '' ? spoken : description,
        values.filter((value) => value !== '').join(' '),
      ];
      const key = keyOf(file.replace(/\.csv$/, ''), name);
      if (name !== '' && !words.has(key)) words.set(key, said.filter((part) => part !== '').join('\n'));
    }
  }
  return words;
}

const MEANINGS = z.record(z.string(), z.string());

/** The meanings of all databases of a file `{"database|table|column": "…"}`. */
export async function readWrittenWords(path: string): Promise<ReadonlyMap<string, ColumnWords>> {
  const text = await readFile(await requirePath(path, 'The meanings of columns'), 'utf8');
  const databases = new Map<string, Map<string, string>>();
  for (const [key, meaning] of Object.entries(MEANINGS.parse(JSON.parse(text)))) {
    const [database = '', table = '', ...column] = key.split('|');
    const words = databases.get(database) ?? new Map<string, string>();
    databases.set(database, words.set(keyOf(table, column.join('|')), bare(meaning)));
  }
  return databases;
}

/** Without the comment sign and quotes that some start with: `# 'It is …'`. */
function bare(meaning: string): string {
  return meaning.replace(/^#?\s*["']?|["']?\s*$/g, '');
}
