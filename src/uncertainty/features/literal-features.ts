/** How a literal is written, and what it stands beside: a form of date, of number or of name that the data may not have. */

import type { SchemaFacts } from '../../faults/index.ts';
import type { ReadQuery } from '../../faults/reading/index.ts';
import type { SqlNode } from '../../sql/tree/index.ts';
import { type AskedQuestion, questionMemory } from './asked-question.ts';
import type { Feature, FeatureGroup, FeatureSources, NodeReader } from './feature.ts';
import { COMPARISONS, nodeSubjects } from './node-subjects.ts';

const LITERAL_FEATURES = [
  {
    name: 'literal_form',
    kind: 'category',
    unit: 'name',
    about: 'how the literal is written: date, year, pattern, code, capitalised, lower case',
  },
  {
    name: 'literal_beside',
    kind: 'category',
    unit: 'name',
    about: 'type of the node on the other side of the comparison that the literal stands in',
  },
  {
    name: 'literal_beside_key',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'the literal is compared with a column of a primary or foreign key',
    tell: (value) => (value === 1 ? 'it is compared with a key, not with a name' : undefined),
  },
  {
    name: 'date_form_in_hint',
    kind: 'category',
    unit: 'name',
    about: 'of dates and functions of dates: how the hint writes dates',
  },
  {
    name: 'extreme_in_hint',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'of a limit and a sort key: the hint writes MAX or MIN',
    tell: (value, node) =>
      value === 1 && node?.type === 'Limit' ? 'the hint asks for a maximum or a minimum' : undefined,
  },
] as const satisfies readonly Feature[];

export const literalFeatures: FeatureGroup = { name: 'literal', features: LITERAL_FEATURES, open };

const NONE = 'none';
const dateForms = questionMemory<string>();
const extremes = questionMemory<number>();

function open(query: ReadQuery, { asked, schema }: FeatureSources): NodeReader {
  const { compared } = nodeSubjects(query);
  return (node, into, at) => {
    const isLiteral = node.type === 'Literal';
    const form = isLiteral ? literalForm(node) : NONE;
    const hasDate = isDateForm(form) || DATE_CALLS.has(node.type);
    into[at] = form;
    into[at + 1] = isLiteral ? besideOf(node) : NONE;
    into[at + 2] = isLiteral ? Number(isKey(compared[node.id] ?? '', schema)) : Number.NaN;
    into[at + 3] = hasDate && asked !== undefined ? dateFormOf(asked) : NONE;
    into[at + 4] = isOfExtreme(node) && asked !== undefined ? extremeOf(asked) : Number.NaN;
  };
}

function isKey(column: string, { primaryKeys, referring, referred }: SchemaFacts): boolean {
  return primaryKeys.has(column) || referring.has(column) || referred.has(column);
}

const OPEN: ReadonlySet<string> = new Set(['Paren', 'Neg']);

function besideOf(literal: SqlNode): string {
  let below = literal;
  while (below.parent !== undefined && OPEN.has(below.parent.type)) below = below.parent;
  const around = below.parent;
  if (around === undefined || !COMPARISONS.has(around.type)) return NONE;
  return around.children.find((side) => side !== below)?.type ?? NONE;
}

/** What dates are taken apart and compared with. */
const DATE_CALLS: ReadonlySet<string> = new Set([
  ...['TimeToStr', 'Substring', 'Date', 'Extract', 'Year', 'Month', 'Day', 'Between', 'Like'],
]);

/** The first that a hint has. */
const HINT_FORMS: readonly (readonly [form: string, pattern: RegExp])[] = [
  ['strftime', /\bstrftime\s{0,3}\(/i],
  ['part', /\b(?:year|month|day)\s{0,3}\(/i],
  ['cut', /\bsubstr|\bfirst \d{1,2} (?:characters|strings|digits)|\bcast\s{0,3}\(/i],
  ['pattern', /\blike\b|%'/i],
  ['moment', /\d{4}-\d\d-\d\d[ T]\d/],
  ['date', /\d{4}-\d\d-\d\d/],
  ['slashes', /\d{4}\/\d/],
  ['clock', /current_(?:timestamp|date)|\bnow\b/i],
];

function dateFormOf(asked: AskedQuestion): string {
  const find = (): string => HINT_FORMS.find(([, pattern]) => pattern.test(asked.hint))?.[0] ?? 'unsaid';
  return dateForms(asked)('date', find);
}

/** Where the gold asks for the rows that have the maximum, a limit of one row is wrong. */
function isOfExtreme({ type, parent }: SqlNode): boolean {
  return type === 'Limit' || type === 'Order' || type === 'Ordered' || parent?.type === 'Limit';
}

function extremeOf(asked: AskedQuestion): number {
  return extremes(asked)('extreme', () => Number(/\bm(?:ax|in)\s{0,3}\(/i.test(asked.hint)));
}

// How a literal is written: `date`, `year`, `pattern`, `code`, `capitalised`, …

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

function literalForm({ value = '', flags }: SqlNode): string {
  if (flags.string === undefined)
    return /^(?:0|1|100)(?:\.0)?$/.test(value) ? Number(value).toString() : 'numeric';
  const short = value.slice(0, 100);
  return FORMS.find(([, pattern]) => pattern.test(short))?.[0] ?? 'mixed';
}

function isDateForm(form: string): boolean {
  return DATE_FORMS.has(form);
}
