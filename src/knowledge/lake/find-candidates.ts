/** From ranked texts to tables: those that have them, and those of their families. */
import type { Table } from '../../catalog/index.ts';
import type { StateFile } from '../../store/index.ts';
import type { TextRanking } from './rank-texts.ts';
import { tablesOf } from './tables-of.ts';

export interface Candidates {
  readonly tables: readonly Table[];
  /** Those of them that are in the scope. */
  readonly inScope: ReadonlySet<string>;
  /** BM25 of the best texts, each by the table of the least id that has it in the scope, best first. */
  readonly words: readonly { readonly id: string; readonly score: number }[];
  /** How much a term tells in a name of this lake. */
  readonly rarity: (term: string) => number;
}

interface Found {
  readonly ranking: TextRanking;
  /** Keys of the scope; absent: the whole lake. */
  readonly keys: ReadonlySet<number> | undefined;
  readonly named: readonly string[];
  readonly rarity: (term: string) => number;
}

/** All tables of a scope of this size are candidates: one without a word of the question may be its join table. */
const SMALL_SCOPE = 300;
/** Of one text, one pattern of names, one set of columns: a day each for years, no more. */
const MOST_ALIKE = 1_000;
/** Tables in all that one question brings into memory. */
const MOST_CANDIDATES = 4_000;

export function findCandidates(file: StateFile, { ranking, keys, named, rarity }: Found): Candidates {
  const chosen = new CandidateKeys(file);
  const isInScope = (key: number): boolean => keys?.has(key) ?? true;
  const words = ranking.words.flatMap(({ text, score }) => {
    const id = chosen.addText(text, isInScope);
    return id === undefined ? [] : [{ id, score }];
  });
  for (const { text } of ranking.names) chosen.addText(text, isInScope);
  const byId = file.statement('SELECT key FROM marks WHERE id = ?');
  for (const id of named) chosen.add(Number(byId.get(id)?.key ?? 0));
  if (keys !== undefined && keys.size <= SMALL_SCOPE) for (const key of keys) chosen.add(key);
  const all = chosen.withFamilies();
  const tables = tablesOf(file, all);
  const inScope = new Set(tables.flatMap(({ table: { id }, key }) => (isInScope(key) ? [id] : [])));
  return { tables: tables.map(({ table }) => table), inScope, words, rarity };
}

/** Keys of tables, and what their families are found by. */
class CandidateKeys {
  readonly #file: StateFile;
  readonly #keys = new Set<number>();
  readonly #texts = new Map<number, string | undefined>();
  readonly #patterns = new Set<number>();
  readonly #shapes = new Set<number>();

  constructor(file: StateFile) {
    this.#file = file;
  }

  /** The tables of a text that are in the scope; returns the least id of them. */
  addText(text: number, isInScope: (key: number) => boolean): string | undefined {
    if (this.#texts.has(text)) return this.#texts.get(text);
    const rows = this.#file
      .statement('SELECT key, id, pattern, shape FROM tables WHERE text = ? ORDER BY id LIMIT ?')
      .all(text, MOST_ALIKE);
    const own = rows.filter(({ key }) => isInScope(Number(key)));
    for (const { key, pattern, shape } of own) this.#put(Number(key), Number(pattern), Number(shape));
    const first = own[0] && String(own[0].id);
    this.#texts.set(text, first);
    return first;
  }

  /** A key that is not there adds nothing. */
  add(key: number): void {
    if (this.#keys.has(key)) return;
    const row = this.#file.statement('SELECT pattern, shape FROM tables WHERE key = ?').get(key);
    if (row !== undefined) this.#put(key, Number(row.pattern), Number(row.shape));
  }

  /** With the tables of the same schema whose names differ in numbers, or whose columns are the same. */
  withFamilies(): readonly number[] {
    const all = new Set(this.#keys);
    const byPattern = this.#file.statement('SELECT key FROM tables WHERE pattern = ? LIMIT ?');
    const byShape = this.#file.statement('SELECT key FROM tables WHERE shape = ? LIMIT ?');
    for (const pattern of this.#patterns)
      for (const { key } of byPattern.all(pattern, MOST_ALIKE)) all.add(Number(key));
    for (const shape of this.#shapes)
      for (const { key } of byShape.all(shape, MOST_ALIKE)) all.add(Number(key));
    // Those that were found come first, should there be too many.
    return [...all].slice(0, MOST_CANDIDATES).sort((a, b) => a - b);
  }

  #put(key: number, pattern: number, shape: number): void {
    this.#keys.add(key);
    this.#patterns.add(pattern);
    this.#shapes.add(shape);
  }
}
