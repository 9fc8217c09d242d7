/**
 * Rows of a CSV file with a head line, by column name; quoted fields may hold commas, quotes and line ends.
 * Quotes left open inside a quoted field are forgiven as Python's reader does, since some files have them.
 */
export function readCsv(text: string): Record<string, string>[] {
  const [head = [], ...rows] = splitRows(text);
  return rows
    .filter((row) => row.length > 1)
    .map((row) => Object.fromEntries(head.map((name, index) => [name, row[index] ?? ''])));
}

function splitRows(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const match of text.matchAll(/(?:"((?:[^"]|"")*)"([^,\r\n]*)|([^,\r\n]*))(,|\r?\n|$)/gy)) {
    const [, quoted, tail = '', plain = '', end] = match;
    rows.at(-1)!.push(quoted === undefined ? plain : quoted.replaceAll('""', '"') + tail);
    if (end !== ',') rows.push([]);
  }
  return rows;
}
