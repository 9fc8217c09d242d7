/** A bounded memory of what was read most recently. */
export class Recent<Value> {
  readonly #values = new Map<string, Value>();
  readonly #most: number;
  /** Characters of all keys at most. */
  readonly #mostCharacters: number;
  #characters = 0;

  constructor(most: number, mostCharacters: number) {
    this.#most = most;
    this.#mostCharacters = mostCharacters;
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    // The last place is the most recent one.
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    if (this.#values.delete(key)) this.#characters -= key.length;
    this.#values.set(key, value);
    this.#characters += key.length;
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= this.#most && this.#characters <= this.#mostCharacters) return;
      this.#values.delete(oldest);
      this.#characters -= oldest.length;
    }
  }
}
