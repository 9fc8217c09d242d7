/** What people write down in `knowledge/`: notes, jargon, which tables to trust, who works on what. */

import { type Catalog, tableOfColumn } from '../../catalog/index.ts';
import type { DescribedTable } from './described.ts';

/** `background`: how the business works; `data`: how the data is to be read; `preference`: how someone wants answers. */
export type NoteKind = 'background' | 'data' | 'preference';

/** One statement: a list item or a paragraph of a Markdown file. */
export interface Note {
  /** File and a hash of the text: stays the same while the text does. */
  readonly id: string;
  readonly text: string;
  readonly kind: NoteKind;
  /** The headings above it, outermost first. */
  readonly topic: readonly string[];
  /** Product areas it is for; none: for all. */
  readonly areas: readonly string[];
  /** Canonical ids that it names, from front matter or `code` in its text. */
  readonly tables: readonly string[];
  readonly columns: readonly string[];
  /** Whose it is; absent: everybody's. */
  readonly user?: string;
  readonly by?: string;
  /** Day, YYYY-MM-DD. */
  readonly at?: string;
  /** Said in a conversation, for its author alone until somebody reviews it. */
  readonly isProposed?: true;
  /** A proposed synonym: the word stands for the meaning in questions. */
  readonly synonym?: { readonly term: string; readonly meaning: string };
  /** `knowledge/places.md:3`. */
  readonly place: string;
}

export interface JargonTerm {
  readonly term: string;
  readonly meaning: string;
  readonly place: string;
}

/** A person's word on a table, in `knowledge/status.yml`. */
export interface TableStatus {
  /** Canonical id. */
  readonly table: string;
  readonly status: 'certified' | 'deprecated';
  readonly by: string;
  /** Day, YYYY-MM-DD. */
  readonly at: string;
  readonly why?: string;
  /** Canonical id of the table to use in its place. */
  readonly replacedBy?: string;
  /** Where it stands: file, line. */
  readonly place: string;
}

/** A part of the company and its tables, in `knowledge/areas.yml`. */
export interface ProductArea {
  readonly id: string;
  readonly name: string;
  /** User ids. */
  readonly members: readonly string[];
  readonly includeTables: readonly string[];
  readonly excludeTables: readonly string[];
  readonly instructions?: string;
}

export interface Authored {
  /** What a model guessed and nobody has accepted yet; absent: nothing. People's words come first everywhere. */
  readonly described?: readonly DescribedTable[];
  readonly notes: readonly Note[];
  readonly jargon: readonly JargonTerm[];
  readonly statuses: readonly TableStatus[];
  readonly areas: readonly ProductArea[];
}

/** Whether a note names a hidden table or a column of one: then it tells its reader of it. */
export function isAboutHidden(
  { tables, columns }: Pick<Note, 'tables' | 'columns'>,
  hiddenTables: ReadonlySet<string>,
): boolean {
  return (
    tables.some((id) => hiddenTables.has(id)) ||
    columns.some((id) => tableOfColumn(id, hiddenTables) !== undefined)
  );
}

/**
 * Whether somebody may be told a note: everybody's, and their own. What was proposed by nobody by name is for whoever
 * works here without one, until it is reviewed.
 */
export function isNoteFor({ user, isProposed }: Pick<Note, 'user' | 'isProposed'>, reader?: string): boolean {
  if (user !== undefined) return user === reader;
  return isProposed !== true || reader === undefined;
}

/** People write for everybody, and may name what whoever asks must not see: such lines are left out before anybody is told. */
export interface Sight {
  readonly catalog: Pick<Catalog, 'tables'>;
  /** Ids. */
  readonly hiddenTables: ReadonlySet<string>;
}

/** The lines that name no hidden table, as it is stored or with spaces in it. A name that a table in view bears too, hides nothing. */
export function withoutHidden(lines: readonly string[], sight: Sight): readonly string[] {
  const hidden = hiddenNames(sight);
  return hidden === undefined ? lines : lines.filter((line) => !hidden.test(line));
}

const KEPT = new WeakMap<ReadonlySet<string>, RegExp | null>();

/** Undefined: nothing is hidden. */
function hiddenNames({ catalog, hiddenTables }: Sight): RegExp | undefined {
  const known = KEPT.get(hiddenTables);
  if (known !== undefined) return known ?? undefined;
  const seen = new Set(catalog.tables.map(({ name }) => name.toLowerCase()));
  const names = [...hiddenTables].flatMap((id) => {
    const name = id.slice(id.lastIndexOf('.') + 1).toLowerCase();
    return name === '' || seen.has(name) ? [] : [patternOf(name)];
  });
  const made =
    names.length === 0
      ? null
      : new RegExp(`(?<![\\p{L}\\p{N}_])(?:${names.join('|')})(?![\\p{L}\\p{N}_])`, 'iu');
  KEPT.set(hiddenTables, made);
  return made ?? undefined;
}

function patternOf(name: string): string {
  return name
    .split(/[\s_]+/)
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
    .join('[\\s_]+');
}
