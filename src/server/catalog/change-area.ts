import { join } from 'node:path';
import { tableIds } from '../../catalog/index.ts';
import { CandorError } from '../../errors.ts';
import { AREAS_FILE, catalogNames, type ProductArea, setArea } from '../../knowledge/index.ts';
import type { Session } from '../../session.ts';
import { nearestNames } from '../../sql/index.ts';
import { readIfThere } from '../../store/index.ts';
import type { Area, AreaChange } from '../contract/area-contract.ts';
import type { SessionDesk } from '../session-desk.ts';
import { readAreasNow } from './area-tables.ts';
import { isHiddenName } from './is-hidden-name.ts';
import { showArea } from './list-areas.ts';

const NEW = { members: [], includeTables: [], excludeTables: [] } as const;

/**
 * Writes what a person says of an area to `knowledge/areas.yml`; what is not said stays. Tables that the person may not see
 * stay in the lists they are in. Throws `catalog.unknown-name`, `knowledge.refused`, `knowledge.invalid`.
 */
export async function changeArea(
  id: string,
  change: AreaChange,
  { session, desk }: { readonly session: Session; readonly desk: SessionDesk },
): Promise<Area> {
  const { knowledgeDirectory } = session.config;
  const path = join(knowledgeDirectory, AREAS_FILE);
  const area = await desk.change(async () => {
    const before = await readIfThere(path);
    const result = await areaWith(id, change, session);
    await setArea(knowledgeDirectory, result, catalogNames(session.catalog));
    return { result, written: { path, before } };
  });
  return showArea(area, session, { base: await session.base.open(), mayEdit: true });
}

async function areaWith(id: string, change: AreaChange, session: Session): Promise<ProductArea> {
  const { hiddenTables, catalog } = session;
  const known = (await readAreasNow(session)).find((area) => area.id === id);
  const before: ProductArea = known ?? { id, name: id, ...NEW };
  const visible = tableIds(catalog);
  const isUnseen = (table: string): boolean => !visible.has(table) && isHiddenName(table, hiddenTables);
  const withHidden = (given: readonly string[] | undefined, own: readonly string[]): readonly string[] => {
    if (given === undefined) return own;
    return [...new Set([...given.map((name) => idOf(name, own, session)), ...own.filter(isUnseen)])];
  };
  const { instructions: _, ...rest } = before;
  const instructions = change.instructions ?? before.instructions ?? '';
  return {
    ...rest,
    name: change.name ?? before.name,
    members: [...new Set(change.members ?? before.members)],
    includeTables: withHidden(change.includeTables, before.includeTables),
    excludeTables: withHidden(change.excludeTables, before.excludeTables),
    ...(instructions.trim() !== '' && { instructions }),
  };
}

/** A table that is gone may stay where it stands already. */
function idOf(written: string, own: readonly string[], { catalog, hiddenTables }: Session): string {
  const id = catalogNames(catalog).tableOf(written);
  if (id !== undefined) return id;
  if (own.includes(written) && !isHiddenName(written, hiddenTables)) return written;
  const ids = catalog.tables.map((table) => table.id);
  const near = nearestNames(written.toLowerCase(), ids, 3);
  const hint = near.length === 0 ? '' : `; near it: ${near.join(', ')}`;
  throw new CandorError('catalog.unknown-name', `there is no table ${written}${hint}`);
}
