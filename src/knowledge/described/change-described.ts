/** Changes `knowledge/described.yml`, an entry at a time; comments of people stay where they are. */
import { basename, join } from 'node:path';
import { isMap, isSeq, parseDocument } from 'yaml';
import { CandorError } from '../../errors.ts';
import { type DescribedTable, type Guess, guessName } from '../authored/described.ts';
import { changeFile, readBoundedText } from '../files/authored-files.ts';
import { DESCRIBED_FILE, MOST_DESCRIBED_BYTES, readDescribed, writtenTable } from './read-described.ts';

const EMPTY = `# Guesses of a language model about what nobody has described, until somebody reviews them:
# candor knowledge described. Prompts and lists mark them as guesses. Yours to edit.
tables: []
`;

/** What one call of a model came to. */
export type NewlyDescribed = Omit<DescribedTable, 'rejected' | 'place'>;

/** In the order of the file; a missing file has none. Throws `knowledge.invalid`. */
export async function readDescribedFile(directory: string): Promise<readonly DescribedTable[]> {
  const shown = shownIn(directory);
  const text = await readBoundedText(join(directory, DESCRIBED_FILE), shown, MOST_DESCRIBED_BYTES);
  return readDescribed(text ?? '', shown);
}

/** Adds what a model says to what is kept of the table: a newer statement takes the place of an older one, and nothing that was rejected comes back. */
export async function keepDescribed(directory: string, described: NewlyDescribed): Promise<void> {
  await changeTable(directory, described.table, (before) => {
    const rejected = before?.rejected ?? [];
    const guesses = described.guesses.filter((guess) => !rejected.includes(guessName(guess)));
    const said = new Set([...guesses.map(guessName), ...described.unknown]);
    // Texts of a run that was shown cells stay what they are when a later run is shown none.
    const isPrivate = described.isPrivate && before?.isPrivate !== undefined ? true : undefined;
    return {
      ...described,
      isPrivate: before === undefined ? described.isPrivate : isPrivate,
      guesses: [...(before?.guesses ?? []).filter((guess) => !said.has(guessName(guess))), ...guesses],
      unknown: [
        ...(before?.unknown ?? []).filter((name) => !said.has(name)),
        ...described.unknown.filter((name) => !rejected.includes(name)),
      ],
      rejected,
      place: '',
    };
  });
}

/** Takes guesses out of the file; those that are rejected are remembered. */
export async function dropGuesses(
  directory: string,
  table: string,
  names: ReadonlySet<string>,
  { isRejected }: { readonly isRejected: boolean },
): Promise<readonly Guess[]> {
  let dropped: readonly Guess[] = [];
  await changeTable(directory, table, (before) => {
    if (before === undefined) throw new CandorError('knowledge.refused', `Nothing waits for ${table}.`);
    dropped = before.guesses.filter((guess) => names.has(guessName(guess)));
    return {
      ...before,
      guesses: before.guesses.filter((guess) => !names.has(guessName(guess))),
      rejected: isRejected ? [...new Set([...before.rejected, ...dropped.map(guessName)])] : before.rejected,
    };
  });
  return dropped;
}

async function changeTable(
  directory: string,
  table: string,
  change: (before: DescribedTable | undefined) => DescribedTable,
): Promise<void> {
  const shown = shownIn(directory);
  const path = join(directory, DESCRIBED_FILE);
  await changeFile(
    path,
    shown,
    (text) => {
      const before = readDescribed(text, shown);
      const changed = withTable(text.trim() === '' ? EMPTY : text, table, {
        at: before.findIndex((one) => one.table === table),
        entry: change(before.find((one) => one.table === table)),
        shown,
      });
      readDescribed(changed, shown);
      return changed;
    },
    MOST_DESCRIBED_BYTES,
  );
}

interface Change {
  /** Below 0: the table is new. */
  readonly at: number;
  readonly entry: DescribedTable;
  readonly shown: string;
}

function withTable(text: string, table: string, { at, entry, shown }: Change): string {
  const document = parseDocument(text);
  const tables = document.get('tables', true);
  const node = document.createNode(withoutAbsent(writtenTable(entry)));
  // One line for each statement: a review reads them one by one.
  const says = node.get('says', true);
  if (isSeq(says)) for (const item of says.items) if (isMap(item)) item.flow = true;
  if (!isSeq(tables) && at >= 0)
    throw new CandorError('knowledge.refused', `${shown} has no list of tables to change ${table} in.`);
  if (!isSeq(tables) || tables.items.length === 0) document.set('tables', document.createNode([node]));
  else if (at < 0) tables.add(node);
  else tables.set(at, node);
  return document.toString({ lineWidth: 0 });
}

/** Keys without a value would be written as nulls. */
function withoutAbsent(entry: ReturnType<typeof writtenTable>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(entry)) as Record<string, unknown>;
}

function shownIn(directory: string): string {
  return `${basename(directory)}/${DESCRIBED_FILE}`;
}
