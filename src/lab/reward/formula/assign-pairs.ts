/**
 * The assignment of rows to columns with the largest sum of weights (Hungarian method with potentials, Kuhn 1955, in
 * the O(n²·m) form of Jonker and Volgenant): for each row its column, −1 where there are more rows than columns. Weights
 * must be finite, every row as long as the first.
 */
export function assignPairs(weights: readonly (readonly number[])[]): readonly number[] {
  const rows = weights.length;
  const columns = weights[0]?.length ?? 0;
  if (rows <= columns) return assignRows(weights);
  const turned = Array.from({ length: columns }, (_, column) => weights.map((row) => row[column] ?? 0));
  const assigned = new Array<number>(rows).fill(-1);
  assignRows(turned).forEach((row, column) => {
    assigned[row] = column;
  });
  return assigned;
}

/** At most as many rows as columns. Place 0 of every array is the start of a search, so that all counts begin at 1. */
function assignRows(weights: readonly (readonly number[])[]): readonly number[] {
  const rows = weights.length;
  const columns = weights[0]?.length ?? 0;
  const rowPotential = new Float64Array(rows + 1);
  const columnPotential = new Float64Array(columns + 1);
  /** The row that a column belongs to; 0: none yet. */
  const owner = new Int32Array(columns + 1);
  const before = new Int32Array(columns + 1);
  for (let row = 1; row <= rows; row += 1) {
    owner[0] = row;
    const slack = new Float64Array(columns + 1).fill(Number.POSITIVE_INFINITY);
    const isDone = new Uint8Array(columns + 1);
    let at = 0;
    while (owner[at] !== 0) {
      isDone[at] = 1;
      const from = owner[at] ?? 0;
      let [least, next] = [Number.POSITIVE_INFINITY, 0];
      for (let column = 1; column <= columns; column += 1) {
        if (isDone[column] === 1) continue;
        const cost = -(weights[from - 1]?.[column - 1] ?? 0);
        const reduced = cost - (rowPotential[from] ?? 0) - (columnPotential[column] ?? 0);
        if (reduced < (slack[column] ?? 0)) {
          slack[column] = reduced;
          before[column] = at;
        }
        if ((slack[column] ?? 0) < least) [least, next] = [slack[column] ?? 0, column];
      }
      for (let column = 0; column <= columns; column += 1) {
        if (isDone[column] === 1) {
          const of = owner[column] ?? 0;
          rowPotential[of] = (rowPotential[of] ?? 0) + least;
          columnPotential[column] = (columnPotential[column] ?? 0) - least;
        } else slack[column] = (slack[column] ?? 0) - least;
      }
      at = next;
    }
    // The path found hands every column on it to the row before.
    while (at !== 0) {
      const previous = before[at] ?? 0;
      owner[at] = owner[previous] ?? 0;
      at = previous;
    }
  }
  const assigned = new Array<number>(rows).fill(-1);
  for (let column = 1; column <= columns; column += 1) {
    const row = owner[column] ?? 0;
    if (row > 0) assigned[row - 1] = column - 1;
  }
  return assigned;
}
