/** The chance that a row with label 1 scores above one with label 0, ties counted as half (Mann–Whitney). */
export function areaUnderCurve(scores: Float64Array, labels: Uint8Array): number {
  const order = Uint32Array.from(scores, (_, row) => row).sort((a, b) => (scores[a] ?? 0) - (scores[b] ?? 0));
  let ones = 0;
  let rankSum = 0;
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to < order.length && scores[order[to] ?? 0] === scores[order[from] ?? 0]) to += 1;
    for (let at = from; at < to; at++) {
      if (labels[order[at] ?? 0] !== 1) continue;
      ones += 1;
      rankSum += (from + to + 1) / 2;
    }
    from = to;
  }
  return (rankSum - (ones * (ones + 1)) / 2) / (ones * (scores.length - ones));
}
