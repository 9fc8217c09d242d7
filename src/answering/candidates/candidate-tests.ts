/** Tests before SQL: what a right query must pass is written before any is seen, and each draft is held to it. */
import { valueTexts } from '../../catalog/share/index.ts';
import { isUnusableReply } from '../../reasoning/roles/index.ts';
import type { WriteQuestion, WriteReasoner } from '../../reasoning/roles/write-reasoner.ts';
import type { Draft } from './generate-candidates.ts';

const SHOWN_ROWS = 5;
const CELL_CHARACTERS = 60;

export interface WrittenTests {
  readonly tests: readonly string[];
  /** What became of them, for people. */
  readonly notes: readonly string[];
}

export const NO_TESTS: WrittenTests = { tests: [], notes: [] };

/** Tests help to choose; a model that cannot write any does not cost the answer. Throws `model.*` but for that. */
export async function writeTests(question: WriteQuestion, writer: WriteReasoner): Promise<WrittenTests> {
  try {
    const tests = await writer.writeTests(question);
    return { tests, notes: [`held to ${tests.length} tests`] };
  } catch (error) {
    if (!isUnusableReply(error)) throw error;
    return { tests: [], notes: [`held to no tests: ${error.message}`] };
  }
}

/**
 * The share of tests that each sound draft passes, by its index; empty where nothing is to be decided. In private mode the
 * judge sees the queries without their rows. Source: ThothAI, section 12.
 */
export async function judgeByTests(
  question: WriteQuestion,
  drafts: readonly Draft[],
  tests: readonly string[],
  writer: WriteReasoner,
): Promise<ReadonlyMap<number, number>> {
  const sound = drafts.filter(({ verdict, error }) => verdict.ok && error === undefined);
  if (sound.length < 2 || tests.length === 0) return new Map();
  const { sharing = 'all' } = writer;
  const judged = await writer.judgeTests(
    question,
    sound.map((draft) => {
      const [result] = valueTexts(draft.result === undefined ? [] : [rowsText(draft.result)], sharing);
      return { sql: draft.sql, ...(result !== undefined && { result }) };
    }),
    tests,
  );
  return new Map(
    sound.map(({ index }, at) => {
      const passed = judged[at] ?? [];
      return [index, passed.filter(Boolean).length / tests.length] as const;
    }),
  );
}

function rowsText({ columns, rows }: NonNullable<Draft['result']>): string {
  const shown = rows.slice(0, SHOWN_ROWS).map((row) => row.map(cellText).join(' | '));
  const more = rows.length > SHOWN_ROWS ? [`(${rows.length} rows)`] : [];
  return [columns.join(' | '), ...shown, ...more].join('\n');
}

function cellText(cell: unknown): string {
  if (cell instanceof Uint8Array) return `${cell.length} bytes`;
  const text = String(cell);
  return text.length > CELL_CHARACTERS ? `${text.slice(0, CELL_CHARACTERS)}…` : text;
}
