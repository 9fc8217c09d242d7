/** What stands beside the names of a schema in a prompt: what people say, what logs tell, what a model guessed. */

import type { Catalog } from '../../catalog/index.ts';
import type { Annotations } from '../../catalog/prompt-schema/index.ts';
import type { SharingPolicy } from '../../catalog/share/index.ts';
import { withoutHidden } from '../../knowledge/authored/index.ts';
import { guessNotes } from '../../knowledge/described/index.ts';
import type { SemanticNotes } from '../../knowledge/semantic/index.ts';
import { usageNotes, type WindowUsage } from '../../knowledge/usage/index.ts';
import type { Session } from '../../session/index.ts';
import { statusText } from '../answer/find-related.ts';

export type AnnotationSources = Pick<Session, 'catalog' | 'hiddenTables' | 'semantics' | 'authored'>;

export type NotesById = ReadonlyMap<string, readonly string[]>;

/** What people say of tables and columns, and their word on which to trust. */
export function annotationsOf(
  { authored, catalog }: Pick<AnnotationSources, 'authored' | 'catalog'>,
  said: readonly { readonly tables: NotesById; readonly columns?: NotesById }[],
): Annotations {
  const statuses = authored.statuses.map((status) => [status.table, [statusText(status, catalog)]] as const);
  return {
    tables: merged([...said.map(({ tables }) => tables), new Map(statuses)]),
    columns: merged(said.flatMap(({ columns }) => columns ?? [])),
  };
}

function merged(all: readonly NotesById[]): NotesById {
  const found = new Map<string, readonly string[]>();
  for (const notes of all)
    for (const [id, texts] of notes) found.set(id, [...(found.get(id) ?? []), ...texts]);
  return found;
}

export interface ToldOfSchema {
  /** With what a model guessed where nobody has said anything; without what names a hidden table. */
  readonly annotations: Annotations;
  /** Without inferred keys that the logs contradict. */
  readonly foreignKeys: Catalog['foreignKeys'];
}

/** All that may be told beside a schema; `more` are lines of the question at hand. */
export function toldOfSchema(
  sources: AnnotationSources,
  {
    notes,
    usage,
    sharing,
    more = new Map(),
  }: {
    readonly notes: SemanticNotes;
    readonly usage: WindowUsage | undefined;
    readonly sharing: SharingPolicy;
    readonly more?: NotesById;
  },
): ToldOfSchema {
  const used = usageNotes(usage, sources.catalog);
  const isPrivate = sharing === 'private';
  const guessed = guessNotes(sources.authored, sources.semantics, sources.catalog, { isPrivate });
  const { tables, columns } = annotationsOf(sources, [notes, used, guessed, { tables: more }]);
  const seen = (lines: NotesById = new Map()): NotesById =>
    new Map([...lines].map(([id, texts]) => [id, withoutHidden(texts, sources)]));
  return { annotations: { tables: seen(tables), columns: seen(columns) }, foreignKeys: used.foreignKeys };
}

/** The annotations by themselves, for tables and columns in view. */
export function descriptionLines({ tables, columns }: Annotations, catalog: Catalog): readonly string[] {
  return catalog.tables.flatMap((table) => [
    ...(tables?.get(table.id) ?? []).map((note) => `${table.name}: ${note}`),
    ...table.columns.flatMap((column) =>
      (columns?.get(column.id) ?? []).map((note) => `${table.name}.${column.name}: ${note}`),
    ),
  ]);
}
