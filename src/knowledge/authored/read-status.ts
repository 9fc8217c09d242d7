/** `knowledge/status.yml`: which tables to trust. */
import { z } from 'zod';
import type { TableStatus } from './authored.ts';
import type { CatalogNames } from './catalog-names.ts';
import { openKnowledgeYaml } from './note-attributes.ts';

const FILE = z.strictObject({ tables: z.record(z.string(), z.unknown()).nullish() });
const ENTRY = z.strictObject({
  status: z.enum(['certified', 'deprecated']),
  by: z.string().min(1),
  at: z.iso.date('expected a day, YYYY-MM-DD'),
  why: z.string().min(1).max(2_000).optional(),
  replaced_by: z.string().min(1).optional(),
});

/** Reads the text; `file` is the name that errors show. Throws `knowledge.invalid` with file, line and column. */
export function readStatus(text: string, file: string, names?: CatalogNames): TableStatus[] {
  const source = openKnowledgeYaml(text, file);
  if (source.value == null) return [];
  const { tables } = source.check(FILE, source.value, []);
  const seen = new Set<string>();
  return Object.entries(tables ?? {}).map(([written, value]) => {
    const path = ['tables', written];
    const { replaced_by: replacedBy, why, ...entry } = source.check(ENTRY, value, path);
    const table = tableId(written, names);
    if (seen.has(table)) throw source.fault(path, `${table} stands twice`);
    seen.add(table);
    return {
      table,
      ...entry,
      ...(why === undefined ? {} : { why }),
      ...(replacedBy === undefined ? {} : { replacedBy: tableId(replacedBy, names) }),
      place: source.placeOf(path),
    };
  });
}

function tableId(written: string, names: CatalogNames | undefined): string {
  return names?.tableOf(written) ?? written.toLowerCase();
}
