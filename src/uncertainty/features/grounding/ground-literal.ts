/** Where the content of a literal was said. */
import type { Column } from '../../../catalog/index.ts';
import { stemOf } from '../../../reasoning/index.ts';
import type { SqlNode } from '../../../sql/index.ts';
import type { AskedQuestion } from '../asked-question.ts';

/** The seven grounding features of a literal, from `literal_in_question` on. */
export function groundLiteral(
  literal: SqlNode,
  compared: Column | undefined,
  { text, hint, said }: AskedQuestion,
): readonly number[] {
  const value = (literal.value ?? '').replace(/^%+|%+$/g, '').trim();
  const isText = literal.flags.string !== undefined;
  const quoted = isText ? said.hintTexts : said.hintNumbers;
  const all = [...said.hintTexts, ...said.questionTexts];
  return [
    isText ? standsIn(value, text) : numberStands(value, said.questionNumbers),
    isText ? standsIn(value, hint) : numberStands(value, said.hintNumbers),
    isText ? equalIn(value, quoted) : numberStands(value, quoted),
    compared?.comment === undefined || value === ''
      ? Number.NaN
      : Math.ceil(standsIn(value, compared.comment)),
    isText ? wordsSaid(value, `${text} ${hint}`) : Number.NaN,
    isText && value.length > 1 && all.some((one) => isLonger(one, value)) ? 1 : 0,
    compared === undefined ? 0 : pairInHint(compared.name, value, hint),
  ];
}

/** 1 as written, 0.5 but for case, 0 not at all; whole words only. */
function standsIn(value: string, text: string): number {
  if (value === '') return 0;
  if (hasWhole(text, value)) return 1;
  return hasWhole(text.toLowerCase(), value.toLowerCase()) ? 0.5 : 0;
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

function wordsSaid(value: string, text: string): number {
  const words = value.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? [];
  if (words.length === 0) return Number.NaN;
  const said = new Set((text.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? []).map(stemOf));
  return words.filter((word) => said.has(stemOf(word))).length / words.length;
}

function isLonger(text: string, value: string): boolean {
  return text.length > value.length && text.toLowerCase().includes(value.toLowerCase());
}

const NEAR = 40;

/** `City = 'Fresno'`, `Charter = 1`: 1 where the hint has this value for the column, −1 another one, 0 none. */
function pairInHint(name: string, value: string, hint: string): number {
  const lower = hint.toLowerCase();
  const column = name.toLowerCase();
  let found = 0;
  for (let at = lower.indexOf(column); at >= 0; at = lower.indexOf(column, at + 1)) {
    const after = hint.slice(at + name.length, at + name.length + NEAR);
    const pair =
      /^[`"')\]]*\s*(?:=|!=|<>|>=?|<=?|is|in|like)\s*\(?\s*(?:'([^']*)|"([^"]*)|(-?\d[\d.]*))/i.exec(after);
    const other = pair?.[1] ?? pair?.[2] ?? pair?.[3];
    if (other === undefined) continue;
    if (other.replace(/^%+|%+$/g, '') === value || Number(other) === Number(value || 'none')) return 1;
    found = -1;
  }
  return found;
}
