/**
 * Lists of numbers in growing order, each with how often a term stands in a title (at most 7) and in a body (at most
 * 31), in two bytes where neighbours are near: a step, seven bits a byte, and one byte of both counts.
 */

const MOST_IN_TITLE = 7;
const MOST_IN_BODY = 31;
const BODY_BITS = 5;

/** Grows by appending. */
export class PostingsWriter {
  #bytes = new Uint8Array(64);
  #length = 0;
  #last = 0;

  /** `number` is above all before it. */
  add(number: number, inTitle: number, inBody: number): void {
    if (this.#length + 6 > this.#bytes.length) {
      const grown = new Uint8Array(this.#bytes.length * 2);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    let step = number - this.#last;
    this.#last = number;
    while (step >= 128) {
      this.#bytes[this.#length++] = (step & 127) | 128;
      step >>>= 7;
    }
    this.#bytes[this.#length++] = step;
    const title = Math.min(inTitle, MOST_IN_TITLE);
    this.#bytes[this.#length++] = (title << BODY_BITS) | Math.min(inBody, MOST_IN_BODY);
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }
}

export type OnPosting = (number: number, inTitle: number, inBody: number) => void;

export function readPostings(bytes: Uint8Array, onPosting: OnPosting): void {
  let number = 0;
  let at = 0;
  while (at < bytes.length) {
    let byte = bytes[at++] ?? 0;
    let step = byte & 127;
    for (let shift = 7; byte >= 128; shift += 7) {
      byte = bytes[at++] ?? 0;
      step |= (byte & 127) << shift;
    }
    number += step;
    const counts = bytes[at++] ?? 0;
    onPosting(number, counts >> BODY_BITS, counts & MOST_IN_BODY);
  }
}
