/**
 * A map of at most so many entries: one more drops the oldest. For what is dear to make and can be made again. Reading costs what it
 * costs in any map, and does not make an entry younger; `refresh` does.
 */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number;

  constructor(most: number) {
    super();
    this.#most = most;
  }

  override set(key: Key, value: Value): this {
    super.set(key, value);
    if (this.size > this.#most) {
      const [oldest] = this.keys();
      this.delete(oldest as Key);
    }
    return this;
  }

  /** What is kept under a key, which from now on is the youngest: so the one dropped is the one that was used longest ago. */
  refresh(key: Key): Value | undefined {
    const value = this.get(key);
    if (value === undefined) return undefined;
    this.delete(key);
    super.set(key, value);
    return value;
  }

  /** What is kept under a key, made where nothing is. */
  getOrMake(key: Key, make: (key: Key) => Value): Value {
    const kept = this.get(key);
    if (kept !== undefined || this.has(key)) return kept as Value;
    const made = make(key);
    this.set(key, made);
    return made;
  }
}
