/** The groups of rows as numbers from 0 in the order in which they are met. */
export interface GroupCodes {
  /** One a row. */
  readonly codes: Int32Array;
  readonly count: number;
}

export function codeGroups(groups: ArrayLike<string | number>): GroupCodes {
  const known = new Map<string | number, number>();
  const codes = Int32Array.from(groups, (group) => {
    const code = known.get(group) ?? known.size;
    known.set(group, code);
    return code;
  });
  return { codes, count: known.size };
}
