/** Tables, columns and keys of CREATE TABLE statements, as SQLite writes them; everything else is passed over. */
import type { DescribedColumn, DescribedKey, DescribedSchema, DescribedTable } from './build-catalog.ts';

const TOKENS =
  /--[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|'(?:[^']|'')*'|[\p{L}\p{N}_$.]+|\S/gu;

/** `readDdl('CREATE TABLE t (a INT PRIMARY KEY)')` → the table t, its column a of type INT, its primary key a. */
export function readDdl(text: string): DescribedSchema {
  const tokens = (text.match(TOKENS) ?? []).filter((token) => !/^(?:--|\/\*)/.test(token));
  const tables: DescribedTable[] = [];
  const links: Link[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if (!isWord(tokens[at], 'CREATE') || !isWord(tokens[at + 1], 'TABLE')) continue;
    const nameAt = isWord(tokens[at + 2], 'IF') ? at + 5 : at + 2;
    const quoted = tokens[nameAt];
    if (quoted === undefined || tokens[nameAt + 1] !== '(') continue;
    const name = unquote(quoted);
    const items = splitItems(tokens, nameAt + 2);
    tables.push({ name, columns: items.flatMap(readColumn), primaryKey: readPrimaryKey(items) });
    links.push(...items.flatMap((item) => readLink(item, name)));
  }
  return { tables, keys: links.map((link) => completeLink(link, tables)) };
}

/** The parts between the commas of one pair of brackets, from the token after the opening one. */
function splitItems(tokens: readonly string[], from: number): string[][] {
  const items: string[][] = [[]];
  let depth = 1;
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (depth === 0) break;
    if (token === ',' && depth === 1) items.push([]);
    else items.at(-1)!.push(token);
  }
  return items;
}

const CONSTRAINT = /^(?:CONSTRAINT \S+|(?:PRIMARY|FOREIGN) KEY|(?:UNIQUE|CHECK) \()/i;
const AFTER_TYPE = new Set(
  'NOT NULL DEFAULT PRIMARY UNIQUE REFERENCES CONSTRAINT CHECK COLLATE GENERATED AS ON'.split(' '),
);

const isConstraint = (item: readonly string[]): boolean => CONSTRAINT.test(item.slice(0, 2).join(' '));

function readColumn(item: readonly string[]): DescribedColumn[] {
  const [name, ...rest] = item;
  if (name === undefined || isConstraint(item)) return [];
  const end = rest.findIndex((token) => AFTER_TYPE.has(token.toUpperCase()));
  return [{ name: unquote(name), type: (end === -1 ? rest : rest.slice(0, end)).join('') }];
}

/** Of a clause of its own, else of the column that says so. */
function readPrimaryKey(items: readonly (readonly string[])[]): string[] {
  return items.flatMap((item) => {
    const at = item.findIndex((word, index) => isWord(word, 'PRIMARY') && isWord(item[index + 1], 'KEY'));
    if (at < 0) return [];
    if (isConstraint(item)) return namesBehind(item, at + 2);
    return item[0] === undefined ? [] : [unquote(item[0])];
  });
}

interface Link {
  readonly fromTable: string;
  readonly fromColumns: readonly string[];
  readonly toTable: string;
  /** Empty: the primary key of that table. */
  readonly toColumns: readonly string[];
}

function readLink(item: readonly string[], fromTable: string): Link[] {
  const at = item.findIndex((word) => isWord(word, 'REFERENCES'));
  const target = item[at + 1];
  const own = item.findIndex((word, index) => isWord(word, 'FOREIGN') && isWord(item[index + 1], 'KEY'));
  const name = item[0];
  if (at < 1 || target === undefined || name === undefined) return [];
  const fromColumns = own < 0 ? [unquote(name)] : namesBehind(item, own + 2);
  return [{ fromTable, fromColumns, toTable: unquote(target), toColumns: namesBehind(item, at + 2) }];
}

function completeLink(link: Link, tables: readonly DescribedTable[]): DescribedKey {
  if (link.toColumns.length > 0) return link;
  const target = tables.find(({ name }) => name.toLowerCase() === link.toTable.toLowerCase());
  return { ...link, toColumns: target?.primaryKey ?? [] };
}

/** The names in the brackets that open at `from`; none where there are no brackets. */
function namesBehind(item: readonly string[], from: number): string[] {
  if (item[from] !== '(') return [];
  const end = item.indexOf(')', from);
  return item
    .slice(from + 1, end < 0 ? item.length : end)
    .filter((token) => token !== ',' && !/^(?:ASC|DESC|AUTOINCREMENT)$/i.test(token))
    .map(unquote);
}

function isWord(token: string | undefined, word: string): boolean {
  return token?.toUpperCase() === word;
}

function unquote(name: string): string {
  const quote = name[0]!;
  if (quote === '[') return name.slice(1, -1);
  if (!'"`\''.includes(quote)) return name;
  return name.slice(1, -1).replaceAll(quote + quote, quote);
}
