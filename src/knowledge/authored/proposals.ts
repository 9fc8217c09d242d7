/** What people say in conversations that is to be known: kept for its author at once, for everybody after a review. */
import { basename, join } from 'node:path';
import { CandorError } from '../../errors.ts';
import { changeFile, readBoundedText } from '../files/authored-files.ts';
import { LEARNED_FILE, learnAnswer } from '../semantic/learn-answer.ts';
import type { SemanticModel } from '../semantic/semantic-model.ts';
import { addNote } from './add-note.ts';
import { isNoteFor, type Note } from './authored.ts';
import { ATTRIBUTE_COMMENT } from './markdown-blocks.ts';
import { readNotes } from './read-notes.ts';

export const PROPOSED_FILE = 'proposed.md';
const TOPIC = 'Proposed';

/** Of one proposal: a rule in a sentence or two. */
const MOST_PROPOSED_CHARACTERS = 500;
/** That wait for a review, of one author: prompts show all of them to their author. */
const MOST_OPEN = 50;

export interface NewProposal {
  readonly text: string;
  /** Ids of tables that it names. */
  readonly tables: readonly string[];
  readonly synonym?: { readonly term: string; readonly meaning: string } | undefined;
  /** Whose it is; absent where nobody works here by name. */
  readonly by?: string | undefined;
  /** Day, YYYY-MM-DD. */
  readonly at: string;
}

/** A note that waits for its review. */
export interface Proposal extends Note {
  /** Short, for people to type. */
  readonly key: string;
}

/**
 * Keeps a proposal in `proposed.md` of the folder; the same text of the same author is kept once, and a synonym takes the
 * place of the author's last one for its word. Throws `knowledge.refused`, `knowledge.invalid`.
 */
export async function addProposal(directory: string, proposal: NewProposal): Promise<Proposal> {
  const { text, tables, synonym, by, at } = proposal;
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length > MOST_PROPOSED_CHARACTERS)
    throw new CandorError(
      'knowledge.refused',
      `This has ${line.length} characters; ${MOST_PROPOSED_CHARACTERS} are allowed: say it shorter, or write a note into a file.`,
    );
  const own = (await readProposals(directory)).filter(({ user }) => user === by);
  const same = own.find((one) => one.text === line);
  if (same !== undefined) return same;
  if (own.length >= MOST_OPEN)
    throw new CandorError(
      'knowledge.refused',
      `${MOST_OPEN} proposals of yours wait for a review already; have them reviewed or withdraw some first.`,
    );
  const older = synonym && own.find((one) => isSame(one.synonym?.term, synonym.term));
  if (older !== undefined) await dropProposal(directory, older.key);
  await addNote(directory, {
    text: line,
    topic: TOPIC,
    kind: tables.length > 0 ? 'data' : 'background',
    tables: [...tables],
    user: by,
    by,
    at,
    proposed: true,
    ...synonym,
  });
  const kept = (await readProposals(directory)).find((one) => one.text === line && one.user === by);
  if (kept === undefined)
    throw new CandorError('knowledge.refused', 'This text would not be read back as one note.');
  return kept;
}

/** In the order of the file; a missing file has none. Throws `knowledge.invalid`. */
export async function readProposals(directory: string): Promise<readonly Proposal[]> {
  const shown = shownIn(directory);
  return proposalsIn((await readBoundedText(join(directory, PROPOSED_FILE), shown)) ?? '', shown);
}

/** Takes one out of the file, by its key. Throws `knowledge.refused` where there is none, or it was edited into several lines. */
export async function dropProposal(directory: string, key: string): Promise<Proposal> {
  const shown = shownIn(directory);
  let dropped: Proposal | undefined;
  await changeFile(join(directory, PROPOSED_FILE), shown, (text) => {
    const before = proposalsIn(text, shown);
    const proposal = withKey(before, key, shown);
    const lines = text.split('\n');
    const [line = ''] = lines.splice(Number(proposal.place.slice(shown.length + 1)) - 1, 1);
    // What was edited into several lines would leave some of them to its neighbour.
    if (!line.includes(ATTRIBUTE_COMMENT))
      throw new CandorError(
        'knowledge.refused',
        `${proposal.place} is more than one line; change it by hand.`,
      );
    const changed = lines.join('\n');
    if (proposalsIn(changed, shown).length !== before.length - 1)
      throw new CandorError('knowledge.refused', `${proposal.place} cannot be taken out; change it by hand.`);
    dropped = proposal;
    return changed;
  });
  if (dropped === undefined) throw noSuch(key, shown);
  return dropped;
}

/** Where what people write lies. */
export interface KnowledgeFolders {
  readonly knowledge: string;
  readonly semantics: string;
}

/** The one that waits under this key. Throws `knowledge.refused` where none does. */
export async function findProposal(directory: string, key: string): Promise<Proposal> {
  return withKey(await readProposals(directory), key, shownIn(directory));
}

/** The file that a proposal goes into when it becomes everybody's. */
export function reviewedFile({ knowledge, semantics }: KnowledgeFolders, { synonym }: Proposal): string {
  return synonym === undefined ? join(knowledge, 'notes.md') : join(semantics, LEARNED_FILE);
}

/**
 * Writes a proposal down for everybody, still said by its author: a synonym into the semantic model, all else among the
 * notes. It goes on waiting until it is dropped. Throws `knowledge.refused`, `knowledge.invalid`, `semantics.invalid`.
 */
export async function publishProposal(
  { knowledge, semantics }: KnowledgeFolders,
  { text, synonym, tables, by, at }: Proposal,
): Promise<string> {
  if (synonym !== undefined) return learnAnswer(semantics, { as: 'synonym', ...synonym });
  return `${basename(knowledge)}/${await addNote(knowledge, { text, tables: [...tables], by, at })}`;
}

/**
 * The model of the words with the synonyms that a reader has proposed, which come before everybody's, and with nobody
 * else's.
 */
export function withProposedSynonyms(
  semantics: SemanticModel,
  notes: readonly Note[],
  reader: string | undefined,
): SemanticModel {
  const own = notes.flatMap((note) =>
    note.isProposed && note.synonym && isNoteFor(note, reader)
      ? [{ ...note.synonym, isProposed: true as const }]
      : [],
  );
  const reviewed = semantics.jargon.filter(({ isProposed }) => isProposed !== true);
  if (own.length === 0 && reviewed.length === semantics.jargon.length) return semantics;
  return { ...semantics, jargon: [...own, ...reviewed] };
}

function proposalsIn(text: string, shown: string): readonly Proposal[] {
  return readNotes(text, shown)
    .notes.filter(({ isProposed }) => isProposed)
    .map((note) => ({ ...note, key: note.id.slice(note.id.indexOf('#') + 1) }));
}

function withKey(proposals: readonly Proposal[], key: string, shown: string): Proposal {
  const found = proposals.find((one) => one.key === key);
  if (found === undefined) throw noSuch(key, shown);
  return found;
}

function noSuch(key: string, shown: string): CandorError {
  return new CandorError('knowledge.refused', `No proposal ${key} waits in ${shown}.`);
}

function shownIn(directory: string): string {
  return `${basename(directory)}/${PROPOSED_FILE}`;
}

function isSame(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}
