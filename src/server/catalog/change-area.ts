import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CandorError } from '../../errors.ts';
import { AREAS_FILE, catalogNames, type ProductArea, setArea } from '../../knowledge/index.ts';
import type { Session } from '../../session.ts';
import { nearestNames } from '../../sql/index.ts';
import { readIfThere, writeWhole } from '../../store/index.ts';
import type { Area, AreaChange } from '../contract/area-contract.ts';
import { readAreasNow } from './area-tables.ts';
import { isHiddenName } from './is-hidden-name.ts';
import { showArea } from './list-areas.ts';

const NEW = { members: [], includeTables: [], excludeTables: [] } as const;

/**
 * Writes what a person says of an area to `knowledge/areas.yml`; what is not said stays. Tables that the person may not see
 * stay in the lists they are in. Where the project cannot be opened with it, the file is as it was. Throws `catalog.unknown-name`, `knowledge.refused`, `knowledge.invalid`.
 */
export async function changeArea(
  id: string,
  change: AreaChange,
  { session, reload }: { readonly session: Session; readonly reload: () => Promise<void> },
): Promise<Area> {
  const { hiddenTables, config, catalog } = session;
  const known = (await readAreasNow(session)).find((area) => area.id === id);
  const before: ProductArea = known ?? { id, name: id, ...NEW };
  const visible = new Set(catalog.tables.map((table) => table.id));
  const isUnseen = (table: string): boolean => !visible.has(table) && isHiddenName(table, hiddenTables);
  const withHidden = (given: readonly string[] | undefined, own: readonly string[]): readonly string[] => {
    if (given === undefined) return own;
    return [...new Set([...given.map((name) => idOf(name, own, session)), ...own.filter(isUnseen)])];
  };
  const { instructions: _, ...rest } = before;
  const instructions = change.instructions ?? before.instructions ?? '';
  const area: ProductArea = {
    ...rest,
    name: change.name ?? before.name,
    members: [...new Set(change.members ?? before.members)],
    includeTables: withHidden(change.includeTables, before.includeTables),
    excludeTables: withHidden(change.excludeTables, before.excludeTables),
    ...(instructions.trim() !== '' && { instructions }),
  };
  await written(config.knowledgeDirectory, {
    write: () => setArea(config.knowledgeDirectory, area, catalogNames(catalog)),
    reload,
  });
  return showArea(area, session, { base: await session.base.open(), mayEdit: true });
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

/** Takes the change back where the project does not open with it, unless somebody has written the file meanwhile. */
async function written(
  directory: string,
  { write, reload }: { readonly write: () => Promise<void>; readonly reload: () => Promise<void> },
): Promise<void> {
  const path = join(directory, AREAS_FILE);
  const before = await readIfThere(path);
  await write();
  const after = await readIfThere(path);
  try {
    await reload();
  } catch (error) {
    if ((await readIfThere(path)) !== after) throw error;
    if (before === undefined) await rm(path, { force: true });
    else await writeWhole(path, before);
    throw error;
  }
}
