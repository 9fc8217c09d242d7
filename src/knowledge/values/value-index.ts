/** Finds the columns that hold a value named in a question, or one that looks like it. */

import type { ColumnValues } from '../../catalog/index.ts';
import { CandorError } from '../../errors.ts';
import { compareText, hashText } from '../../lib/index.ts';
import { IndexBuilder, literalTableKey } from './build-index.ts';
import { DEFAULT_PARAMETERS, openCandidateSearch } from './candidate-sections.ts';
import { foldedWords, literalKey, stemValue, turnedKey, valueKey } from './fold-value.ts';
import { sectionOf, type UnpackedIndex, unpackIndex } from './index-file.ts';
import type { IndexedColumn, IndexManifest, IndexParameters } from './index-manifest.ts';
import type { CandidateSearch } from './search/candidates.ts';

export interface ValueHit {
  readonly columnId: string;
  /** As stored, so that `column = value` finds it. */
  readonly value: string;
  /** `exact`: the same text; `folded`: but for case, accents and punctuation; `stem`: but for a plural ending or for its halves in the other order. */
  readonly match: 'exact' | 'folded' | 'stem';
  /** Rows that hold it. */
  readonly count: number;
}

interface SimilarValue extends Omit<ValueHit, 'match'> {
  /** Jaccard similarity of the 3-grams, exact or estimated as the index was built. */
  readonly jaccard: number;
}

type ContainingValue = Omit<ValueHit, 'match'>;

interface SimilarOptions {
  /** Different texts at most; each comes with every column that it stands in. */
  readonly limit: number;
  /** Tables to look in; absent: all. */
  readonly scope?: ReadonlySet<string> | undefined;
}

export interface ValueIndex {
  /** Names and codes: best match first, then the most frequent value. `scope`: tables to look in; absent: all. */
  lookup(text: string, scope?: ReadonlySet<string>): readonly ValueHit[];
  /** Numbers and dates of columns with few different ones, however they are written. */
  lookupLiteral(text: string, scope?: ReadonlySet<string>): readonly ValueHit[];
  /** Values with common 3-grams, most alike first, of the columns that the rules choose for it. */
  similar(text: string, options: SimilarOptions): readonly SimilarValue[];
  /** Values that have a word among their own, whatever its case, as they were stored; the whole index is read for it. */
  containing(word: string, options: SimilarOptions): readonly ContainingValue[];
  /** Every word of every value, folded, gathered at the first call; undefined where there are too many values for that. */
  words(): ReadonlySet<string> | undefined;
  /** Values in the index, one per column and text, without numbers and dates. */
  readonly size: number;
  /** Words of the longest value: no longer run of words of a question can be one. */
  readonly maxWords: number;
  /** What is known of each column: its distinct values, how many are in the index, and why so. */
  columns(): ReadonlyMap<string, IndexedColumn>;
  /** The same index as far as a person may know it; nothing is copied. */
  without(columnIds: ReadonlySet<string>): ValueIndex;
}

export interface BuildOptions {
  readonly parameters?: IndexParameters;
  readonly maxValues?: number;
}

/** To gather the words of so many values takes a tenth of a second. */
const MOST_GATHERED = 200_000;

const MATCH_ORDER = { exact: 0, folded: 1, stem: 2 } as const;

/** Builds an index in memory, by the same code that writes the file. */
export function buildValueIndex(columns: Iterable<ColumnValues>, options: BuildOptions = {}): ValueIndex {
  const { parameters = DEFAULT_PARAMETERS, maxValues } = options;
  const builder = new IndexBuilder({ parameters, origin: { source: '', fingerprint: '' }, maxValues });
  for (const column of columns) builder.add(column);
  const unpacked = unpackIndex(builder.finish());
  if ('damage' in unpacked) throw new CandorError('internal.bug', `an index just built: ${unpacked.damage}`);
  return loadValueIndex(unpacked);
}

