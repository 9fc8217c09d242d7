/** Notes and jargon of one Markdown file. */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { CandorError } from '../../errors.ts';
import type { JargonTerm, Note, NoteKind } from './authored.ts';
import type { CatalogNames } from './catalog-names.ts';
import { ATTRIBUTE_COMMENT, type MarkdownBlock, markdownBlocks } from './markdown-blocks.ts';
import {
  type FileAttributes,
  NOTE_ATTRIBUTES,
  type NoteAttributes,
  openKnowledgeYaml,
  readFrontMatter,
} from './note-attributes.ts';

/** A note is a statement, not a document: longer ones crowd out everything else that is known. */
export const MOST_NOTE_CHARACTERS = 2_000;
/** Of the attributes behind a note. */
const MOST_ATTRIBUTE_CHARACTERS = 2_000;

const JARGON_NAME = /^(?:jargon|glossary)$/i;
const BLANK_NAMES: CatalogNames = { tableOf: () => undefined, columnOf: () => undefined };

export interface NotesFound {
  readonly notes: readonly Note[];
  readonly jargon: readonly JargonTerm[];
}

/** Reads the text of a file; `file` is the name that errors show. Throws `knowledge.invalid`. */
export function readNotes(text: string, file: string, names: CatalogNames = BLANK_NAMES): NotesFound {
  const { attributes, lines, firstLine } = readFrontMatter(text, file);
  const isJargonFile = attributes.kind === 'jargon' || JARGON_NAME.test(basename(file, '.md'));
  const ids = new Map<string, number>();
  const notes: Note[] = [];
  const jargon: JargonTerm[] = [];
  for (const block of markdownBlocks(lines, file, firstLine)) {
    const place = `${file}:${block.line}`;
    const isJargon = isJargonFile || block.topic.some((heading) => JARGON_NAME.test(heading));
    const terms = isJargon ? readTerms(block, place) : undefined;
    if (terms !== undefined) jargon.push(...terms);
    else notes.push(readNote(block, { place, file, attributes, names, ids }));
  }
  return { notes, jargon };
}

/** Terms of a row or of an item `term: meaning`; `undefined` for prose about the terms. */
function readTerms(block: MarkdownBlock, place: string): JargonTerm[] | undefined {
  if (block.kind !== 'row') {
    const item = /^([^:=–—\n]{1,100}?)\s*[:=–—]\s+([\s\S]+)$/.exec(block.text);
    return block.kind === 'paragraph' || item === null
      ? undefined
      : pairUp(item[1] ?? '', item[2] ?? '', place);
  }
  const [term = '', meaning = ''] = block.cells;
  if (block.cells.length !== 2 || term === '' || meaning === '')
    throw invalid(
      `${place}:1: expected two filled columns, a term and its meaning, not ${block.cells.length}`,
    );
  return pairUp(term, meaning, place);
}

