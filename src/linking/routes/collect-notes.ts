/** What retrieval and the ranker found, by item: shown to whoever links, never counted as votes. */
import {
  authoredText,
  redactedText,
  redactSql,
  type SharingPolicy,
  withoutLiterals,
} from '../../catalog/share/index.ts';
import type { Retrieved, TableIndex } from '../../knowledge/retrieve/index.ts';
import type { SchemaOpinion } from '../../reasoning/grounded/linking/index.ts';
import { items, parse } from '../../sql/index.ts';
import type { ReasonKind, SharedReason } from '../schema/linked-schema.ts';

/** Items of tables beyond these are not looked at by anybody. */
const MOST_TABLES = 200;
const MOST_NOTES = 4;

export function notesOf(
  retrieved: Retrieved | undefined,
  opinion: SchemaOpinion,
  tables: TableIndex,
  sharing: SharingPolicy,
): ReadonlyMap<string, readonly SharedReason[]> {
  const notes = new Map<string, SharedReason[]>();
  const add = (id: string, kind: ReasonKind, text: string): void => {
    const known = notes.get(id) ?? [];
    const shown = shownReason(kind, text, sharing);
    if (known.length >= MOST_NOTES || known.some((note) => note.text === shown)) return;
    notes.set(id, [...known, { kind, text: shown }]);
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
      add(id, 'example', `a verified query for “${questionOf(item.pair, tables, sharing)}” uses it`);
  for (const { item } of retrieved?.notes ?? [])
    for (const id of [...item.tables, ...item.columns]) add(id, 'note', `note ${item.place}: ${item.text}`);
  for (const { item } of retrieved?.tables ?? []) {
    if (item.isCertified) add(item.tableId, 'note', 'people have certified it');
    if (item.isDeprecated) add(item.tableId, 'note', 'people have marked it as deprecated');
  }
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

/** Reasons of the kind `value` quote what is stored; the others are names, and words of people. */
function shownReason(kind: ReasonKind, text: string, sharing: SharingPolicy): SharedReason['text'] {
  return kind === 'value'
    ? redactedText(text, sharing, () => 'a stored value is like a word of the question')
    : authoredText(text);
}

function questionOf(
  { question, sql }: { readonly question: string; readonly sql: string },
  { catalog }: TableIndex,
  sharing: SharingPolicy,
): string {
  return redactedText(question, sharing, (text) =>
    withoutLiterals(text, redactSql(sql, catalog.dialect).literals),
  );
}
