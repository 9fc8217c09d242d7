import type { StateFile } from '../../../store/index.ts';

interface KnownTerm {
  readonly key: number;
  texts: number;
  titles: number;
}

/** The terms that one change of a lake file meets: their keys, and how many texts have them after it. */
export class TermDictionary {
  readonly #file: StateFile;
  readonly #byTerm = new Map<string, KnownTerm>();
  readonly #byKey = new Map<number, KnownTerm>();
  #next: number;

  constructor(file: StateFile) {
    this.#file = file;
    this.#next = Number(file.statement('SELECT coalesce(max(key), 0) + 1 AS n FROM terms').get()?.n);
  }

  /** The key of a term that one more text has. */
  take(term: string, isInTitle: boolean): number {
    const known = this.#byTerm.get(term) ?? this.#find(term);
    known.texts += 1;
    if (isInTitle) known.titles += 1;
    return known.key;
  }

  /** One text less has the term. */
  leave(key: number, isInTitle: boolean): void {
    let known = this.#byKey.get(key);
    if (known === undefined) {
      const row = this.#file.statement('SELECT term, texts, titles FROM terms WHERE key = ?').get(key);
      known = this.#keep(String(row?.term), {
        key,
        texts: Number(row?.texts),
        titles: Number(row?.titles),
      });
    }
    known.texts -= 1;
    if (isInTitle) known.titles -= 1;
  }

  write(): void {
    const put = this.#file.statement(
      `INSERT INTO terms (key, term, texts, titles) VALUES (?, ?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET texts = excluded.texts, titles = excluded.titles`,
    );
    const remove = this.#file.statement('DELETE FROM terms WHERE key = ?');
    for (const [term, { key, texts, titles }] of this.#byTerm) {
      if (texts > 0) put.run(key, term, texts, titles);
      else remove.run(key);
    }
  }

  #find(term: string): KnownTerm {
    const row = this.#file.statement('SELECT key, texts, titles FROM terms WHERE term = ?').get(term);
    if (row !== undefined)
      return this.#keep(term, {
        key: Number(row.key),
        texts: Number(row.texts),
        titles: Number(row.titles),
      });
    const known = this.#keep(term, { key: this.#next, texts: 0, titles: 0 });
    this.#next += 1;
    return known;
  }

  #keep(term: string, known: KnownTerm): KnownTerm {
    this.#byTerm.set(term, known);
    this.#byKey.set(known.key, known);
    return known;
  }
}
