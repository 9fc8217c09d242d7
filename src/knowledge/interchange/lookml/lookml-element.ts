/** Reading views, fields and explores: named blocks with the places of what they say. */
import type { CandorError } from '../../../errors.ts';
import type { Loss } from '../conversion.ts';
import { faultIn, lineAndColumn } from '../foreign-document.ts';
import type { ImportDesk } from '../import-desk.ts';
import type { BlockData } from '../vendor-block.ts';
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

export function lose(desk: ImportDesk, kind: Loss['kind'], at: LookmlElement, what: string): void {
  desk.losses.push({ kind, place: placeIn(at), what });
}

/** What an element says under other keys than those that were used: kept, and reported in one line. */
export function keepOthers(element: LookmlElement, used: readonly string[], desk: ImportDesk): BlockData {
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
