/**
 * Stored values that are like words of a question (thoth.md, section 7): looked up exactly first, then by common grams,
 * edit ratio and sentence embedding, each stage letting less through.
 */

import { CandorError } from '../../../errors.ts';
import type { EmbeddingModel } from '../../../model/index.ts';
import { lookUp } from '../../../tracing/index.ts';
import type { ValueIndex } from '../../values/value-index.ts';
import type { Found, FoundValues, Truncation } from '../settings/retrieved.ts';
import { editRatio } from './edit-ratio.ts';
import { pickValues, type ValueMatch } from './pick-values.ts';

/** What each stage lets through. */
export interface CascadeLimits {
  /** Candidates of each part of a keyword. */
  readonly candidates: number;
  /** Ratcliff–Obershelp ratio of the texts in lower case. */
  readonly minRatio: number;
  /** Dot product of the unit vectors. */
  readonly minEmbedding: number;
  readonly valuesPerColumn: number;
  readonly columnsPerKeyword: number;
}

/** The published presets; `balanced` is the default. */
export const CASCADE_PRESETS = {
  conservative: {
    candidates: 15,
    minRatio: 0.25,
    minEmbedding: 0.5,
    valuesPerColumn: 5,
    columnsPerKeyword: 10,
  },
  balanced: { candidates: 25, minRatio: 0.2, minEmbedding: 0.4, valuesPerColumn: 10, columnsPerKeyword: 10 },
  aggressive: {
    candidates: 40,
    minRatio: 0.15,
    minEmbedding: 0.35,
    valuesPerColumn: 15,
    columnsPerKeyword: 10,
  },
} as const satisfies Readonly<Record<string, CascadeLimits>>;

export interface FindValuesOptions {
  /** Tables to look in; absent: all. */
  readonly scope?: ReadonlySet<string> | undefined;
  /** Without one similar values are judged by their edit ratio alone, which a warning says. */
  readonly embedding?: EmbeddingModel | undefined;
  readonly limits?: CascadeLimits;
  /** `chess`: of each keyword and column only what is within 0.9 of its best. */
  readonly rerank?: 'threshold' | 'chess';
  readonly signal?: AbortSignal | undefined;
}

export interface ValuesFound {
  readonly values: readonly Found<FoundValues>[];
  readonly truncations: readonly Truncation[];
  readonly warnings: readonly string[];
}

/** More keywords than a question has words. */
const MAX_KEYWORDS = 200;

/** Finds the columns and values that keywords may mean, the same for the same index; a failing encoder is a warning. */
export function findValues(
  keywords: readonly string[],
  index: ValueIndex,
  options: FindValuesOptions = {},
): Promise<ValuesFound> {
  return lookUp('find_values', () => findInIndex(keywords, index, options));
}

async function findInIndex(
  keywords: readonly string[],
  index: ValueIndex,
  options: FindValuesOptions,
): Promise<ValuesFound> {
  const { limits = CASCADE_PRESETS.balanced, rerank = 'threshold', scope } = options;
  const warnings: string[] = [];
  const asked = chooseKeywords(keywords, warnings);
  const matches = new Map<string, readonly ValueMatch[]>();
  const looked = new Map<string, readonly ValueMatch[]>();
  for (const keyword of asked) {
    const ofKeyword = packets(keyword).flatMap((packet) => {
      const known = looked.get(packet) ?? matchPacket(packet, index, { limits, scope });
      looked.set(packet, known);
      return known;
    });
    matches.set(keyword, ofKeyword);
  }
  const judged = await judgeByMeaning(matches, { ...options, limits }, warnings);
  const picked = pickValues(judged, index.columns(), { ...limits, rerank });
  return { ...picked, warnings };
}

function chooseKeywords(keywords: readonly string[], warnings: string[]): readonly string[] {
  const different = new Map<string, string>();
  for (const keyword of keywords) {
    const text = keyword.trim();
    if (text !== '' && !different.has(text.toLowerCase())) different.set(text.toLowerCase(), text);
  }
  const all = [...different.values()];
  const long = all.filter(({ length }) => length > MAX_KEYWORD_CHARS).length;
  if (long > 0) warnings.push(`values: ${long} keywords were cut at ${MAX_KEYWORD_CHARS} characters`);
  if (all.length > MAX_KEYWORDS)
    warnings.push(`values: only the first ${MAX_KEYWORDS} of ${all.length} keywords were looked up`);
  return all.slice(0, MAX_KEYWORDS);
}

