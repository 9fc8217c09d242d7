/** A span of time in one form, however the dialect writes it. */
import { child, type SqlNode } from '../tree/node.ts';
import { readText } from './read-text.ts';
import type { Translation } from './translation.ts';

export type TimeUnit = 'year' | 'quarter' | 'month' | 'week' | 'day' | 'hour' | 'minute' | 'second';

export interface TimeSpan {
  /** A number as written, or the expression that computes it. */
  readonly amount: string | SqlNode;
  readonly unit: TimeUnit;
}

const UNITS: Readonly<Record<string, TimeUnit>> = {
  year: 'year',
  years: 'year',
  y: 'year',
  quarter: 'quarter',
  quarters: 'quarter',
  month: 'month',
  months: 'month',
  mon: 'month',
  mons: 'month',
  week: 'week',
  weeks: 'week',
  day: 'day',
  days: 'day',
  d: 'day',
  hour: 'hour',
  hours: 'hour',
  h: 'hour',
  minute: 'minute',
  minutes: 'minute',
  min: 'minute',
  second: 'second',
  seconds: 'second',
  s: 'second',
};

/** `unitOf('DAYS')` → `day`. */
export function unitOf(word: string): TimeUnit | undefined {
  return UNITS[word.toLowerCase()];
}

/** `INTERVAL '3 days'`, `INTERVAL '3' DAY`, `INTERVAL 3 DAY`; `undefined` for spans of several units. */
export function readInterval(node: SqlNode, { tree }: Translation): TimeSpan | undefined {
  const value = child(node, 'this');
  const unitNode = child(node, 'unit');
  if (value === undefined) return undefined;
  const amount = value.type === 'Paren' ? (child(value, 'this') ?? value) : value;
  const text = amount.flags.string === undefined ? undefined : readText(amount, tree);
  if (unitNode !== undefined) {
    const unit = unitOf(unitNode.value ?? '');
    const plain = text ?? plainNumber(amount);
    if (unit === undefined) return undefined;
    if (plain === undefined) return { amount, unit };
    return /^[+-]?\d+(?:\.\d+)?$/.test(plain.trim()) ? { amount: plain.trim(), unit } : undefined;
  }
  const [, number = '', word = ''] = /^\s*([+-]?\d+(?:\.\d+)?)\s*([A-Za-z]+)\s*$/.exec(text ?? '') ?? [];
  const unit = unitOf(word);
  return unit === undefined ? undefined : { amount: number, unit };
}

/** The digits of a number that stands in the text, with its sign. */
export function plainNumber(node: SqlNode): string | undefined {
  if (node.type === 'Literal' && node.flags.string === undefined) return node.value;
  const inner = node.type === 'Neg' ? node.children[0] : undefined;
  const digits = inner && plainNumber(inner);
  return digits === undefined ? undefined : `-${digits}`;
}
