/** What the knowledge commands look at together. */

import type { Catalog } from '../../../catalog/index.ts';
import { CandorError } from '../../../errors.ts';
import { catalogNames } from '../../../knowledge/authored/index.ts';
import { nearestNames } from '../../../language/index.ts';

export { readKnowledgeSources } from '../../../onboarding/index.ts';

/** When something is written down: the day of the wall clock, also in projects whose data has stopped growing. */
export function dayOfWriting(): string {
  return new Date().toISOString().slice(0, 10);
}

/** The id of a table as a person typed it. Throws `catalog.unknown-name` with the nearest. */
export function findTableId(written: string, { tables }: Pick<Catalog, 'tables'>): string {
  const id = catalogNames({ tables }).tableOf(written);
  if (id !== undefined) return id;
  const near = nearestNames(
    written.toLowerCase(),
    tables.map((table) => table.id),
    3,
  );
  const hint = near.length === 0 ? '' : `; near it: ${near.join(', ')}`;
  throw new CandorError('catalog.unknown-name', `there is no table ${written}${hint}`);
}
