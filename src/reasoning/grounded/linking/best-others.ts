/** For each member of a group, the best score among the others: two passes instead of all pairs. */
export function bestOthers(
  groups: Int32Array,
  groupCount: number,
  score: (member: number) => number,
): Float64Array {
  const best = new Float64Array(groupCount);
  const second = new Float64Array(groupCount);
  const owner = new Int32Array(groupCount).fill(-1);
  for (const [member, group] of groups.entries()) {
    const own = score(member);
    if (own > (best[group] ?? 0)) {
      second[group] = best[group] ?? 0;
      best[group] = own;
      owner[group] = member;
    } else if (own > (second[group] ?? 0)) second[group] = own;
  }
  return Float64Array.from(
    groups,
    (group, member) => (owner[group] === member ? second[group] : best[group]) ?? 0,
  );
}