/** Makes an unpacked index usable; nothing of it is read yet. */
export function loadValueIndex({ manifest, sections }: UnpackedIndex): ValueIndex {
  const textStart = sectionOf(sections, 'textStart', Uint32Array);
  const texts = sectionOf(sections, 'texts', Uint8Array);
  return new PackedValueIndex({
    manifest,
    texts: Buffer.from(texts.buffer, texts.byteOffset, texts.byteLength),
    textStart,
    entryStart: sectionOf(sections, 'entryStart', Uint32Array),
    entryColumn: sectionOf(sections, 'entryColumn', Uint32Array),
    entryCount: sectionOf(sections, 'entryCount', Uint32Array),
    keyStart: sectionOf(sections, 'keyStart', Uint32Array),
    keyText: sectionOf(sections, 'keyText', Uint32Array),
    search: openCandidateSearch(sections, manifest.parameters, textStart.length - 1),
    hidden: new Set(),
  });
}

interface Parts {
  readonly manifest: IndexManifest;
  /** All texts one after another in UTF-8; text `t` stands at `textStart[t] … textStart[t + 1] - 1`. */
  readonly texts: Buffer;
  readonly textStart: Uint32Array;
  /** Text `t` is a value of column `entryColumn[e]` in `entryCount[e]` rows, `e` from `entryStart[t]` on. */
  readonly entryStart: Uint32Array;
  readonly entryColumn: Uint32Array;
  readonly entryCount: Uint32Array;
  /** A hash table of folds, stems and literals: bucket `b` holds the texts `keyText[keyStart[b]]` and on. */
  readonly keyStart: Uint32Array;
  readonly keyText: Uint32Array;
  readonly search: CandidateSearch;
  readonly hidden: ReadonlySet<string>;
}

class PackedValueIndex implements ValueIndex {
  readonly size: number;
  readonly maxWords: number;
  readonly #parts: Parts;
  readonly #columns: readonly (IndexedColumn | undefined)[];
  #words: ReadonlySet<string> | undefined;

