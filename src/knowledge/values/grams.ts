/**
 * Character 3-grams of a text in lower case (thoth.md, section 6.2), each as one number: three UTF-16 units of 16 bits
 * fit a double. A text of one or two units is its only gram and bears its length, so that it meets none of a longer one.
 */

export const GRAM_LENGTH = 3;
const UNIT = 2 ** 16;
const LENGTH_PLACE = 2 ** 48;

/** The different grams of a text, in the order they come: `gramsOf('aaaa').length` → 1, `gramsOf('').length` → 0. */
export function gramsOf(text: string): number[] {
  const grams = allGramsOf(text.toLowerCase());
  return grams.length < 2 ? grams : [...new Set(grams)];
}

/** Every gram of a text that is lower case already, also those that come twice. */
export function allGramsOf(lower: string): number[] {
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
