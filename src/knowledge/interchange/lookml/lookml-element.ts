/** Reading views, fields and explores: named blocks with the places of what they say. */

import type { CandorError } from '../../../errors.ts';
import { inQuotes } from '../../../sql/dialects/index.ts';
import type { ImportContext } from '../conversion/import-context.ts';
import type { BlockData } from '../conversion/vendor-block.ts';
import type { Loss } from '../foreign/conversion.ts';
import { faultIn, lineAndColumn } from '../foreign/foreign-document.ts';
import { MEMBER_MARK } from '../foreign/resolve-expression.ts';
import { columnText } from '../foreign/sql-expression.ts';
import type { LookmlBlock, LookmlEntry, LookmlValue } from './parse-lookml.ts';

export const LOOKML_VENDOR = 'LOOKER';

/** One `view`, `dimension`, `measure`, `explore` or `join`. */
export interface LookmlElement {
  readonly kind: string;
  readonly name: string;
  readonly entries: readonly LookmlEntry[];
  readonly file: { readonly path: string; readonly text: string };
  readonly offset: number;
}

export function elementsOf(owner: LookmlElement, kind: string): LookmlElement[] {
  return owner.entries.flatMap(({ key, value, offset }) => {
    if (key !== kind || !isBlock(value) || value.name === undefined) return [];
    return [{ kind, name: value.name, entries: value.entries, file: owner.file, offset }];
  });
}

/** The last value that a key has, as text. */
export function textOf(element: Pick<LookmlElement, 'entries'>, key: string): string | undefined {
  const value = element.entries.findLast((entry) => entry.key === key)?.value;
  return typeof value === 'string' ? value : undefined;
}

/** All words of a list, or the one that stands there without brackets. */
export function wordsOf(element: Pick<LookmlElement, 'entries'>, key: string): readonly string[] {
  return element.entries.flatMap((entry) => {
    if (entry.key !== key) return [];
    const items = Array.isArray(entry.value) ? entry.value : [entry.value];
    return items.filter((item) => typeof item === 'string');
  });
}

export function isYes(element: Pick<LookmlElement, 'entries'>, key: string): boolean {
  return textOf(element, key)?.toLowerCase() === 'yes';
}

export function isBlock(value: LookmlValue): value is LookmlBlock {
  // A list has a method of that name.
  return typeof value === 'object' && !Array.isArray(value) && 'entries' in value;
}

export function placeIn({ file, offset }: LookmlElement): string {
  return `${file.path}:${lineAndColumn(file.text, offset).join(':')}`;
}

export function faultAt({ file, offset }: LookmlElement, message: string): CandorError {
  return faultIn(file.path, file.text, offset, message);
}

export function lose(desk: ImportContext, kind: Loss['kind'], at: LookmlElement, what: string): void {
  desk.losses.push({ kind, place: placeIn(at), what });
}

/** What an element says under other keys than those that were used: kept, and reported in one line. */
export function keepOthers(element: LookmlElement, used: readonly string[], desk: ImportContext): BlockData {
  const others = element.entries.filter(({ key }) => !used.includes(key));
  if (others.length === 0) return {};
  const keys = [...new Set(others.map(({ key }) => `\`${key}\``))].join(', ');
  lose(desk, 'kept', element, `${element.kind} ${element.name}: ${keys} without effect here`);
  return plainEntries(others);
}

/** A block as plain data; a key that stands several times becomes a list. */
export function plainEntries(entries: readonly LookmlEntry[]): BlockData {
  const result = new Map<string, unknown[]>();
  for (const { key, value } of entries) result.set(key, [...(result.get(key) ?? []), plainValue(value)]);
  return Object.fromEntries(
    [...result].map(([key, values]) => [key, values.length === 1 ? values[0] : values]),
  );
}

