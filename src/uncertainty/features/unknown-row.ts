/** For a group whose source is missing: none of its features is known. */
import type { NodeReader } from './feature.ts';

export function unknownRow(width: number): NodeReader {
  return (_, into, at) => {
    for (let index = 0; index < width; index += 1) into[at + index] = Number.NaN;
  };
}
