/** Unsigned 32-bit numbers whose count is not known before: half the memory of a list, and no list of 2^27 is needed. */
export class GrowingNumbers {
  #numbers = new Uint32Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#numbers.length) {
      const larger = new Uint32Array(this.#length * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.#length] = value;
    this.#length += 1;
  }

  /** The numbers so far, without a copy. */
  view(): Uint32Array {
    return this.#numbers.subarray(0, this.#length);
  }
}
