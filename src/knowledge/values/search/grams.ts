/**
 * Character 3-grams of a text in lower case (thoth.md, section 6.2), each as one number: three UTF-16 units of 16 bits
 * fit a double. A text of one or two units is its only gram and bears its length, so that it meets none of a longer one.
 */
import { GrowingNumbers } from './candidates.ts';

export const GRAM_LENGTH = 3;
const UNIT = 2 ** 16;
const LENGTH_PLACE = 2 ** 48;

/** The different grams of a text, in the order they come: `gramsOf('aaaa').length` → 1, `gramsOf('').length` → 0. */
export function gramsOf(text: string): number[] {
  const grams = allGramsOf(text.toLowerCase());
  return grams.length < 2 ? grams : [...new Set(grams)];
}

/** Every gram of a text that is lower case already, also those that come twice. */
function allGramsOf(lower: string): number[] {
  const { length } = lower;
  if (length === 0) return [];
  if (length < GRAM_LENGTH) {
    let gram = 0;
    for (let at = 0; at < length; at += 1) gram = gram * UNIT + lower.charCodeAt(at);
    return [gram + length * LENGTH_PLACE];
  }
  const grams = new Array<number>(length - GRAM_LENGTH + 1);
  let first = lower.charCodeAt(0);
  let second = lower.charCodeAt(1);
  for (let at = GRAM_LENGTH - 1; at < length; at += 1) {
    const third = lower.charCodeAt(at);
    grams[at - GRAM_LENGTH + 1] = (first * UNIT + second) * UNIT + third;
    first = second;
    second = third;
  }
  return grams;
}

/** The characters of a gram: `showGram(gramsOf('Paris')[0])` → `par`. */
export function showGram(gram: number): string {
  const length = Math.floor(gram / LENGTH_PLACE) || GRAM_LENGTH;
  const units: number[] = [];
  for (let rest = gram % LENGTH_PLACE; units.length < length; rest = Math.floor(rest / UNIT))
    units.unshift(rest % UNIT);
  return String.fromCharCode(...units);
}

/** Shared grams by all grams of two texts: 1 for texts that are equal but for case. */
export function gramJaccard(a: string, b: string): number {
  const left = new Set(gramsOf(a));
  const right = new Set(gramsOf(b));
  if (left.size + right.size === 0) return 0;
  let shared = 0;
  for (const gram of right) if (left.has(gram)) shared += 1;
  return shared / (left.size + right.size - shared);
}

/** The grams of many texts, numbered: what both kinds of candidate search are built from. */
export interface TextGrams {
  /** The grams themselves, by number. */
  readonly keys: Float64Array;
  /** Text `t` has the gram numbers `grams[start[t]] … grams[start[t + 1] - 1]`, each once. */
  readonly start: Uint32Array;
  readonly grams: Uint32Array;
}

/** Numbers the grams of the chosen texts; the others have none. */
export function collectGrams(texts: readonly string[], isChosen: (text: number) => boolean): TextGrams {
  const table = new GramTable();
  const start = new Uint32Array(texts.length + 1);
  const grams = new GrowingNumbers();
  /** The last text that each gram was seen in. */
  let seenIn = new Int32Array(1024).fill(-1);
  for (let text = 0; text < texts.length; text += 1) {
    if (isChosen(text)) {
      for (const key of allGramsOf((texts[text] ?? '').toLowerCase())) {
        const gram = table.numberOf(key);
        if (gram >= seenIn.length) {
          const larger = new Int32Array(seenIn.length * 2).fill(-1);
          larger.set(seenIn);
          seenIn = larger;
        }
        if (seenIn[gram] === text) continue;
        seenIn[gram] = text;
        grams.push(gram);
      }
    }
    start[text + 1] = grams.length;
  }
  return { keys: table.keys(), start, grams: grams.view() };
}

/** From a gram to its number, by open addressing: five times as fast as a `Map` of doubles. */
class GramTable {
  #slots = new Int32Array(4096).fill(-1);
  #keys = new Float64Array(2048);
  #count = 0;

  numberOf(key: number): number {
    const mask = this.#slots.length - 1;
    let slot = slotOf(key) & mask;
    for (;;) {
      const found = this.#slots[slot] ?? -1;
      if (found < 0) return this.#add(key, slot);
      if (this.#keys[found] === key) return found;
      slot = (slot + 1) & mask;
    }
  }

  keys(): Float64Array {
    return this.#keys.slice(0, this.#count);
  }

  #add(key: number, slot: number): number {
    const number = this.#count;
    this.#slots[slot] = number;
    this.#keys[number] = key;
    this.#count += 1;
    if (this.#count === this.#keys.length) this.#grow();
    return number;
  }

  #grow(): void {
    const keys = new Float64Array(this.#keys.length * 2);
    keys.set(this.#keys);
    this.#keys = keys;
    this.#slots = new Int32Array(this.#slots.length * 2).fill(-1);
    const mask = this.#slots.length - 1;
    for (let number = 0; number < this.#count; number += 1) {
      let slot = slotOf(keys[number] ?? 0) & mask;
      while ((this.#slots[slot] ?? -1) >= 0) slot = (slot + 1) & mask;
      this.#slots[slot] = number;
    }
  }
}

function slotOf(key: number): number {
  const bits = Math.imul((key % 4294967296) ^ Math.imul((key / 4294967296) | 0, 0x85ebca6b), 0x9e3779b1);
  return bits ^ (bits >>> 15);
}
