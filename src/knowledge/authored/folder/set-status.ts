/** Writes a person's word on a table into `knowledge/status.yml`; whatever else stands there stays as it is. */
import { basename, join } from 'node:path';
import { isMap, isNode, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { CandorError } from '../../../errors.ts';
import { changeFile } from '../../files/authored-files.ts';
import type { TableStatus } from '../authored.ts';
import { readStatus, STATUS_FILE } from './read-authored.ts';

export type NewStatus = Omit<TableStatus, 'place'>;

/**
 * Certifies or deprecates a table; an earlier word on it is replaced. Throws `knowledge.invalid` when the file is
 * faulty already.
 */
export async function setStatus(directory: string, status: NewStatus): Promise<void> {
  const shown = `${basename(directory)}/${STATUS_FILE}`;
  await changeFile(join(directory, STATUS_FILE), shown, (text) => {
    const before = readStatus(text, shown);
    const changed = splice(text, status);
    if (isAsWanted(changed, shown, { before, status })) return changed;
    throw new CandorError(
      'knowledge.refused',
      `${shown} is written in a form that cannot be added to; write its tables one below the other.`,
    );
  });
}

/** The change is taken only when it reads back as the old entries with this one. */
function isAsWanted(
  text: string,
  shown: string,
  { before, status }: { readonly before: readonly TableStatus[]; readonly status: NewStatus },
): boolean {
  const plain = ({ place: _, ...entry }: TableStatus): string =>
    JSON.stringify(entry, Object.keys(entry).sort());
  const wanted = [...before.filter(({ table }) => table !== status.table), { ...status, place: '' }].map(
    plain,
  );
  try {
    return readStatus(text, shown).map(plain).sort().join('\n') === wanted.sort().join('\n');
  } catch (error) {
    if (error instanceof CandorError) return false;
    throw error;
  }
}

/** New text is put between the old; only a map in braces is printed anew, with its comments. */
function splice(text: string, { table, ...status }: NewStatus): string {
  const entry = printEntry(status);
  const document = parseDocument(text);
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const tables = document.get('tables', true);
  if (!isMap(tables) || tables.items.length === 0) {
    if (isMap(document.contents) && document.has('tables')) {
      document.set('tables', { [table]: plainEntry(status) });
      return document.toString({ lineWidth: 0 });
    }
    const gap = text === '' || text.endsWith('\n') ? '' : end;
    return `${text}${gap}tables:${end}  ${quote(table)}: ${entry}${end}`;
  }
  if (tables.flow === true) {
    document.setIn(['tables', keyOf(tables, table)], plainEntry(status));
    return document.toString({ lineWidth: 0 });
  }
  const known = tables.items.find((pair) => isOf(pair, table));
  if (isNode(known?.value) && known.value.range) {
    const [from, to] = known.value.range;
    const kept = from + text.slice(from, to).trimEnd().length;
    return `${text.slice(0, from).trimEnd()} ${entry}${text.slice(kept)}`;
  }
  return insertAfterLast(text, tables, `${quote(table)}: ${entry}`);
}

function insertAfterLast(text: string, tables: YAMLMap, line: string): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const [first, last] = [tables.items[0], tables.items.at(-1)];
  if (!isScalar(first?.key) || !first.key.range || !isNode(last?.value) || !last.value.range) return text;
  const start = first.key.range[0];
  const indent = start - (text.lastIndexOf('\n', start - 1) + 1);
  const after = text.indexOf(
    '\n',
    last.value.range[0] + text.slice(last.value.range[0], last.value.range[1]).trimEnd().length,
  );
  const at = after < 0 ? text.length : after + 1;
  const gap = after < 0 ? end : '';
  return `${text.slice(0, at)}${gap}${' '.repeat(indent)}${line}${end}${text.slice(at)}`;
}

function keyOf(tables: YAMLMap, table: string): string {
  const key = tables.items.find((pair) => isOf(pair, table))?.key;
  return isScalar(key) ? String(key.value) : table;
}

function isOf({ key }: Pair, table: string): boolean {
  return isScalar(key) && String(key.value).toLowerCase() === table;
}

type Entry = Omit<NewStatus, 'table'>;

/** As the file spells it. */
function plainEntry({ replacedBy, why, ...entry }: Entry): Record<string, string> {
  return {
    ...entry,
    ...(why === undefined ? {} : { why }),
    ...(replacedBy === undefined ? {} : { replaced_by: replacedBy }),
  };
}

function printEntry(entry: Entry): string {
  const parts = Object.entries(plainEntry(entry)).map(([key, value]) => `${key}: ${quote(value)}`);
  return `{${parts.join(', ')}}`;
}

/** Words and days stand bare, everything else in the quotes of JSON, which are those of YAML too. */
function quote(text: string): string {
  const isWord = /^[a-z_][\w.-]*$/i.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return isWord || /^\d{4}-\d\d-\d\d$/.test(text) ? text : JSON.stringify(text);
}
