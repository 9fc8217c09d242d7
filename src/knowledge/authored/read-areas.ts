/** `knowledge/areas.yml`: the parts of the company, who works there and on what. */
import { z } from 'zod';
import type { ProductArea } from './authored.ts';
import type { CatalogNames } from './catalog-names.ts';
import { openKnowledgeYaml } from './note-attributes.ts';

const NAMES = z.array(z.string().min(1)).nullish();
const FILE = z.strictObject({ areas: z.record(z.string(), z.unknown()).nullish() });
const ENTRY = z.strictObject({
  name: z.string().min(1).optional(),
  members: NAMES,
  include_tables: NAMES,
  exclude_tables: NAMES,
  instructions: z.string().min(1).max(2_000).optional(),
});

/** Reads the text; `file` is the name that errors show. Throws `knowledge.invalid` with file, line and column. */
export function readAreas(text: string, file: string, names?: CatalogNames): ProductArea[] {
  const source = openKnowledgeYaml(text, file);
  if (source.value == null) return [];
  const { areas } = source.check(FILE, source.value, []);
  const tableIds = (written: readonly string[] | null | undefined): string[] =>
    [...new Set(written ?? [])].map((name) => names?.tableOf(name) ?? name.toLowerCase());
  return Object.entries(areas ?? {}).map(([id, value]) => {
    const entry = source.check(ENTRY, value ?? {}, ['areas', id]);
    const { instructions } = entry;
    return {
      id,
      name: entry.name ?? id,
      members: [...new Set(entry.members ?? [])],
      includeTables: tableIds(entry.include_tables),
      excludeTables: tableIds(entry.exclude_tables),
      ...(instructions === undefined ? {} : { instructions }),
    };
  });
}
