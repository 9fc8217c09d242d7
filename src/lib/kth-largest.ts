/**
 * The k-th largest of the first `count` scores; minus infinity where there are not so many. Takes as long as looking at
 * each a few times (quickselect, Hoare); the scores are not changed.
 */
export function kthLargest(
  scores: Float64Array | Float32Array,
  k: number,
  count: number = scores.length,
): number {
  if (count <= k) return Number.NEGATIVE_INFINITY;
  const list = scores.slice(0, count);
  const wanted = count - k;
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const pivot = list[(low + high) >> 1]!;
    let left = low;
    let right = high;
    while (left <= right) {
      while (list[left]! < pivot) left++;
      while (list[right]! > pivot) right--;
      if (left > right) break;
      const held = list[left]!;
      list[left] = list[right]!;
      list[right] = held;
      left++;
      right--;
    }
    if (wanted <= right) high = right;
    else if (wanted >= left) low = left;
    else break;
  }
  return list[wanted]!;
}
