/** How a literal is written: `date`, `year`, `pattern`, `code`, `capitalised`, … */
import type { SqlNode } from '../../../sql/index.ts';

const DATE_FORMS: ReadonlySet<string> = new Set([
  'date',
  'moment',
  'clock',
  'format',
  'year',
  'digits-date',
  'time',
]);

/** Tried in turn on the text of a literal. */
const FORMS: readonly (readonly [form: string, pattern: RegExp])[] = [
  ['empty', /^\s*$/],
  ['clock', /^(?:now|localtime|start of \w+|[+-]\d+ \w+)$/i],
  ['format', /^[^\s%]?%[a-zA-Z](?:[^\p{L}\p{N}]{0,2}%[a-zA-Z])*$/u],
  ['moment', /^\d{4}-\d\d-\d\d[ T]\d/],
  ['date', /^\d{4}[-/]\d{1,2}(?:[-/]\d{1,2})?$/],
  ['time', /^\d{1,2}:\d\d/],
  ['year', /^(?:1[6-9]|20)\d\d$/],
  ['digits-date', /^(?:19|20)\d{4}(?:\d\d)?$/],
  ['number', /^[-+]?\d[\d.,]*$/],
  ['pattern', /[%_]/],
  ['code', /^[\p{Lu}\p{N}+-]{1,4}$/u],
  ['upper', /^[^\p{Ll}]*$/u],
  ['lower', /^[^\p{Lu}]*$/u],
  ['capitalised', /^\p{Lu}[^\p{Lu}]*(?:\s\p{Lu}[^\p{Lu}]*)*$/u],
];

export function literalForm({ value = '', flags }: SqlNode): string {
  if (flags.string === undefined)
    return /^(?:0|1|100)(?:\.0)?$/.test(value) ? Number(value).toString() : 'numeric';
  const short = value.slice(0, 100);
  return FORMS.find(([, pattern]) => pattern.test(short))?.[0] ?? 'mixed';
}

export function isDateForm(form: string): boolean {
  return DATE_FORMS.has(form);
}
