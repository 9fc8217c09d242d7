/** The one name that a misspelled one means: what may be changed without asking. */
import { nearestSchemaName } from '../schema/nearest-schema-name.ts';
import type { NearestName } from '../schema/schema-facts.ts';

/** One letter in four may be wrong, two at most: two wrong letters of four is another word. One may be left out of three. */
const LEAST_LENGTH = 4;
const LEAST_LEFT = 3;
const MOST_WRONG = 2;

/** The one name that is a letter or two away where no other is, or that differs in `_`, spaces and `-` alone. */
export function rightName(written: string | undefined, names: readonly string[]): string | undefined {
  if (written === undefined) return undefined;
  const bare = (name: string) => name.toLowerCase().replace(/[\s_-]+/g, '');
  const respelled = [...new Set(names.filter((name) => bare(name) === bare(written)))];
  if (respelled.length > 0) return respelled.length === 1 ? respelled[0] : undefined;
  const near = nearestSchemaName(names)(written);
  if (near === undefined || near.within2 !== 1) return undefined;
  if (written.length < LEAST_LENGTH) return lacksLetter(written, near) ? near.name : undefined;
  const bound = Math.min(MOST_WRONG, Math.floor(written.length / LEAST_LENGTH));
  return near.distance <= bound || hasSameLetters(near.name, written) ? near.name : undefined;
}

function lacksLetter(written: string, { name, distance }: NearestName): boolean {
  return written.length >= LEAST_LEFT && distance === 1 && name.length === written.length + 1;
}

/** Two letters changed places. */
function hasSameLetters(one: string, other: string): boolean {
  const sorted = (name: string) => [...name.toLowerCase()].sort().join('');
  return sorted(one) === sorted(other);
}
