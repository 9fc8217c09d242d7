import { below, type ImportDesk, type Spot } from './import-desk.ts';
import type { BlockData } from './vendor-block.ts';

/** Keys that pass through, each reported once; unknown ones are named as such, misspelt ones refused. */
export function keepKeys(
  element: Readonly<Record<string, unknown>>,
  spot: Spot,
  {
    desk,
    known,
    kept,
  }: { readonly desk: ImportDesk; readonly known: readonly string[]; readonly kept: readonly string[] },
): BlockData {
  const unknown = spot.document.unknownKeys(element, known, spot.path);
  const keys = [...kept.filter((key) => element[key] !== undefined), ...unknown];
  for (const key of keys) {
    const what = unknown.includes(key)
      ? `\`${key}\` is no key that we know`
      : `\`${key}\` has no effect here`;
    desk.lose('kept', below(spot, key), what);
  }
  return Object.fromEntries(keys.map((key) => [key, element[key]]));
}
