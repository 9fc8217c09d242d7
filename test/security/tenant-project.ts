/** The database of both tenants as a project: its policy stands in a semantic model, its tables in a lake or a catalog. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config/index.ts';
import { connect, guarded } from '../../src/database/index.ts';
import { openProject } from '../../src/session/open-project.ts';
import { TRAITS, type Traits } from './queries/writing.ts';
import { readingTables } from './reading-tables.ts';
import type { TenantPlaces, TenantWorlds } from './tenant-worlds.ts';
import { PROPERTIES, policyOf, type TenantTable, twoTenants } from './two-tenants.ts';

/** As `openWorlds`, where the shared database is what a reader of a project over a lake gets. */
export async function openLakeWorlds(
  dialect: Traits['dialect'],
  places: TenantPlaces,
): Promise<TenantWorlds> {
  const base = twoTenants(TRAITS[dialect].quote);
  const tables = [...base, ...readingTables(dialect, base)];
  const folder = mkdtempSync(join(tmpdir(), 'candor-tenant-lake-'));
  writeTenantProject(folder, { url: places.sharedUrl, tables, settings: ['catalog: lake'] });
  const session = await openProject(await readConfig({ cwd: folder, env: {} }));
  const { visibleTables } = policyOf(tables);
  const reader = await session.forUser('ann', {
    properties: PROPERTIES,
    ...(visibleTables && { tables: visibleTables }),
  });
  const own = await connect(places.ownUrl);
  return {
    tables,
    shared: reader.database,
    own: guarded(own, { kind: 'own-queries' }),
    revive: () => places.revive(),
    close: async () => {
      await Promise.all([session.close(), own.close()]);
      rmSync(folder, { recursive: true });
      await places.remove();
    },
  };
}

export interface TenantProject {
  readonly url: string;
  readonly tables: readonly TenantTable[];
  /** Further lines of candor.yml. */
  readonly settings?: readonly string[];
}

export function writeTenantProject(folder: string, { url, tables, settings = [] }: TenantProject): void {
  mkdirSync(join(folder, 'semantics'));
  writeFileSync(join(folder, 'semantics', 'shop.yml'), semanticsOf(tables));
  const lines = [`database: ${JSON.stringify(url)}`, 'search: { embedding: none }', ...settings, ''];
  writeFileSync(join(folder, 'candor.yml'), lines.join('\n'));
}

/** YAML that is JSON: nothing of a filter needs to be escaped. */
function semanticsOf(tables: readonly TenantTable[]): string {
  const extension = (data: object) => [{ vendor_name: 'CANDOR', data }];
  const datasets = tables.flatMap(({ name, filter, columns, made, isHidden }) => {
    const masked = columns.flatMap(({ name: column, mask }) =>
      mask === undefined ? [] : [{ column, sql: mask.sql }],
    );
    // A filter may look into any table of a catalog, and over a lake into those that the model names.
    const isNamed = isHidden === true || made?.isTrusted === true;
    if (filter === undefined && masked.length === 0 && !isNamed) return [];
    return [
      {
        ...{ name, source: name },
        fields: masked.map(({ column, sql }) => ({
          name: column,
          expression: { dialects: [{ dialect: 'ANSI_SQL', expression: column }] },
          custom_extensions: extension({ mask: sql }),
        })),
        custom_extensions: extension({
          ...(filter && { row_filter: filter.sql }),
          ...(made?.isTrusted && { trusted_view: true }),
        }),
      },
    ];
  });
  return JSON.stringify({ version: '0.2.0', semantic_model: [{ name: 'shop', datasets }] });
}
