/** Notes that bear on a question: relevant in words or meaning, or about the tables, columns and terms it names. */
import { isAboutHidden, isNoteFor, type Note } from '../../authored/authored.ts';
import { indexTerms } from '../../search/search-terms.ts';
import type { RetrievalSettings } from '../settings/retrieval-settings.ts';
import { fitting, type TextAsked } from '../settings/retrieval-settings.ts';
import type { Found } from '../settings/retrieved.ts';
import type { TableIndex } from '../tables/table-index.ts';
import { indexWords, type WordIndex } from '../words/word-index.ts';

export interface NoteShelf {
  readonly notes: readonly Note[];
  readonly words: WordIndex;
  /** By note: the terms of each table, column and business word that it names. */
  readonly subjects: readonly (readonly (readonly string[])[])[];
  /** By note: names in it that the catalog does not have. */
  readonly unknown: readonly (readonly string[])[];
}

export interface NoteReader {
  readonly user?: string;
  readonly areas: readonly string[];
}

/** Two things that the question names too make a note fit as well as more of them. */
const ENOUGH_SUBJECTS = 2;

/**
 * Reads the notes once. `hiddenTables` are those the reader may not see: notes about them are left out. `terms` are
 * names of metrics, dimensions and jargon.
 */
export function shelveNotes(
  notes: readonly Note[],
  tables: TableIndex,
  { terms, hiddenTables }: { readonly terms: readonly string[]; readonly hiddenTables?: ReadonlySet<string> },
): NoteShelf {
  const shown =
    hiddenTables === undefined ? notes : notes.filter((note) => !isAboutHidden(note, hiddenTables));
  const business = terms.map((term) => indexTerms(term)).filter((list) => list.length > 0);
  return {
    notes: shown,
    words: indexWords(shown.map(({ topic, text }) => [...topic, text].join(' '))),
    subjects: shown.map((note) => {
      const own = new Set(indexTerms(note.text));
      const named = [...note.tables, ...note.columns].map((id) => indexTerms(lastName(id)));
      return [...named, ...business.filter((list) => list.every((term) => own.has(term)))];
    }),
    unknown: shown.map((note) => [
      ...note.tables.filter((id) => tables.table(id) === undefined),
      ...note.columns.filter((id) => tables.column(id) === undefined),
    ]),
  };
}

/**
 * `settings.most` notes at most, best first: `.6 · words + .4 · structure`. Words are BM25 or, where it is higher, the
 * cosine; structure is how many of the things a note names the question names too. Source: ThothAI, section 12.
 */
export function findNotes(
  asked: TextAsked,
  shelf: NoteShelf,
  reader: NoteReader,
  settings: RetrievalSettings['notes'],
): { readonly notes: readonly Found<Note>[]; readonly total: number } {
  const relevance = new Map(
    shelf.words.search(asked.terms).map((match) => [match.position, match.relevance]),
  );
  const terms = new Set(asked.terms);
  const rated = shelf.notes.flatMap((note, position): Found<Note>[] => {
    if (!isFor(note, reader)) return [];
    const subjects = shelf.subjects[position] ?? [];
    const hits = subjects.filter((words) => words.every((word) => terms.has(word))).length;
    const structure = Math.min(1, hits / Math.max(1, Math.min(subjects.length, ENOUGH_SUBJECTS)));
    const words = Math.max(relevance.get(position) ?? 0, asked.cosines.get(note.id) ?? 0);
    const score = settings.wordsWeight * words + settings.structureWeight * structure;
    if (score < settings.least) return [];
    return [{ item: note, score, because: explain(score, hits, shelf.unknown[position] ?? [], settings) }];
  });
  return { notes: fitting(rated, settings.most), total: rated.length };
}

function isFor(note: Note, reader: NoteReader): boolean {
  const { areas } = note;
  return (
    isNoteFor(note, reader.user) &&
    (areas.length === 0 || reader.areas.length === 0 || areas.some((id) => reader.areas.includes(id)))
  );
}

function explain(
  score: number,
  hits: number,
  unknown: readonly string[],
  settings: RetrievalSettings['notes'],
): readonly string[] {
  const strength =
    score >= settings.strict && hits > 0
      ? 'it applies'
      : score >= settings.weak
        ? 'it may apply'
        : 'it is near';
  const about = hits > 0 ? ': the question names what it is about' : ' by its words';
  // The schema wins over what people once wrote; the note is shown with the flag.
  const flags = unknown.map((name) => `it names ${name}, which is not in the catalog`);
  return [`${strength}${about}`, ...flags];
}

function lastName(id: string): string {
  return id.slice(id.lastIndexOf('.') + 1);
}
