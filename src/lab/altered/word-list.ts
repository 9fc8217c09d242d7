/** The words that are put into questions, by class. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import { orYamlFault } from '../../text/index.ts';
import { DEFAULT_WORDS } from './default-words.ts';

export const WORD_CLASSES = ['noun', 'adjective', 'place', 'person', 'organisation'] as const;
export type WordClass = (typeof WORD_CLASSES)[number];

export type WordList = Readonly<Record<WordClass, readonly string[]>> & {
  /** Words and phrases with what may stand in their place. */
  readonly synonyms: Readonly<Record<string, readonly string[]>>;
};

const WORD = z
  .string()
  .max(60)
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}' -]*$/u, 'a word is of letters, digits, spaces, hyphens');
const WORDS = z.array(WORD).min(1).max(10_000);
const FILE = z.strictObject({
  noun: WORDS.optional(),
  adjective: WORDS.optional(),
  place: WORDS.optional(),
  person: WORDS.optional(),
  organisation: WORDS.optional(),
  synonyms: z.record(WORD, WORDS).optional(),
});

/**
 * Reads a file such as `{ noun: [trombone], place: [Atlantis], synonyms: { customer: [client] } }`, YAML or JSON. A class that it lacks
 * is taken from the list that ships. Throws `eval.words-invalid`.
 */
export async function readWordList(path: string | undefined): Promise<WordList> {
  if (path === undefined) return DEFAULT_WORDS;
  const fault = (why: string, cause?: unknown): CandorError =>
    new CandorError('eval.words-invalid', `${path}: ${why}`, { cause });
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw fault('it cannot be read', cause);
  });
  const read = FILE.safeParse(parseYaml(text, fault));
  if (!read.success) throw fault(z.prettifyError(read.error).replaceAll('\n', ' '));
  return { ...DEFAULT_WORDS, ...withoutAbsent(read.data) };
}

function parseYaml(text: string, fault: (why: string, cause?: unknown) => CandorError): unknown {
  return orYamlFault(
    () => {
      try {
        return parse(text);
      } catch (cause) {
        if (cause instanceof Error && cause.name === 'YAMLParseError') throw fault(cause.message, cause);
        throw cause;
      }
    },
    (why) => fault(why),
  );
}

function withoutAbsent(read: z.infer<typeof FILE>): Partial<WordList> {
  return Object.fromEntries(Object.entries(read).filter(([, words]) => words !== undefined));
}

/** Short enough to stand in every record of a run. */
export function fingerprintWords(words: WordList): string {
  return createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, 12);
}
