import type { GroundedKnowledge } from '../../knowledge/knowledge.ts';
import type { Definition, Meaning, ReadHint } from '../mention/definition.ts';
import { combine } from './bind-expression.ts';
import { bindMeaning } from './bind-meaning.ts';
import { type HintNames, hintNames } from './hint-names.ts';
import { splitHint } from './split-hint.ts';

/** Between a phrase and what it stands for, in either order. */
const CONNECTOR = new RegExp(
  `\\s+(?:${[
    'refers? to',
    'refers',
    'refer',
    'means?',
    'mapp?s? to',
    'stands? for',
    'represents?',
    'denotes?',
    'indicates?',
    'contains?(?: the)?(?: (?:data|information|info)(?: (?:of|about))?)?',
    '(?:appears?|(?:can be )?found|(?:is |are )?(?:stored|shown)) in',
    'is defined as',
    '(?:can be |is |are )?(?:computed|calculated|represented|expressed|identified|determined) (?:by|as|with|using)',
  ].join('|')})\\b\\s*(?::|=|that\\b|as\\b)?\\s*`,
  'i',
);
const COPULA = /\s+(?:is|are)\s+(?:the |an? )?/i;
/** What people put before a name of the schema. */
const LEAD = /^(?:the |an? )?(?:column |field |attribute )?/i;
const EQUALS = /\s*=\s*/;

/** What one statement is read with. */
interface Reading {
  readonly names: HintNames;
  readonly now: Date;
}

/**
 * A hint as definitions: `"female refers to gender = 'F'"` → the phrase `female` with a condition on the column. The text
 * is not trusted: what does not parse, or names what the catalog does not have, is listed as unread.
 */
export function readHint(
  hint: string,
  knowledge: GroundedKnowledge,
  { now, named = new Set() }: { readonly now: Date; readonly named?: ReadonlySet<string> },
): ReadHint {
  const first = readStatements(hint, { names: hintNames(knowledge, named), now });
  // Once more, when it is known which tables the whole hint speaks of.
  const preferred = new Set([...named, ...first.definitions.flatMap(tablesOf)]);
  return readStatements(hint, { names: hintNames(knowledge, preferred), now });
}

function readStatements(hint: string, reading: Reading): ReadHint {
  const statements = splitHint(hint).map((text) => ({ text, read: readStatement(text, reading) }));
  const definitions = statements.flatMap(({ read }) => read ?? []);
  const unread = statements
    .filter(({ read }) => read === undefined)
    .map(({ text }) => ({ text, because: 'it is no definition in the words of the schema' }));
  return { definitions, unread };
}

function readStatement(text: string, reading: Reading): Definition | undefined {
  const read = readSides(text, reading);
  return read && { ...read, meaning: asPercent(read) };
}

/** A percentage is of a hundred, also where its formula leaves that out. */
function asPercent({ phrase, text, meaning }: Definition): Meaning {
  const { figure } = meaning;
  if (figure?.kind !== 'expression' || !/percent/i.test(`${phrase} ${text}`) || /\b100\b/.test(text))
    return meaning;
  const scaled = combine('*', figure.expression, { kind: 'literal', value: 100 });
  return { ...meaning, figure: { ...figure, expression: scaled } };
}

function readSides(text: string, reading: Reading): Definition | undefined {
  const bind = (part: string): Meaning | undefined =>
    bindMeaning(part.replace(LEAD, ''), reading.names, reading.now);
  const [left, right] = cut(text, CONNECTOR);
  if (left !== undefined && right !== undefined) {
    const meaning = bind(right) ?? bindLoosely(right, reading);
    if (meaning !== undefined) return { phrase: phraseOf(left), text, meaning };
    const other = bind(left) ?? bindLoosely(left, reading) ?? codeOf(left, reading);
    if (other !== undefined) return { phrase: phraseOf(right), text, meaning: other };
    const held = heldBy(right, reading);
    return held && { phrase: phraseOf(left), text, meaning: held };
  }
  const whole = bind(text);
  if (whole !== undefined) return { phrase: aliasOf(text), text, meaning: whole };
  const [name, formula] = cut(text, EQUALS);
  const meaning = name === undefined || formula === undefined ? undefined : bind(formula);
  if (name !== undefined && meaning !== undefined) return { phrase: phraseOf(name), text, meaning };
  return readValue(text, reading) ?? readLoose(text, reading);
}

