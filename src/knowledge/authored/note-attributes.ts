import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import { openYaml, type YamlSource } from '../files/yaml-source.ts';

const NAMES = z.array(z.string().min(1));
const KIND = z.enum(['background', 'data', 'preference']);

/** What may be said of notes, at the head of a file or behind one note. */
export const NOTE_ATTRIBUTES = z.strictObject({
  kind: KIND.optional(),
  areas: NAMES.optional(),
  tables: NAMES.optional(),
  columns: NAMES.optional(),
  user: z.string().min(1).optional(),
  by: z.string().min(1).optional(),
  at: z.iso.date('expected a day, YYYY-MM-DD').optional(),
  /** Said in a conversation and not reviewed yet. */
  proposed: z.literal(true).optional(),
  /** The word that stands for `meaning` in questions, once it is reviewed in everybody's. */
  term: z.string().min(1).max(200).optional(),
  meaning: z.string().min(1).max(200).optional(),
});
export type NoteAttributes = z.infer<typeof NOTE_ATTRIBUTES>;

const FILE_ATTRIBUTES = NOTE_ATTRIBUTES.extend({
  kind: z.enum([...KIND.options, 'jargon']).optional(),
});
export type FileAttributes = z.infer<typeof FILE_ATTRIBUTES>;

export interface NoteFile {
  readonly attributes: FileAttributes;
  /** Below the front matter. */
  readonly lines: readonly string[];
  /** Number of the first of them. */
  readonly firstLine: number;
}

/** Splits a Markdown file into its front matter, between lines of `---`, and the rest. Throws `knowledge.invalid`. */
export function readFrontMatter(text: string, file: string): NoteFile {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (lines[0]?.trimEnd() !== '---') return { attributes: {}, lines, firstLine: 1 };
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === '---');
  if (end < 0)
    throw new CandorError(
      'knowledge.invalid',
      `${file}:1:1: expected a second line of --- to end the front matter`,
    );
  // The empty line stands for the first one, so that places are those of the file.
  const source = openKnowledgeYaml(`\n${lines.slice(1, end).join('\n')}`, file);
  const attributes = source.value == null ? {} : source.check(FILE_ATTRIBUTES, source.value, []);
  return { attributes, lines: lines.slice(end + 1), firstLine: end + 2 };
}

/** Opens YAML that people write in `knowledge/`; faults throw `knowledge.invalid`. */
export function openKnowledgeYaml(text: string, file: string): YamlSource {
  try {
    return openYaml(text, file, { code: 'knowledge.invalid' });
  } catch (error) {
    // The parser calls itself for each level.
    if (!(error instanceof RangeError)) throw error;
    throw new CandorError('knowledge.invalid', `${file}:1:1: nested too deeply; expected a few levels`);
  }
}
