/** Where the content of a literal was said. */
import type { Column } from '../../../catalog/index.ts';
import type { SqlNode } from '../../../sql/index.ts';
import type { AskedQuestion } from '../asked-question.ts';
import { barePattern } from './bare-pattern.ts';
import { stemsIn } from './stems-in.ts';

/** The seven grounding features of a literal, from `literal_in_question` on. */
export function groundLiteral(
  literal: SqlNode,
  compared: Column | undefined,
  { text, hint, lower, said, stems }: AskedQuestion,
): readonly number[] {
  const value = barePattern(literal.value ?? '').trim();
  const folded = value.toLowerCase();
  const isText = literal.flags.string !== undefined;
  const quoted = isText ? said.hintTexts : said.hintNumbers;
  const isPart = (one: string): boolean => one.length > value.length && one.toLowerCase().includes(folded);
  return [
    isText ? standsIn(value, text, lower.text) : numberStands(value, said.questionNumbers),
    isText ? standsIn(value, hint, lower.hint) : numberStands(value, said.hintNumbers),
    isText ? equalIn(value, quoted) : numberStands(value, quoted),
    compared?.comment === undefined || value === ''
      ? Number.NaN
      : Math.ceil(standsIn(value, compared.comment, compared.comment.toLowerCase())),
    isText ? wordsSaid(value, stems) : Number.NaN,
    isText && value.length > 1 && (said.hintTexts.some(isPart) || said.questionTexts.some(isPart)) ? 1 : 0,
    compared === undefined ? 0 : pairInHint(compared.name.toLowerCase(), value, hint, lower.hint),
  ];
}

/** 1 as written, 0.5 but for case, 0 not at all; whole words only. */
function standsIn(value: string, text: string, lower: string): number {
  if (value === '') return 0;
  if (hasWhole(text, value)) return 1;
  return hasWhole(lower, value.toLowerCase()) ? 0.5 : 0;
}

function hasWhole(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const isEnd = (sign: string | undefined, own: string | undefined): boolean =>
      !(/[\p{L}\p{N}]/u.test(sign ?? ' ') && /[\p{L}\p{N}]/u.test(own ?? ' '));
    if (isEnd(text[at - 1], value[0]) && isEnd(text[at + value.length], value.at(-1))) return true;
  }
  return false;
}

function equalIn(value: string, texts: readonly string[]): number {
  if (texts.includes(value)) return 1;
  const lower = value.toLowerCase();
  return texts.some((text) => text.toLowerCase() === lower) ? 0.5 : 0;
}

function numberStands(value: string, numbers: readonly string[]): number {
  const number = Number(value);
  return Number.isFinite(number) && numbers.some((one) => Number(one) === number) ? 1 : 0;
}

function wordsSaid(value: string, said: ReadonlySet<string>): number {
  const stems = stemsIn(value);
  return stems.length === 0 ? Number.NaN : stems.filter((stem) => said.has(stem)).length / stems.length;
}

const NEAR = 40;

/** `City = 'Fresno'`, `Charter = 1`: 1 where the hint has this value for the column, −1 another one, 0 none. */
function pairInHint(column: string, value: string, hint: string, lower: string): number {
  // SQLite allows a column without a name, which would be found everywhere.
  if (column === '') return 0;
  let found = 0;
  for (let at = lower.indexOf(column); at >= 0; at = lower.indexOf(column, at + 1)) {
    const after = hint.slice(at + column.length, at + column.length + NEAR);
    const pair =
      /^[`"')\]]*\s*(?:=|!=|<>|>=?|<=?|is|in|like)\s*\(?\s*(?:'([^']*)|"([^"]*)|(-?\d[\d.]*))/i.exec(after);
    const other = pair?.[1] ?? pair?.[2] ?? pair?.[3];
    if (other === undefined) continue;
    if (barePattern(other) === value || Number(other) === Number(value || 'none')) return 1;
    found = -1;
  }
  return found;
}
