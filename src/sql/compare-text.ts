/** Order by code units: the same on every machine, unlike that of a locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
