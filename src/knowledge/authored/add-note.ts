/** Writes one note into `knowledge/`, in the words and at the place a person would have written it. */
import { basename, join } from 'node:path';
import { CandorError } from '../../errors.ts';
import { changeFile } from '../files/authored-files.ts';
import { ATTRIBUTE_COMMENT } from './markdown-blocks.ts';
import type { NoteAttributes } from './note-attributes.ts';
import { MOST_NOTE_CHARACTERS, readNotes } from './read-notes.ts';

export interface NewNote extends NoteAttributes {
  readonly text: string;
  /** Heading it goes under, and name of its file; absent: `notes.md`. */
  readonly topic?: string;
}

const DEFAULT_TOPIC = 'Notes';
const ATTRIBUTE_ORDER = [
  'kind',
  'areas',
  'tables',
  'columns',
  'user',
  'by',
  'at',
  'proposed',
  'term',
  'meaning',
] as const;

/**
 * Adds the note as a list item at the end of the section of its topic and returns the name of the file; every byte
 * that was there stays. Throws `knowledge.refused` for a text that could not be read back, `knowledge.invalid` when
 * the file is faulty already.
 */
export async function addNote(directory: string, note: NewNote): Promise<string> {
  const topic = (note.topic ?? DEFAULT_TOPIC).replaceAll(/\s+/g, ' ').trim();
  const name = fileOf(topic);
  const shown = `${basename(directory)}/${name}`;
  const item = writeItem(note);
  await changeFile(join(directory, name), shown, (text) => {
    const changed = insert(text, topic, item);
    // What a person would not find again must not be written: both texts are read as the next command reads them.
    const [before, after] = [text, changed].map((content) => count(content, shown));
    if (after !== (before ?? 0) + 1)
      throw new CandorError('knowledge.refused', 'This text would not be read back as one note.');
    return changed;
  });
  return name;
}

function count(text: string, shown: string): number {
  const { notes, jargon } = readNotes(text, shown);
  return notes.length + (jargon.length > 0 ? new Set(jargon.map(({ place }) => place)).size : 0);
}

/** `Places of sale` → `places-of-sale.md`. */
function fileOf(topic: string): string {
  const slug = topic
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  if (slug === '' || slug === 'readme')
    throw new CandorError('knowledge.refused', `“${topic}” cannot be the topic of notes; name it in words.`);
  return `${slug}.md`;
}

/** On one line: a line of its own could start a heading or a list. */
function writeItem({ text, topic: _, ...attributes }: NewNote): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line === '') throw new CandorError('knowledge.refused', 'The note is empty.');
  if (line.length > MOST_NOTE_CHARACTERS)
    throw new CandorError('knowledge.refused', `The note has ${line.length} characters; 2,000 are allowed.`);
  if (line.includes('<!--') || line.includes('-->'))
    throw new CandorError('knowledge.refused', 'A note cannot hold <!-- or -->.');
  const said = ATTRIBUTE_ORDER.flatMap((key) => {
    const value = attributes[key];
    if (value === undefined || (value !== true && value.length === 0)) return [];
    // JSON is YAML, and its quotes make every text safe; > is escaped so that none ends the comment.
    return [`${key}: ${JSON.stringify(value).replaceAll('>', '\\u003e')}`];
  });
  return said.length === 0 ? `- ${line}` : `- ${line} ${ATTRIBUTE_COMMENT} {${said.join(', ')}} -->`;
}

/** Below the last line of the section of that name; without one, at the end under a new heading. */
function insert(text: string, topic: string, item: string): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  if (text.trim() === '') return `${text}# ${topic}${end}${end}${item}${end}`;
  const lines = text.split('\n');
  const heading = lines.findIndex((line) => titleOf(line)?.toLowerCase() === topic.toLowerCase());
  if (heading < 0) {
    const gap = text.endsWith('\n') ? end : `${end}${end}`;
    return `${text}${gap}## ${topic}${end}${end}${item}${end}`;
  }
  const next = lines.findIndex((line, at) => at > heading && titleOf(line) !== undefined);
  let last = (next < 0 ? lines.length : next) - 1;
  while (last > heading && lines[last]?.trim() === '') last -= 1;
  const before = lines.slice(0, last + 1).join('\n');
  const after = lines.slice(last + 1);
  const isEmptySection = last === heading;
  const isListed = /^\s*(?:[-*+]|\d+[.)])\s|^\s{2,}\S/.test(lines[last] ?? '');
  const start = before.endsWith('\r') || end === '\n' ? '\n' : '\r\n';
  const gap = isListed && !isEmptySection ? '' : end;
  const rest = after.length === 0 ? end : `${end === '\r\n' ? '\r' : ''}\n${after.join('\n')}`;
  return `${before}${start}${gap}${item}${rest}`;
}

function titleOf(line: string): string | undefined {
  return /^ {0,3}#{1,6}\s+(.*?)\s*#*\s*$/.exec(line)?.[1];
}