/** `TR000 is the molecule id`: a value, and the column that holds it. */
function readValue(text: string, reading: Reading): Definition | undefined {
  const [left, right] = cut(text, COPULA);
  const meaning = left === undefined || right === undefined ? undefined : heldBy(right, reading);
  return left === undefined || meaning === undefined ? undefined : { phrase: phraseOf(left), text, meaning };
}

/** The column that opens a text: `full name of the driver`. */
function heldBy(text: string, { names }: Reading): Meaning | undefined {
  if (/[=<>()]/.test(text)) return undefined;
  const words = text.replace(LEAD, '').replace(/["'`]/g, '').split(/\s+/);
  for (let length = Math.min(4, words.length); length > 0; length -= 1) {
    const columns = names.columns(words.slice(0, length).join(' '));
    if (columns.length > 0) return { columns: [], conditions: [], joins: [], heldBy: [columns] };
  }
  return undefined;
}

/** `'P1' stands for prepaid`: a value without its column, found where it is stored. */
function codeOf(text: string, { names, now }: Reading): Meaning | undefined {
  const code = /^'([^']+)'$/.exec(text.trim())?.[1];
  const [column] = code === undefined ? [] : names.holding(code);
  return code === undefined || column === undefined
    ? undefined
    : bindMeaning(`"${column.name}" = '${code}'`, names, now);
}

/** `p_name = hot spring dodger`: a value that nobody put in quotes. */
function bindLoosely(text: string, { names, now }: Reading): Meaning | undefined {
  const [, name = '', operator = '', value = ''] =
    /^([\w.` ]+?)\s*(=|!=|<>|>=|<=|>|<)\s*([^'"=<>()]+)$/.exec(text) ?? [];
  if (value.trim() === '' || names.columns(name.replace(/^.*\./, '')).length === 0) return undefined;
  return bindMeaning(`${name} ${operator} '${value.trim()}'`, names, now);
}

function readLoose(text: string, reading: Reading): Definition | undefined {
  const meaning = bindLoosely(text, reading);
  return meaning && { phrase: '', text, meaning };
}

function cut(text: string, at: RegExp): readonly [string?, string?] {
  const found = at.exec(text);
  if (found === null || found.index === 0) return [];
  return [text.slice(0, found.index), text.slice(found.index + found[0].length)];
}

function phraseOf(text: string): string {
  return text.trim().replace(/^["'`](.*)["'`]$/, '$1');
}

/** `DIVIDE(…) as percentage`. */
function aliasOf(text: string): string {
  return /\bas\s+["'`]?([A-Za-z_ ]+)["'`]?(?:\s+where\b.*)?$/i.exec(text)?.[1]?.replaceAll('_', ' ') ?? '';
}

/** Tables that a definition speaks of beyond doubt: those of columns that only one table has. */
export function tablesOf({ meaning }: Definition): string[] {
  const { columns, conditions, ranking, figure, heldBy = [] } = meaning;
  const named = [
    ...columns,
    ...conditions.flatMap(({ literal }) => (literal === undefined ? [] : [literal.columns])),
    ...(ranking === undefined ? [] : [ranking.columns]),
    ...(figure?.kind === 'aggregate' ? [figure.columns] : []),
    ...heldBy,
  ];
  const own = named.flatMap((names) => (names.length === 1 ? (names[0]?.tableId ?? []) : []));
  const whole = conditions.flatMap(({ literal, tables }) => (literal === undefined ? tables : []));
  return [...own, ...whole, ...(figure?.kind === 'expression' ? figure.tables : [])];
}
