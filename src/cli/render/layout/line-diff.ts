/** Two short texts line by line: what is gone, what is new, what stays. */

export interface DiffLine {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/** Lines of a query are few; beyond this all of one text stands before all of the other. */
const MOST_LINES = 500;

/** By the longest common run of lines; what is gone stands before what takes its place. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  if (a.length > MOST_LINES || b.length > MOST_LINES) return [...marked('-', a), ...marked('+', b)];
  const common = commonLengths(a, b);
  const lines: DiffLine[] = [];
  let [at, to] = [0, 0];
  while (at < a.length || to < b.length) {
    const isSame = at < a.length && to < b.length && a[at] === b[to];
    if (isSame) {
      lines.push({ mark: ' ', text: a[at] ?? '' });
      at += 1;
      to += 1;
    } else if (at < a.length && (common[at + 1]?.[to] ?? 0) >= (common[at]?.[to + 1] ?? -1)) {
      lines.push({ mark: '-', text: a[at] ?? '' });
      at += 1;
    } else {
      lines.push({ mark: '+', text: b[to] ?? '' });
      to += 1;
    }
  }
  return lines;
}

function marked(mark: DiffLine['mark'], lines: readonly string[]): readonly DiffLine[] {
  return lines.map((text) => ({ mark, text }));
}

/** By place in either text: how many lines the rests of both share, in their order. */
function commonLengths(a: readonly string[], b: readonly string[]): readonly (readonly number[])[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let at = a.length - 1; at >= 0; at -= 1) {
    const [row, next] = [lengths[at], lengths[at + 1]];
    if (row === undefined || next === undefined) continue;
    for (let to = b.length - 1; to >= 0; to -= 1) {
      row[to] = a[at] === b[to] ? (next[to + 1] ?? 0) + 1 : Math.max(next[to] ?? 0, row[to + 1] ?? 0);
    }
  }
  return lengths;
}