function plainValue(value: LookmlValue): unknown {
  if (typeof value === 'string') return value;
  if (isBlock(value)) {
    const inside = plainEntries(value.entries);
    return value.name === undefined ? inside : { name: value.name, ...inside };
  }
  return 'text' in value ? { [value.key]: value.text } : value.map(plainValue);
}

// LookML's references inside SQL: `${TABLE}.column`, `${field}`, `${view.field}`.

/** The key of a field in a `LogicalTable`. */
export function fieldKey(name: string): string {
  return `${MEMBER_MARK}${name}`.toLowerCase();
}

/** The SQL with references as plain names over `view`; `undefined` when Liquid decides it at run time. */
export function plainLookmlSql(sql: string, view: string): string | undefined {
  if (/\{%|\{\{|@\{/.test(sql)) return undefined;
  const text = sql.replace(/\$\{\s*([A-Za-z_][\w.]*)\s*\}/g, (whole, path: string) => {
    if (path === 'TABLE') return columnText(view);
    const [name = '', owner = view, ...others] = path.split('.').reverse();
    return others.length > 0 ? whole : `${columnText(owner)}.${columnText(MEMBER_MARK + name)}`;
  });
  return text.includes('${') ? undefined : text;
}

/** The view and field of a plain name that `plainLookmlSql` made of `${view.field}`. */
export function readField(
  parts: readonly string[],
): { readonly view: string; readonly field: string } | undefined {
  const [name = '', view = ''] = [...parts].reverse();
  return name.startsWith(MEMBER_MARK) ? { view, field: name.slice(MEMBER_MARK.length) } : undefined;
}

// Looker's filter expressions on one field, as far as they are plain comparisons.

/** What kind of values a field has. */
export type FilterType = 'string' | 'number' | 'yesno' | 'other';

/**
 * The condition that `column` meets for a filter such as `shipped`, `a,b`, `-x`, `>= 5`, `yes`, `NULL`. `undefined` for
 * dates in words, patterns and whatever else has no plain comparison.
 */
export function filterCondition(column: string, filter: string, type: FilterType): string | undefined {
  const text = filter.trim();
  if (/^-?null$/i.test(text)) return `${column} IS ${text.startsWith('-') ? 'NOT ' : ''}NULL`;
  switch (type) {
    case 'yesno':
      return /^(?:yes|no)$/i.test(text) ? (/^yes$/i.test(text) ? column : `NOT (${column})`) : undefined;
    case 'number':
      return numberCondition(column, text);
    case 'string':
      return textCondition(column, text);
    default:
      return undefined;
  }
}

const NUMBER = /^-?\d+(?:\.\d+)?$/;

function numberCondition(column: string, text: string): string | undefined {
  const [, operator = '', value = ''] = /^(>=|<=|>|<|!=|<>|=|not\b)?\s*(-?\d+(?:\.\d+)?)$/i.exec(text) ?? [];
  if (value !== '')
    return `${column} ${{ '': '=', not: '<>', '!=': '<>' }[operator.toLowerCase()] ?? operator} ${value}`;
  const items = text.split(',').map((item) => item.trim());
  return items.length > 1 && items.every((item) => NUMBER.test(item))
    ? `${column} IN (${items.join(', ')})`
    : undefined;
}

function textCondition(column: string, text: string): string | undefined {
  // `%`, `_` and `^` make patterns, quotes and words such as EMPTY have meanings of their own.
  if (/[%_^"{}]/.test(text) || /^-?(?:empty|not )/i.test(text) || text === '') return undefined;
  const items = text.split(',').map((item) => item.trim());
  const isNot = items.every((item) => item.startsWith('-'));
  if (items.some((item) => item === '' || (!isNot && item.startsWith('-')))) return undefined;
  const values = items.map((item) => inQuotes(isNot ? item.slice(1) : item, "'"));
  if (values.length === 1) return `${column} ${isNot ? '<>' : '='} ${values[0]}`;
  return `${column} ${isNot ? 'NOT ' : ''}IN (${values.join(', ')})`;
}
