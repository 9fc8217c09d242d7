import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Table } from '../../catalog/index.ts';
import { type Authored, type Sight, withoutHidden } from '../authored/authored.ts';
import { type DescribedTable, type Guess, SURENESS } from '../authored/described.ts';
import { openKnowledgeYaml } from '../authored/note-attributes.ts';

export const DESCRIBED_FILE = 'described.yml';
/** A warehouse has tens of thousands of columns. */
export const MOST_DESCRIBED_BYTES = 20_000_000;

/** Of one text, in the file and in what a model says. */
const MOST_GUESS_CHARACTERS = 300;
const MOST_BECAUSE_CHARACTERS = 200;

const NAME = z.string().min(1).max(1_000);
const SAYS = z.strictObject({
  of: NAME,
  value: z.string().max(1_000).optional(),
  is: z.string().min(1).max(MOST_GUESS_CHARACTERS),
  sure: z.enum(SURENESS),
  because: z.string().max(MOST_BECAUSE_CHARACTERS).optional(),
});
const TABLE = z.strictObject({
  table: NAME,
  by: z.string().min(1),
  at: z.iso.date('expected a day, YYYY-MM-DD'),
  catalog: z.string().min(1),
  private: z.literal(true).optional(),
  says: z.array(SAYS).nullish(),
  unknown: z.array(NAME).nullish(),
  rejected: z.array(NAME).nullish(),
});
const FILE = z.strictObject({ tables: z.array(z.unknown()).nullish() });

export type WrittenTable = z.infer<typeof TABLE>;

/** Reads the text; `file` is the name that errors show. Throws `knowledge.invalid` with file, line and column. */
export function readDescribed(text: string, file: string): readonly DescribedTable[] {
  const source = openKnowledgeYaml(text, file);
  if (source.value == null) return [];
  const { tables } = source.check(FILE, source.value, []);
  const seen = new Set<string>();
  return (tables ?? []).map((value, index) => {
    const path = ['tables', index];
    const written = source.check(TABLE, value, path);
    if (seen.has(written.table)) throw source.fault(path, `${written.table} stands twice`);
    seen.add(written.table);
    return describedTable(written, source.placeOf(path));
  });
}

function describedTable({ says, private: isPrivate, ...entry }: WrittenTable, place: string): DescribedTable {
  const guesses = (says ?? []).map(({ is, ...about }): Guess => ({ ...about, text: is }));
  return {
    ...{ table: entry.table, by: entry.by, at: entry.at, catalog: entry.catalog },
    isPrivate,
    guesses,
    unknown: entry.unknown ?? [],
    rejected: entry.rejected ?? [],
    place,
  };
}

/** As the file spells it. */
export function writtenTable({
  guesses,
  isPrivate,
  unknown,
  rejected,
  ...entry
}: DescribedTable): WrittenTable {
  return {
    ...{ table: entry.table, by: entry.by, at: entry.at, catalog: entry.catalog },
    private: isPrivate,
    says: guesses.map(({ of, value, text, sure, because }) => ({ of, value, is: text, sure, because })),
    unknown: unknown.length === 0 ? undefined : [...unknown],
    rejected: rejected.length === 0 ? undefined : [...rejected],
  };
}

/** Changes with the columns of a table and their types, not with its rows. */
export function tableState({ columns }: Table): string {
  const declared = columns.map(({ id, type }) => [id, type]);
  return createHash('sha256').update(JSON.stringify(declared)).digest('hex').slice(0, 12);
}

/**
 * What somebody may be told of what a model guessed: of tables in view, in texts that name no hidden one, and in private
 * mode only what was said by a model that was shown no cell.
 */
export function visibleGuesses(
  { described }: Pick<Authored, 'described'>,
  sight: Sight,
  { isPrivate }: { readonly isPrivate: boolean },
): Authored['described'] {
  const inView = new Set(sight.catalog.tables.map(({ id }) => id));
  const isTold = (text: string): boolean => withoutHidden([text], sight).length > 0;
  return described
    ?.filter((entry) => inView.has(entry.table) && (!isPrivate || entry.isPrivate === true))
    .map((entry) => ({ ...entry, guesses: entry.guesses.filter(({ text }) => isTold(text)) }));
}
