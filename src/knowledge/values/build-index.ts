/** Makes the index out of columns, one after another, and packs it into one buffer. */
import type { ColumnValues } from '../../catalog/index.ts';
import { hashText } from '../../lib/index.ts';
import { buildCandidateSections, type CandidateSections } from './candidate-sections.ts';
import { countWords, literalKey, stemValue, turnedKey, valueKey } from './fold-value.ts';
import { packIndex, type Sections } from './index-file.ts';
import {
  INDEX_VERSION,
  type IndexedColumn,
  type IndexManifest,
  type IndexParameters,
} from './index-manifest.ts';
import { GrowingNumbers, groupByKey } from './search/candidates.ts';
import { MAX_GRAMS } from './search/gram-search.ts';
import { collectGrams } from './search/grams.ts';

/** Values in all columns together: half a gigabyte of index. */
const MAX_VALUES = 5_000_000;
/** A longer text is not kept; the profiler keeps none. */
const MAX_TEXT = 4_096;
const MAX_COUNT = 0xffffffff;
const LONE_SURROGATE = /[\ud800-\udfff]/u;

/** What a text is looked up for, one bit each. */
const NAMED = 1;
const SIMILAR = 2;
const LITERAL = 4;

interface IndexOrigin {
  /** Hash of the values it is built from. */
  readonly source: string;
  readonly fingerprint: string;
}

export interface BuildIndexOptions {
  readonly parameters: IndexParameters;
  readonly origin: IndexOrigin;
  /** Values kept in all; beyond it further columns keep fewer, which `columns` of the manifest tells. */
  readonly maxValues?: number;
  /** Called between the parts of the work, with the share that is done. */
  readonly onProgress?: (share: number) => void;
}

/** Collects columns; `finish` makes the index. A text that stands in several columns is kept once. */
export class IndexBuilder {
  readonly #options: BuildIndexOptions;
  readonly #numberOf = new Map<string, number>();
  readonly #texts: string[] = [];
  #uses = new Uint8Array(1024);
  readonly #entryText = new GrowingNumbers();
  readonly #entryColumn = new GrowingNumbers();
  readonly #entryCount = new GrowingNumbers();
  readonly #columns: IndexedColumn[] = [];
  #size = 0;
  #room: number;

  constructor(options: BuildIndexOptions) {
    this.#options = options;
    this.#room = options.maxValues ?? MAX_VALUES;
  }

  add({ columnId, distinctCount, values, use = 'similar', because = '' }: ColumnValues): void {
    const column = this.#columns.length;
    let kept = 0;
    for (const [text, count] of use === 'none' ? [] : values) {
      if (this.#room <= 0) break;
      if (text.length > MAX_TEXT || LONE_SURROGATE.test(text)) continue;
      const number = this.#numberText(text);
      this.#uses[number] = (this.#uses[number] ?? 0) | bitsOf(use, text);
      this.#entryText.push(number);
      this.#entryColumn.push(column);
      this.#entryCount.push(Math.min(count, MAX_COUNT));
      kept += 1;
      this.#room -= 1;
    }
    if (use !== 'literal') this.#size += kept;
    this.#columns.push({ id: columnId, distinct: distinctCount, kept, use, because });
  }

  /** The whole index in one buffer, the same bytes for the same columns in the same order. */
  finish(): Uint8Array {
    const { parameters, origin, onProgress } = this.#options;
    const keys = this.#packKeys();
    onProgress?.(0.2);
    const entries = this.#packEntries();
    const texts = packTexts(this.#texts);
    onProgress?.(0.35);
    const grams = collectGrams(this.#texts, (text) => ((this.#uses[text] ?? 0) & SIMILAR) !== 0);
    onProgress?.(0.7);
    const candidates: CandidateSections = buildCandidateSections(grams, parameters);
    onProgress?.(0.9);
    const manifest: IndexManifest = {
      version: INDEX_VERSION,
      ...origin,
      parameters,
      size: this.#size,
      maxWords: keys.maxWords,
      columns: this.#columns,
    };
    const sections: Sections = { ...texts, ...entries, ...keys.sections, ...candidates };
    return packIndex(manifest, sections);
  }

  #numberText(text: string): number {
    const known = this.#numberOf.get(text);
    if (known !== undefined) return known;
    const number = this.#texts.length;
    this.#numberOf.set(text, number);
    this.#texts.push(text);
    if (number >= this.#uses.length) {
      const larger = new Uint8Array(this.#uses.length * 2);
      larger.set(this.#uses);
      this.#uses = larger;
    }
    return number;
  }

  #packEntries(): Sections {
    const { start, items } = groupByKey(this.#entryText.view(), this.#texts.length);
    const columns = this.#entryColumn.view();
    const counts = this.#entryCount.view();
    const entryColumn = new Uint32Array(items.length);
    const entryCount = new Uint32Array(items.length);
    for (let at = 0; at < items.length; at += 1) {
      const entry = items[at] ?? 0;
      entryColumn[at] = columns[entry] ?? 0;
      entryCount[at] = counts[entry] ?? 0;
    }
    return { entryStart: start, entryColumn, entryCount };
  }

  /** Texts by the hashes of their folds, stems and literals. */
  #packKeys(): { readonly sections: Sections; readonly maxWords: number } {
    const hashes = new GrowingNumbers();
    const owners = new GrowingNumbers();
    let maxWords = 0;
    const add = (key: string, text: number): void => {
      hashes.push(hashText(key));
      owners.push(text);
    };
    for (const [number, text] of this.#texts.entries()) {
      const uses = this.#uses[number] ?? 0;
      if ((uses & LITERAL) !== 0) add(literalTableKey(text), number);
      const fold = (uses & NAMED) === 0 ? '' : valueKey(text);
      if (fold === '') continue;
      add(fold, number);
      const stem = stemValue(text);
      if (stem !== '' && stem !== fold) add(stem, number);
      const turned = turnedKey(text);
      if (turned !== '' && turned !== fold) add(turned, number);
      maxWords = Math.max(maxWords, countWords(text));
    }
    const buckets = 2 ** Math.ceil(Math.log2(Math.max(2, 2 * hashes.length)));
    const slots = hashes.view().map((hash) => (hash & (buckets - 1)) >>> 0);
    const { start, items } = groupByKey(slots, buckets);
    const keyText = items.map((item) => owners.view()[item] ?? 0);
    return { sections: { keyStart: start, keyText }, maxWords };
  }
}

/** Literals have their own part of the hash table: a mark that no fold has. */
export function literalTableKey(text: string): string {
  return `=${literalKey(text)}`;
}

function bitsOf(use: ColumnValues['use'], text: string): number {
  if (use === 'literal') return LITERAL;
  return use === 'similar' && text.length <= MAX_GRAMS ? NAMED | SIMILAR : NAMED;
}

function packTexts(texts: readonly string[]): Sections {
  const textStart = new Uint32Array(texts.length + 1);
  for (let at = 0; at < texts.length; at += 1)
    textStart[at + 1] = (textStart[at] ?? 0) + Buffer.byteLength(texts[at] ?? '');
  const bytes = Buffer.allocUnsafeSlow(textStart[texts.length] ?? 0);
  for (let at = 0; at < texts.length; at += 1) bytes.write(texts[at] ?? '', textStart[at] ?? 0, 'utf8');
  return { texts: bytes, textStart };
}
