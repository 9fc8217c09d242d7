/** What retrieval and the ranker found, by item: shown to whoever links, never counted as votes. */
import type { Retrieved, TableIndex } from '../../knowledge/index.ts';
import type { SchemaOpinion } from '../../reasoning/index.ts';
import { items, parse } from '../../sql/index.ts';
import type { LinkReason, ReasonKind } from '../linked-schema.ts';

/** Items of tables beyond these are not looked at by anybody. */
const MOST_TABLES = 200;
const MOST_NOTES = 4;

export function notesOf(
  retrieved: Retrieved | undefined,
  opinion: SchemaOpinion,
  tables: TableIndex,
): ReadonlyMap<string, readonly LinkReason[]> {
  const notes = new Map<string, LinkReason[]>();
  const add = (id: string, kind: ReasonKind, text: string): void => {
    const known = notes.get(id) ?? [];
    if (known.length >= MOST_NOTES || known.some((note) => note.text === text)) return;
    notes.set(id, [...known, { kind, text }]);
  };
  for (const { item } of retrieved?.values ?? [])
    for (const { value, keyword } of item.values.slice(0, 2))
      add(
        item.columnId,
        'value',
        value === keyword ? `“${value}” is stored in it` : `“${value}” is stored in it, like “${keyword}”`,
      );
  for (const { item } of retrieved?.examples ?? [])
    for (const id of usedBy(item.pair.sql, tables))
      add(id, 'example', `a verified query for “${item.pair.question}” uses it`);
  for (const { item } of retrieved?.notes ?? [])
    for (const id of [...item.tables, ...item.columns]) add(id, 'note', `note ${item.place}: ${item.text}`);
  for (const { item, because } of retrieved?.tables ?? [])
    for (const text of because.slice(0, 2)) add(item.tableId, 'name', text);
  for (const id of opinion.tableOrder.slice(0, MOST_TABLES)) {
    for (const { kind, text } of opinion.reasons(id)) add(id, kind, text);
    for (const column of tables.table(id)?.columns ?? [])
      for (const { kind, text } of opinion.reasons(column.id)) if (kind !== 'key') add(column.id, kind, text);
  }
  return notes;
}

/** Tables and columns of a verified query; one that no longer parses was left out of retrieval already. */
function usedBy(sql: string, { catalog }: TableIndex): readonly string[] {
  const parsed = parse(sql, catalog.dialect);
  if (!parsed.ok) return [];
  const used = items(parsed.tree, catalog);
  return [...used.tables, ...used.columns].map(({ id }) => id);
}
