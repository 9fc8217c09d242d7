/** Codes and their meanings in the free text that describes the values of a column. */
import type { DescribedValue } from '../conversion/described-model.ts';

export interface ValueDescription {
  /** Empty unless every line that could be a code is one, and reads the same way. */
  readonly values: readonly DescribedValue[];
  /** What is left for people to read; the whole text where there are no values. */
  readonly rest: string;
}

/** A meaning longer than this is an explanation, no name. */
const LONGEST_MEANING = 60;

const BULLET = /^[·•*–-]\s+/;
const CODE = String.raw`["“][^"“”]{1,40}["”]|'[^']{1,40}'|-?\d{1,9}|[+-]|[A-Z][A-Z0-9_]{0,11}|[a-z]{1,2}`;
const SIGN = String.raw`\s*(?:[:：=]|-->|\s[-–—]\s|\sstands? for\s)\s*(?:stands? for\s+)?`;
const ENTRY = new RegExp(`^(${CODE})${SIGN}(.+)$`, 'u');
/** "0: disallow 1: allow": codes in one line are believed when they are whole numbers that count up. */
const NUMBERED = /(?:^|[\s,;])(\d{1,2})\s*[:=]\s*/g;
/** Words that tell a condition apart only beside its column; as names of codes they would stand everywhere. */
const HOLLOW = new Set(
  'is are was has have had been be can not no it does do doesn isn hasn aren don the a an of or and t'.split(
    ' ',
  ),
);
const PLAIN_ANSWERS = new Set(['yes', 'no', 'true', 'false']);
const NO_VALUE = /^["']?(?:null|none|empty|nan)["']?$/i;

/**
 * Reads `0: no; 1: yes`, one code a line, with bullets or quotes. All or nothing: a text of which a part could also
 * be read otherwise stays text, since a wrong name of a code is a wrong filter. `isNumeric`: codes are numbers.
 */
export function readValueDescription(text: string, isNumeric: boolean): ValueDescription {
  const lines = text.split('\n').map((line) => line.trim());
  const parts = lines.map((line) => splitLine(line.replace(BULLET, '')));
  const entries = parts.flatMap((part) => part ?? []);
  const values = entries.flatMap(({ code, meaning }) => value(code, meaning, isNumeric));
  const codes = new Set(values.map(({ value: stored }) => stored));
  const meanings = new Set(values.flatMap(({ surface }) => surface.map((word) => word.toLowerCase())));
  const isBroken = lines.some((line, index) => !parts[index] && ENTRY.test(line.replace(BULLET, '')));
  const isSure =
    !isBroken &&
    entries.length >= 2 &&
    values.length === entries.length &&
    codes.size === entries.length &&
    meanings.size === entries.length &&
    isOneRun(lines, parts);
  if (!isSure) return { values: [], rest: text };
  const rest = lines.filter((_, index) => parts[index] === undefined).join('\n');
  return { values, rest: rest.trim() };
}

/** Codes stand together; only empty lines may be between them. */
function isOneRun(lines: readonly string[], parts: readonly (readonly Entry[] | undefined)[]): boolean {
  const first = parts.findIndex((part) => part !== undefined);
  const last = parts.findLastIndex((part) => part !== undefined);
  return lines.slice(first, last).every((line, index) => line === '' || parts[first + index] !== undefined);
}

interface Entry {
  readonly code: string;
  readonly meaning: string;
}

/** The codes of one line; `undefined`: it is no line of codes. */
function splitLine(line: string): readonly Entry[] | undefined {
  const pieces = line.split(/;\s*|,\s*(?=["'][^"']{1,40}["']\s*[:=])/).filter((piece) => piece !== '');
  const entries = pieces.map(entry);
  if (entries.length > 0 && entries.every((item) => item !== undefined)) return entries;
  return numbered(line);
}

function entry(piece: string): Entry | undefined {
  const [, code = '', rest = ''] = ENTRY.exec(piece.trim()) ?? [];
  const meaning = rest.replace(/[\s;,.]+$/, '').trim();
  // "2: severe 3: mild" are two codes, or one with a strange name.
  return code === '' || /(?:^|[\s).])["']?\w{1,12}["']?\s*[:=]/.test(meaning) ? undefined : { code, meaning };
}

function numbered(line: string): readonly Entry[] | undefined {
  const found = [...line.matchAll(NUMBERED)];
  const codes = found.map(([, code]) => Number(code));
  if (codes.length < 2 || found[0]?.index !== 0) return undefined;
  if (codes.some((code, index) => code !== (codes[0] ?? 0) + index)) return undefined;
  return found.map((match, index) => ({
    code: match[1] ?? '',
    meaning: line
      .slice(match.index + match[0].length, found[index + 1]?.index)
      .replace(/[\s;,.]+$/, '')
      .trim(),
  }));
}

/** None where the meaning is no name: too long, a range, or made of words that stand in every question. */
function value(code: string, meaning: string, isNumeric: boolean): DescribedValue[] {
  if (meaning.length > LONGEST_MEANING || NO_VALUE.test(code)) return [];
  const words = meaning.toLowerCase().match(/\p{L}+/gu) ?? [];
  const says = words.some((word) => word.length > 1 && !HOLLOW.has(word));
  if (!says && !PLAIN_ANSWERS.has(meaning.toLowerCase())) return [];
  const stored = /^["'“]/.test(code) ? code.slice(1, -1).trim() : code;
  const isNumber = isNumeric && /^-?(?:0|[1-9]\d*)$/.test(stored);
  return [{ value: isNumber ? Number(stored) : stored, surface: [meaning] }];
}

/** Codes in words that `readValueDescription` reads again, as far as they can be. */
export function writeValueDescription(values: readonly DescribedValue[]): string {
  return values
    .map(({ value: stored, surface }) => {
      const isPlain = new RegExp(`^(?:${CODE})$`, 'u').test(String(stored)) && !/^["'“]/.test(String(stored));
      return `${isPlain ? stored : `"${stored}"`}: ${surface[0] ?? stored}`;
    })
    .join('\n');
}
