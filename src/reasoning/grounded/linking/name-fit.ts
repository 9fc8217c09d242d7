/** How far names and descriptions of a schema stand in a question and its hint. */
import type { QuestionWords, TextWords } from './question-words.ts';
import type { NamedItem, Postings, SchemaWords } from './schema-words.ts';

/** One name beside one text. */
interface TextFit {
  /** Share of the name that stands in the text, rare words counting more. */
  readonly coverage: number;
  readonly weight: number;
  readonly missing: number;
  /** Words of the name where it stands in the text in one piece. */
  readonly phrase: number;
  /** 2: written as the engine spells it, 1: but for case. */
  readonly written: number;
  /** In [0, 1]: how alike its words and words of the text are beyond equality. */
  readonly alike: number;
  /** Share that synonyms of the text's words cover. */
  readonly synonyms: number;
}

export interface NameFit {
  readonly question: TextFit;
  readonly hint: TextFit;
  readonly describedByQuestion: number;
  readonly descriptionCoverage: number;
  readonly describedByHint: number;
}

export interface SchemaFits {
  column(index: number): NameFit;
  table(index: number): NameFit;
  /** By column: the larger share of its name that stands in one of the texts, rare words counting more. */
  readonly columnShares: Float32Array;
  /** Columns of which a word does. */
  readonly namedColumns: readonly number[];
}

/** The words of the texts are looked up; the fit of an item is made when it is asked for, since most never are. */
export function nameFits(words: QuestionWords, schema: SchemaWords): SchemaFits {
  const columns = fitsOf(words, schema.columns, schema.columnPostings, schema);
  const tables = fitsOf(words, schema.tables, schema.tablePostings, schema);
  const columnShares = namedShares(words, schema);
  const namedColumns: number[] = [];
  for (let index = 0; index < columnShares.length; index += 1)
    if (columnShares[index]! > 0) namedColumns.push(index);
  return { column: columns.of, table: tables.of, columnShares, namedColumns };
}

function fitsOf(words: QuestionWords, items: readonly NamedItem[], postings: Postings, schema: SchemaWords) {
  const question = textFits(words.question, schema);
  const hint = textFits(words.hint, schema);
  const byQuestion = described(words.question, items, postings, schema);
  const byHint = described(words.hint, items, postings, schema);
  const made: NameFit[] = [];
  const of = (index: number): NameFit => {
    const known = made[index];
    if (known !== undefined) return known;
    const item = items[index];
    const comment = item?.comment.size ?? 0;
    const fit = {
      question: item === undefined ? NO_TEXT : question(item),
      hint: item === undefined ? NO_TEXT : hint(item),
      describedByQuestion: byQuestion.weights[index] ?? 0,
      descriptionCoverage: comment === 0 ? 0 : (byQuestion.counts[index] ?? 0) / comment,
      describedByHint: byHint.weights[index] ?? 0,
    };
    made[index] = fit;
    return fit;
  };
  return { of };
}

function namedShares({ question, hint }: QuestionWords, schema: SchemaWords): Float32Array {
  const best = new Float32Array(schema.columns.length);
  for (const { set } of [question, hint]) {
    const found = new Float32Array(schema.columns.length);
    for (const stem of set) {
      const holders = schema.columnPostings.names.get(stem);
      if (holders === undefined) continue;
      const rarity = schema.rarity(stem);
      for (const index of holders) {
        found[index]! += rarity;
        const share = Math.min(1, found[index]! / (schema.nameWeights[index] || 1));
        if (share > best[index]!) best[index] = share;
      }
    }
  }
  return best;
}

const NO_TEXT: TextFit = { coverage: 0, weight: 0, missing: 0, phrase: 0, written: 0, alike: 0, synonyms: 0 };

function textFits(text: TextWords, schema: SchemaWords): (item: NamedItem) => TextFit {
  if (text.stems.length === 0) return () => NO_TEXT;
  const likeness = new Map<string, number>();
  const alike = (stem: string): number => {
    let known = likeness.get(stem);
    if (known === undefined) {
      known = likenessTo(stem, text);
      likeness.set(stem, known);
    }
    return known;
  };
  return (item) => fitOf(item, text, alike, schema);
}

function fitOf(
  { stems, lower, name, weight }: NamedItem,
  text: TextWords,
  alike: (stem: string) => number,
  schema: SchemaWords,
): TextFit {
  let [found, near, meant] = [0, 0, 0];
  for (const stem of stems) {
    const rarity = schema.rarity(stem);
    if (text.set.has(stem)) found += rarity;
    else {
      near += rarity * alike(stem);
      if (text.synonyms.has(stem)) meant += rarity;
    }
  }
  const total = weight === 0 ? 1 : weight;
  return {
    coverage: found / total,
    weight: found,
    missing: total - found,
    phrase: found > 0 && text.joined.includes(` ${stems.join(' ')} `) ? stems.length : 0,
    written: written(name, lower, text),
    alike: (found + near) / total,
    synonyms: (found + meant) / total,
  };
}

function written(name: string, lower: string, text: TextWords): number {
  if (/^[\p{L}\p{N}_]+$/u.test(name)) return text.spelt.has(name) ? 2 : text.names.has(lower) ? 1 : 0;
  const at = text.lower.indexOf(lower);
  if (at < 0) return 0;
  const around = `${text.lower[at - 1] ?? ' '}${text.lower[at + lower.length] ?? ' '}`;
  return /[\p{L}\p{N}_]/u.test(around) ? 0 : 2;
}

/** In [0, 1): the share of letters of the longer word, where one begins or holds the other or both begin alike. */
function likenessTo(stem: string, { content }: TextWords): number {
  if (stem.length < 3) return 0;
  let best = 0;
  for (const word of content) {
    const [short, long] = stem.length < word.length ? [stem, word] : [word, stem];
    const share = short.length / long.length;
    if (short.length < 3 || best >= share) continue;
    if (long.startsWith(short) || (short.length > 3 && long.includes(short))) best = share;
    else if (short.length > 3 && long.startsWith(short.slice(0, 4)))
      best = Math.max(best, (0.7 * sharedStart(short, long)) / long.length);
  }
  return best;
}

function sharedStart(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  return at;
}

/** By item: the weight and the number of the text's words that its description has. */
function described(
  { content }: TextWords,
  items: readonly NamedItem[],
  { comments }: Postings,
  schema: SchemaWords,
): { readonly weights: Float64Array; readonly counts: Uint16Array } {
  const weights = new Float64Array(items.length);
  const counts = new Uint16Array(items.length);
  for (const stem of content) {
    const rarity = schema.rarity(stem);
    for (const index of comments.get(stem) ?? []) {
      weights[index] = (weights[index] ?? 0) + rarity;
      counts[index] = (counts[index] ?? 0) + 1;
    }
  }
  return { weights, counts };
}
