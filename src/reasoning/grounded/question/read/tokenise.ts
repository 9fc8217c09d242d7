import { lemmaOf, numberWord } from '../../../../language/index.ts';
import type { Span } from '../../../../sql/dialects/index.ts';

export interface Token extends Span {
  readonly text: string;
  /** Lower case, without possessive ending. */
  readonly lower: string;
  readonly lemma: string;
  readonly kind: 'word' | 'number' | 'quoted' | 'comma' | 'stop' | 'symbol';
  /** Value of a number token. */
  readonly number?: number;
  /** The word had a possessive ending ("Germany's"). */
  readonly isPossessive: boolean;
}

const PATTERN =
  /(?<quoted>"[^"]{1,200}"|“[^”]{1,200}”|‘[^’]{1,200}’|`[^`]{1,200}`|(?<![\p{L}\p{N}])'[^']{1,200}'(?![\p{L}\p{N}]))|(?<number>(?:(?<=^|[\s(=<>])(?<!\d\s*)[-−])?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?))(?<unit>%|st\b|nd\b|rd\b|th\b|k\b|m\b)?(?![\p{L}\p{N}_])|(?<word>[\p{L}\p{N}_]+(?:[.&-][\p{L}\p{N}_]+)*(?:['’](?:d|ll|re|ve|m|t)(?![\p{L}\p{N}_]))?\.?(?<=[\p{L}\p{N}_]))(?<possessive>['’](?:s\b|(?=\s|$)))?|(?<comma>[,;:])|(?<stop>[.?!]+)|(?<symbol>[<>]=?|=|\/|%|\+|\*|\(|\)|-|[^\s])/gu;

/** Splits a question into tokens that know where they stand. */
export function tokenise(question: string): Token[] {
  const tokens: Token[] = [];
  for (const match of question.matchAll(PATTERN)) {
    const groups = match.groups ?? {};
    const start = match.index;
    const end = start + match[0].length;
    if (groups.quoted !== undefined) {
      const inner = groups.quoted.slice(1, -1).trim();
      tokens.push({
        text: inner,
        lower: inner.toLowerCase(),
        lemma: inner.toLowerCase(),
        start,
        end,
        kind: 'quoted',
        isPossessive: false,
      });
    } else if (groups.number !== undefined) {
      tokens.push(numberToken(groups.number, groups.unit, start, end));
    } else if (groups.word !== undefined) {
      tokens.push(wordToken(groups.word, groups.possessive !== undefined, start, end));
    } else {
      const kind = groups.comma !== undefined ? 'comma' : groups.stop !== undefined ? 'stop' : 'symbol';
      tokens.push({
        text: match[0],
        lower: match[0],
        lemma: match[0],
        start,
        end,
        kind,
        isPossessive: false,
      });
    }
  }
  return tokens;
}

function numberToken(digits: string, unit: string | undefined, start: number, end: number): Token {
  const factor = unit === 'k' ? 1_000 : unit === 'm' ? 1_000_000 : 1;
  const number = Number(digits.replaceAll(',', '').replace('−', '-')) * factor;
  return {
    text: digits,
    lower: digits,
    lemma: digits,
    start,
    end,
    kind: 'number',
    number,
    isPossessive: false,
  };
}

function wordToken(word: string, isPossessive: boolean, start: number, end: number): Token {
  const lower = word.toLowerCase().replace('’', "'");
  const written = numberWord(lower);
  const base = { text: word, lower, start, end, isPossessive };
  if (written !== undefined) return { ...base, lemma: lower, kind: 'number', number: written };
  return { ...base, lemma: lemmaOf(lower), kind: 'word' };
}