  constructor(parts: Parts) {
    const { manifest, hidden } = parts;
    this.#parts = parts;
    this.#columns = manifest.columns.map((column) => (hidden.has(column.id) ? undefined : column));
    this.maxWords = manifest.maxWords;
    this.size =
      hidden.size === 0
        ? manifest.size
        : this.#columns.reduce(
            (sum, column) => sum + (column?.use === 'literal' ? 0 : (column?.kept ?? 0)),
            0,
          );
  }

  lookup(text: string, scope?: ReadonlySet<string>): readonly ValueHit[] {
    const fold = valueKey(text);
    if (fold === '') return [];
    const stem = stemValue(text) || fold;
    const hits: ValueHit[] = [];
    const seen = new Set<number>();
    for (const key of stem === fold ? [fold] : [fold, stem]) {
      for (const place of this.#placesOf(key)) {
        if (seen.has(place)) continue;
        const value = this.#textAt(place);
        const valueFold = valueKey(value);
        if (valueFold !== key && stemValue(value) !== key && turnedKey(value) !== key) continue;
        seen.add(place);
        const match = value === text ? 'exact' : valueFold === fold ? 'folded' : 'stem';
        for (const { column, count } of this.#entriesOf(place))
          if (column.use !== 'literal' && isInScope(column, scope))
            hits.push({ columnId: column.id, value, match, count });
      }
    }
    return hits.sort(compareHits);
  }

  lookupLiteral(text: string, scope?: ReadonlySet<string>): readonly ValueHit[] {
    const key = literalKey(text);
    const hits: ValueHit[] = [];
    for (const place of new Set(this.#placesOf(literalTableKey(text)))) {
      const value = this.#textAt(place);
      if (literalKey(value) !== key) continue;
      const match = value === text ? 'exact' : 'folded';
      for (const { column, count } of this.#entriesOf(place))
        if (column.use === 'literal' && isInScope(column, scope))
          hits.push({ columnId: column.id, value, match, count });
    }
    return hits.sort(compareHits);
  }

  similar(text: string, { limit, scope }: SimilarOptions): readonly SimilarValue[] {
    const isIn = (column: IndexedColumn): boolean => column.use === 'similar' && isInScope(column, scope);
    const accepts = (place: number): boolean => this.#entriesOf(place).some(({ column }) => isIn(column));
    return this.#parts.search.nearest(text, limit, accepts).flatMap(({ text: place, jaccard }) => {
      const value = this.#textAt(place);
      return this.#entriesOf(place)
        .filter(({ column }) => isIn(column))
        .map(({ column, count }) => ({ columnId: column.id, value, count, jaccard }));
    });
  }

  containing(word: string, { limit, scope }: SimilarOptions): readonly ContainingValue[] {
    const isWord = new RegExp(`(?<![\\p{L}\\p{N}])${escaped(word)}(?![\\p{L}\\p{N}])`, 'iu');
    const found = new Map<number, readonly ContainingValue[]>();
    for (const written of casesOf(word))
      for (const place of this.#placesWith(written)) {
        if (found.size >= limit) break;
        const value = this.#textAt(place);
        if (found.has(place) || !isWord.test(value)) continue;
        const hits = this.#entriesOf(place)
          .filter(({ column }) => column.use !== 'literal' && isInScope(column, scope))
          .map(({ column, count }) => ({ columnId: column.id, value, count }));
        if (hits.length > 0) found.set(place, hits);
      }
    return [...found.values()].flat().sort((a, b) => a.value.length - b.value.length || b.count - a.count);
  }

  words(): ReadonlySet<string> | undefined {
    if (this.size > MOST_GATHERED) return undefined;
    this.#words ??= this.#gatherWords();
    return this.#words;
  }

  #gatherWords(): ReadonlySet<string> {
    const words = new Set<string>();
    for (let place = 0; place < this.#parts.textStart.length - 1; place += 1)
      if (this.#entriesOf(place).some(({ column }) => column.use !== 'literal'))
        for (const word of foldedWords(this.#textAt(place))) words.add(word);
    return words;
  }

  /** Places of the texts in which some letters stand, as they are written. */
  *#placesWith(written: string): Generator<number> {
    const { texts, textStart } = this.#parts;
    for (let at = texts.indexOf(written); at >= 0; ) {
      const place = placeAt(textStart, at);
      yield place;
      at = texts.indexOf(written, textStart[place + 1] ?? texts.length);
    }
  }

  columns(): ReadonlyMap<string, IndexedColumn> {
    return new Map(this.#columns.flatMap((column) => (column === undefined ? [] : [[column.id, column]])));
  }

  without(columnIds: ReadonlySet<string>): ValueIndex {
    return new PackedValueIndex({ ...this.#parts, hidden: new Set([...this.#parts.hidden, ...columnIds]) });
  }

  /** Places of texts whose key may be the given one: the caller compares. */
  #placesOf(key: string): Uint32Array {
    const { keyStart, keyText } = this.#parts;
    const bucket = (hashText(key) & (keyStart.length - 2)) >>> 0;
    return keyText.subarray(keyStart[bucket], keyStart[bucket + 1]);
  }

  #textAt(place: number): string {
    const { texts, textStart } = this.#parts;
    return texts.toString('utf8', textStart[place], textStart[place + 1]);
  }

  #entriesOf(place: number): readonly { readonly column: IndexedColumn; readonly count: number }[] {
    const { entryStart, entryColumn, entryCount } = this.#parts;
    const entries: { column: IndexedColumn; count: number }[] = [];
    const end = entryStart[place + 1] ?? 0;
    for (let entry = entryStart[place] ?? 0; entry < end; entry += 1) {
      const column = this.#columns[entryColumn[entry] ?? 0];
      if (column !== undefined) entries.push({ column, count: entryCount[entry] ?? 0 });
    }
    return entries;
  }
}

/** The text that a byte belongs to. */
function placeAt(starts: Uint32Array, byte: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high - 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= byte) low = middle;
    else high = middle;
  }
  return low;
}

/** As it is written, and in the ways in which people write names. */
function casesOf(word: string): ReadonlySet<string> {
  const lower = word.toLowerCase();
  const title = lower.replace(/(?<![\p{L}\p{N}])\p{L}/gu, (letter) => letter.toUpperCase());
  return new Set([word, lower, lower.charAt(0).toUpperCase() + lower.slice(1), title, word.toUpperCase()]);
}

function escaped(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Whether a column belongs to one of the tables; names of tables and columns may have dots themselves. */
function isInScope({ id }: IndexedColumn, scope: ReadonlySet<string> | undefined): boolean {
  if (scope === undefined) return true;
  for (let at = id.indexOf('.'); at >= 0; at = id.indexOf('.', at + 1))
    if (scope.has(id.slice(0, at))) return true;
  return false;
}

function compareHits(a: ValueHit, b: ValueHit): number {
  return (
    MATCH_ORDER[a.match] - MATCH_ORDER[b.match] ||
    b.count - a.count ||
    compareText(a.columnId, b.columnId) ||
    compareText(a.value, b.value)
  );
}
