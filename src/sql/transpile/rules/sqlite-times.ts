/** SQLite's functions of time with their modifiers: `DATE(x, '+1 month', 'start of month')`. */
import type { PrintableNode } from '../../print/printable.ts';
import type { SqlNode } from '../../tree/node.ts';
import { writtenForm } from '../phrases/phrase.ts';
import { cut, FORMATTED_TIME } from '../phrases/time-units.ts';
import { EPOCH_SECONDS, JULIAN_DAY } from '../phrases/times.ts';
import { say, textNode } from '../translation/built-node.ts';
import { MONTH_END, shiftTime, unitOf } from '../translation/intervals.ts';
import { asTime } from '../translation/loose-values.ts';
import { readText } from '../translation/read-text.ts';
import { convertFormat } from '../translation/time-format.ts';
import type { Translation } from '../translation/translation.ts';
import { typeName } from '../translation/type-names.ts';

const FUNCTIONS: ReadonlySet<string> = new Set([
  'DATE',
  'TIME',
  'DATETIME',
  'STRFTIME',
  'JULIANDAY',
  'UNIXEPOCH',
]);

/** The call in the target, or `undefined` when it is another function or has modifiers that cannot come over. */
export function translateSqliteTime(node: SqlNode, translation: Translation): PrintableNode | undefined {
  const name = (node.value ?? '').toUpperCase();
  if (translation.from !== 'sqlite' || !FUNCTIONS.has(name)) return undefined;
  const isFormat = name === 'STRFTIME';
  const format = isFormat ? node.children[0] : undefined;
  const [value, ...modifiers] = isFormat ? node.children.slice(1) : node.children;
  const time = modifiedTime(value, modifiers, translation);
  if (time === undefined) return undefined;
  if (format === undefined) return RESULTS[name]?.(time, translation);
  return formatted(format, time, translation);
}

/** The value with its modifiers from left to right; without a value it is the moment of the query. */
function modifiedTime(
  value: SqlNode | undefined,
  modifiers: readonly SqlNode[],
  translation: Translation,
): PrintableNode | undefined {
  const { to } = translation;
  let time = value === undefined ? say('CURRENT_TIMESTAMP', to, {}) : asTime(value, translation);
  let isFirstDay = false;
  for (const modifier of modifiers) {
    const text = modifierText(modifier, translation);
    const next = modify(time, { text, node: modifier }, translation);
    if (next === undefined) return undefined;
    if (/ (?:month|year)s?$/.test(text) && !text.startsWith('start') && !isFirstDay) {
      translation.changed('month-end', modifier, MONTH_END);
    }
    isFirstDay = /^start of (?:month|year)$/.test(text) || (isFirstDay && / (?:month|year)s?$/.test(text));
    time = next;
  }
  return time;
}

/** The words of a modifier that stands in the text, else ''. */
function modifierText(modifier: SqlNode, { tree }: Translation): string {
  const isText = modifier.type === 'Literal' && modifier.flags.string !== undefined;
  return isText ? (readText(modifier, tree) ?? '').trim().toLowerCase() : '';
}

interface Modifier {
  readonly text: string;
  readonly node: SqlNode;
}

function modify(
  time: PrintableNode,
  { text, node }: Modifier,
  translation: Translation,
): PrintableNode | undefined {
  const { to, changed } = translation;
  const [, sign = '+', amount = '', word = ''] = /^([+-]?)(\d+(?:\.\d+)?) +([a-z]+)$/.exec(text) ?? [];
  const unit = unitOf(word);
  if (unit !== undefined && unit !== 'week' && unit !== 'quarter') {
    return shiftTime(time, { amount, unit, isBack: sign === '-' }, translation);
  }
  const start = /^start of (day|month|year)$/.exec(text)?.[1];
  const form = start === undefined ? undefined : writtenForm(cut(start), to);
  if (form !== undefined) return say(form, to, { _time: time });
  if (text !== 'localtime' && text !== 'utc') return undefined;
  changed('type', node, `${to} has its own time zone`);
  return time;
}

const RESULTS: Readonly<
  Record<string, (time: PrintableNode, translation: Translation) => PrintableNode | undefined>
> = {
  DATE: (time, translation) => castTo('date', time, translation),
  TIME: (time, translation) => castTo('time', time, translation),
  DATETIME: (time, translation) => castTo('timestamp', time, translation),
  JULIANDAY: (time, { to }) => sayForm(writtenForm(JULIAN_DAY, to), time, to),
  UNIXEPOCH: (time, { to }) => sayForm(writtenForm(EPOCH_SECONDS, to), time, to),
};

function castTo(
  meaning: 'date' | 'time' | 'timestamp',
  time: PrintableNode,
  { to }: Translation,
): PrintableNode | undefined {
  return sayForm(`CAST(_time AS ${typeName(meaning, to)})`, time, to);
}

function sayForm(
  form: string | undefined,
  time: PrintableNode,
  to: Translation['to'],
): PrintableNode | undefined {
  return form === undefined ? undefined : say(form, to, { _time: time });
}

function formatted(
  format: SqlNode,
  time: PrintableNode,
  translation: Translation,
): PrintableNode | undefined {
  const { from, to, tree, unsupported } = translation;
  const codes = readText(format, tree);
  const form = writtenForm(FORMATTED_TIME, to);
  if (codes === undefined || form === undefined) return undefined;
  const converted = convertFormat(codes, from, to);
  if ('problem' in converted) {
    unsupported('format', format, `the format "${codes}" shows ${converted.problem}, which ${to} cannot`);
    return undefined;
  }
  return say(form.replace("'_format'", '_codes'), to, { _time: time, _codes: textNode(converted.format) });
}
