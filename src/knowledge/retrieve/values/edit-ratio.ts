/**
 * The ratio of Ratcliff and Obershelp, 2·M/T with M the characters in matching blocks and T those of both texts: what
 * Python's `difflib.SequenceMatcher(None, a, b, autojunk=False).ratio()` gives, block for block.
 *
 * @param a The stored value; which text comes first decides between equally long blocks.
 * @param b The words looked for.
 */
export function editRatio(a: string, b: string): number {
  if (a.length + b.length === 0) return 1;
  if (a === b) return 1;
  const units = { a: unitsOf(a), b: unitsOf(b) };
  return (2 * matchedUnits(units, [0, a.length, 0, b.length])) / (a.length + b.length);
}

interface Units {
  readonly a: Uint16Array;
  readonly b: Uint16Array;
}

type Area = readonly [fromA: number, toA: number, fromB: number, toB: number];

function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at += 1) units[at] = text.charCodeAt(at);
  return units;
}

/** Takes the longest block out of each area and goes on left and right of it. */
function matchedUnits(units: Units, whole: Area): number {
  const open: Area[] = [whole];
  const runs = new Uint16Array(units.b.length + 1);
  let matched = 0;
  for (let area = open.pop(); area !== undefined; area = open.pop()) {
    const [fromA, toA, fromB, toB] = area;
    const { startA, startB, length } = longestBlock(units, area, runs);
    if (length === 0) continue;
    matched += length;
    if (startA > fromA && startB > fromB) open.push([fromA, startA, fromB, startB]);
    if (startA + length < toA && startB + length < toB)
      open.push([startA + length, toA, startB + length, toB]);
  }
  return matched;
}

/** The longest common block; of equally long ones that which starts first in `a`, then in `b`. */
function longestBlock({ a, b }: Units, [fromA, toA, fromB, toB]: Area, runs: Uint16Array) {
  const best = { startA: fromA, startB: fromB, length: 0 };
  runs.fill(0, fromB, toB + 1);
  for (let i = fromA; i < toA; i += 1) {
    const unit = a[i];
    // `runs[j + 1]` is the length of the block that ends in b[j]; from the right, so that the row above is still there.
    for (let j = toB - 1; j >= fromB; j -= 1) {
      const run = b[j] === unit ? (runs[j] ?? 0) + 1 : 0;
      runs[j + 1] = run;
      const isLonger = run > best.length;
      const isEarlier =
        run === best.length && run > 0 && i - run + 1 === best.startA && j - run + 1 < best.startB;
      if (isLonger || isEarlier) {
        best.length = run;
        best.startA = i - run + 1;
        best.startB = j - run + 1;
      }
    }
  }
  return best;
}
