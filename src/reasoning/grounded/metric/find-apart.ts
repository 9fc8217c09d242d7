/** Words of a name may stand this many words apart. */
const SPREAD = 7;

/** Where the words of a name stand, in any order and with others between; undefined where one is missing or they are far apart. */
export function findApart(
  stems: readonly string[],
  name: readonly string[],
  spread = SPREAD,
): readonly number[] | undefined {
  const places = name.map((word) => stems.indexOf(word));
  const isNear = places.every((place) => place >= 0) && Math.max(...places) - Math.min(...places) <= spread;
  return isNear ? places : undefined;
}