function matchPacket(
  packet: string,
  index: ValueIndex,
  { limits, scope }: { readonly limits: CascadeLimits; readonly scope: ReadonlySet<string> | undefined },
): readonly ValueMatch[] {
  const lower = packet.toLowerCase();
  const direct = [...index.lookup(packet, scope), ...index.lookupLiteral(packet, scope)].map(
    ({ columnId, value, match, count }): ValueMatch => {
      return { columnId, value, match, count, packet, ratio: editRatio(value.toLowerCase(), lower) };
    },
  );
  const known = new Set(direct.map(({ columnId, value }) => `${columnId} ${value}`));
  const ratios = new Map<string, number>();
  const similar = index
    .similar(packet, { limit: limits.candidates, scope })
    .flatMap((found): ValueMatch[] => {
      const { columnId, value, count } = found;
      const ratio = ratios.get(value) ?? editRatio(value.toLowerCase(), lower);
      ratios.set(value, ratio);
      if (ratio < limits.minRatio || known.has(`${columnId} ${value}`)) return [];
      return [{ columnId, value, match: 'similar', count, packet, ratio }];
    });
  return [...direct, ...similar];
}

/** Drops similar values of another meaning; all texts of the request go to the encoder together. */
async function judgeByMeaning(
  matches: ReadonlyMap<string, readonly ValueMatch[]>,
  { embedding, limits, signal }: FindValuesOptions & { readonly limits: CascadeLimits },
  warnings: string[],
): Promise<ReadonlyMap<string, readonly ValueMatch[]>> {
  const similar = [...matches.values()].flat().filter(({ match }) => match === 'similar');
  if (similar.length === 0) return matches;
  if (embedding === undefined) {
    warnings.push('values: no sentence encoder; similar values are judged by their spelling alone');
    return matches;
  }
  const texts = new Set(similar.flatMap(({ packet, value }) => [packet, value]));
  const vectors = await embedTexts([...texts], embedding, signal);
  if ('failure' in vectors) {
    warnings.push(
      `values: no vectors, similar values are judged by their spelling alone: ${vectors.failure}`,
    );
    return matches;
  }
  const judge = (match: ValueMatch): ValueMatch[] => {
    if (match.match !== 'similar') return [match];
    const meaning = dot(vectors.byText.get(match.packet), vectors.byText.get(match.value));
    return meaning >= limits.minEmbedding ? [{ ...match, embedding: meaning }] : [];
  };
  return new Map([...matches].map(([keyword, found]) => [keyword, found.flatMap(judge)]));
}

function dot(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (a === undefined || b === undefined) return 0;
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}

// Parts of a keyword that may be a stored value by themselves (CHESS, as thoth.md section 7 describes it).

/** A longer keyword is cut: no stored value that is kept is near as long. */
const MAX_KEYWORD_CHARS = 200;
/** A whole sentence would be looked up a hundred times. */
const MAX_PACKETS = 24;

/**
 * The keyword, what stands left and right of every space, and the right side of `column = value`:
 * `packets('Fresno County Office')` → itself, `Fresno`, `County Office`, `Fresno County`, `Office`.
 */
export function packets(keyword: string): string[] {
  const whole = keyword.slice(0, MAX_KEYWORD_CHARS).trim();
  if (whole === '') return [];
  const found = new Set([whole]);
  const value = valueSide(whole);
  if (value !== undefined) found.add(value);
  for (let at = whole.indexOf(' '); at >= 0 && found.size < MAX_PACKETS; at = whole.indexOf(' ', at + 1)) {
    for (const part of [whole.slice(0, at).trim(), whole.slice(at + 1).trim()])
      if (part !== '') found.add(part);
  }
  return [...found];
}

/** `valueSide("status = 'open'")` → `open`. */
function valueSide(text: string): string | undefined {
  const at = text.indexOf('=');
  if (at < 0) return undefined;
  const value = text
    .slice(at + 1)
    .replace(/^=/, '')
    .trim()
    .replace(/^(['"])(.*)\1$/, '$2')
    .trim();
  return value === '' ? undefined : value;
}

// Vectors of many texts from an encoder that may fail.

/** Each different text once, in batches that the encoder takes best; a failure of the encoder is told, a cancel thrown. */
async function embedTexts(
  texts: readonly string[],
  model: EmbeddingModel,
  signal?: AbortSignal,
): Promise<{ readonly byText: ReadonlyMap<string, Float32Array> } | { readonly failure: string }> {
  const byText = new Map<string, Float32Array>();
  const size = Math.max(1, model.batchSize);
  try {
    for (let start = 0; start < texts.length; start += size) {
      const batch = texts.slice(start, start + size);
      const vectors = await model.embed(batch, signal);
      for (const [at, text] of batch.entries()) {
        const vector = vectors[at];
        if (vector !== undefined) byText.set(text, vector);
      }
    }
    return { byText };
  } catch (error) {
    if (signal?.aborted || !(error instanceof CandorError) || error.stage !== 'model') throw error;
    return { failure: error.message };
  }
}
