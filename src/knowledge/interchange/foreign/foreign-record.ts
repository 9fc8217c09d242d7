/** Reading parts of a foreign document whose shape nobody promises: what does not fit is set aside and reported. */
import type { z } from 'zod';
import type { Loss } from './conversion.ts';
import { isRecord } from './lean-model.ts';

export type ForeignRecord = Readonly<Record<string, unknown>>;

/** The value as the schema gives it; one that does not fit is left out, and the report says where and why. */
export function accept<T>(
  schema: z.ZodType<T>,
  value: unknown,
  place: string,
  losses: Loss[],
): T | undefined {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const at = (issue?.path ?? []).map(String).join('.');
  losses.push({
    kind: 'dropped',
    place: at === '' ? place : `${place}.${at}`,
    what: `not understood: ${issue?.message ?? 'another shape'}; the entry is left out`,
  });
  return undefined;
}

/**
 * A record without its empty entries, for `custom_extensions`: null, `undefined`, empty texts, lists and mappings say
 * nothing there.
 */
export function withoutEmpty(record: ForeignRecord): ForeignRecord {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => !isEmpty(value)));
}

export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) && Object.keys(value).length === 0;
}

/**
 * Foreign data to carry along: plain JSON. A key `__proto__` is left out, and a number that JSON cannot write becomes
 * the text of it.
 */
export function carried(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(carried);
  if (isRecord(value)) {
    const entries = Object.entries(value).filter(([key, item]) => key !== '__proto__' && item !== undefined);
    return Object.fromEntries(entries.map(([key, item]) => [key, carried(item)]));
  }
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

/** A text without the space around it; `undefined` for an empty one and for anything else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** The mappings of a list; none for anything but a list. */
export function recordsIn(value: unknown): readonly ForeignRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** A value of a foreign file as text; nothing for lists and objects, which may even bring a `toString` of their own. */
export function foreignText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}