/** `BEV, ICE | battery electric, petrol` are two terms; `EV, NEV | a car with a plug` are two words for one. */
function pairUp(term: string, meaning: string, place: string): JargonTerm[] {
  refuseLong(meaning, place);
  const terms = splitList(term.replaceAll(/[*`]+/g, ''));
  const meanings = splitList(meaning);
  const isPairwise = terms.length > 1 && terms.length === meanings.length;
  return terms.map((one, at) => ({
    term: one,
    meaning: (isPairwise ? meanings[at] : undefined) ?? meaning,
    place,
  }));
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

interface NoteContext {
  readonly place: string;
  readonly file: string;
  readonly attributes: FileAttributes;
  readonly names: CatalogNames;
  /** How often a hash came already: equal statements of a file stay apart. */
  readonly ids: Map<string, number>;
}

function readNote(block: MarkdownBlock, context: NoteContext): Note {
  const { place, file, attributes, names, ids } = context;
  const { text, own } = splitAttributes(textOf(block), file, block.line);
  refuseLong(text, place);
  const written = codeNames(text);
  const columns = distinct([
    ...[...(attributes.columns ?? []), ...(own.columns ?? [])].map((name) =>
      idOr(names.columnOf(name), name),
    ),
    ...written.flatMap((name) => names.columnOf(name) ?? []),
  ]);
  const tables = distinct([
    ...[...(attributes.tables ?? []), ...(own.tables ?? [])].map((name) => idOr(names.tableOf(name), name)),
    ...written.flatMap((name) => names.tableOf(name) ?? []),
    ...columns.map((column) => column.slice(0, column.lastIndexOf('.'))),
  ]);
  const user = own.user ?? attributes.user;
  const by = own.by ?? attributes.by;
  const at = own.at ?? attributes.at;
  return {
    id: noteId(file, text, ids),
    text,
    kind: kindOf(own.kind ?? attributes.kind, {
      isOfUser: user !== undefined,
      isOfTables: tables.length > 0,
    }),
    topic: block.topic,
    areas: distinct([...(attributes.areas ?? []), ...(own.areas ?? [])]),
    tables,
    columns,
    ...(user === undefined ? {} : { user }),
    ...(by === undefined ? {} : { by }),
    ...(at === undefined ? {} : { at }),
    ...(own.proposed && { isProposed: true }),
    ...(own.term && own.meaning && { synonym: { term: own.term, meaning: own.meaning } }),
    place,
  };
}

function textOf(block: MarkdownBlock): string {
  if (block.kind !== 'row') return block.text;
  return block.cells.map((cell, at) => (block.heads[at] ? `${block.heads[at]}: ${cell}` : cell)).join('; ');
}

/** A text and the attributes behind it, `<!-- candor: {by: ada, at: 2025-01-31} -->`. */
function splitAttributes(
  whole: string,
  file: string,
  line: number,
): { readonly text: string; readonly own: NoteAttributes } {
  const start = whole.indexOf(ATTRIBUTE_COMMENT);
  if (start < 0) return { text: whole, own: {} };
  const end = whole.indexOf('-->', start);
  if (end < 0 || whole.slice(end + 3).trim() !== '' || end - start > MOST_ATTRIBUTE_CHARACTERS)
    throw invalid(
      `${file}:${line}:1: expected ${ATTRIBUTE_COMMENT} {…} --> once, short, at the end of the note`,
    );
  const yaml = whole.slice(start + ATTRIBUTE_COMMENT.length, end);
  // The empty lines before it make the places those of the file.
  const source = openKnowledgeYaml(`${'\n'.repeat(line - 1)}${yaml}`, file);
  return { text: whole.slice(0, start).trim(), own: source.check(NOTE_ATTRIBUTES, source.value, []) };
}

/** Where nobody says: what names tables is about data, what belongs to a person is how they like it. */
function kindOf(
  said: FileAttributes['kind'],
  { isOfUser, isOfTables }: { readonly isOfUser: boolean; readonly isOfTables: boolean },
): NoteKind {
  if (said !== undefined && said !== 'jargon') return said;
  return isOfUser ? 'preference' : isOfTables ? 'data' : 'background';
}

function noteId(file: string, text: string, ids: Map<string, number>): string {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const count = (ids.get(hash) ?? 0) + 1;
  ids.set(hash, count);
  return `${basename(file)}#${hash}${count === 1 ? '' : `-${count}`}`;
}

/** A name that the catalog does not know stays, in lower case: `candor knowledge drift` tells of it. */
function idOr(id: string | undefined, written: string): string {
  return id ?? written.toLowerCase();
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)];
}

function refuseLong(text: string, place: string): void {
  if (text.length > MOST_NOTE_CHARACTERS)
    throw invalid(`${place}:1: ${text.length} characters; expected 2,000 at most: split the note.`);
}

function invalid(message: string): CandorError {
  return new CandorError('knowledge.invalid', message);
}

const CODE = /`([^`\n]+)`/g;
const NAME = /^[\p{L}_][\p{L}\p{N}_$]*(?:\.[\p{L}_][\p{L}\p{N}_$]*)*$/u;

/** The names that stand as `code` in a text, each once: `orders`, `orders.signed_on`; not `x = 1`. */
export function codeNames(text: string): string[] {
  const codes = [...text.matchAll(CODE)].map(([, code = '']) => code.trim());
  return [...new Set(codes.filter((code) => NAME.test(code)))];
}
