/** Tables and columns of CREATE TABLE statements, as SQLite writes them; everything else is passed over. */
import type { CoreColumn, CoreTable } from './query-set.ts';

const TOKENS =
  /--[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|'(?:[^']|'')*'|[\p{L}\p{N}_$.]+|\S/gu;

/** `readDdl('CREATE TABLE t (a INT PRIMARY KEY)')` → `[{ name: 't', columns: [{ name: 'a', type: 'INT' }] }]`. */
export function readDdl(text: string): CoreTable[] {
  const tokens = (text.match(TOKENS) ?? []).filter((token) => !/^(?:--|\/\*)/.test(token));
  const tables: CoreTable[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if (!isWord(tokens[at], 'CREATE') || !isWord(tokens[at + 1], 'TABLE')) continue;
    const nameAt = isWord(tokens[at + 2], 'IF') ? at + 5 : at + 2;
    const name = tokens[nameAt];
    if (name === undefined || tokens[nameAt + 1] !== '(') continue;
    const items = splitItems(tokens, nameAt + 2);
    tables.push({ name: unquote(name), columns: items.flatMap(readColumn) });
  }
  return tables;
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

function readColumn(item: readonly string[]): CoreColumn[] {
  const [name, ...rest] = item;
  if (name === undefined || CONSTRAINT.test(item.slice(0, 2).join(' '))) return [];
  const end = rest.findIndex((token) => AFTER_TYPE.has(token.toUpperCase()));
  return [{ name: unquote(name), type: (end === -1 ? rest : rest.slice(0, end)).join('') }];
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
