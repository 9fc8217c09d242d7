/** Longer names are compared by their beginning. */
const MOST_CHARACTERS = 200;

/** 2·L / (|a| + |b|) with L the longest common subsequence, as "fuzzy ratio" of string libraries: 1 for equal texts. */
export function spellingRatio(a: string, b: string): number {
  const [left, right] = [a.slice(0, MOST_CHARACTERS), b.slice(0, MOST_CHARACTERS)];
  if (left === right) return 1;
  return (2 * sharedCharacters(left, right)) / (left.length + right.length);
}

function sharedCharacters(a: string, b: string): number {
  let row = new Uint16Array(b.length + 1);
  for (const character of a) {
    const next = new Uint16Array(b.length + 1);
    for (let at = 1; at <= b.length; at += 1) {
      const isSame = b[at - 1] === character;
      next[at] = isSame ? (row[at - 1] ?? 0) + 1 : Math.max(row[at] ?? 0, next[at - 1] ?? 0);
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
