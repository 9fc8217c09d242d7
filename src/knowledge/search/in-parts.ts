/** Long work in parts: between two of them the program does other things, and notices that it was stopped. */
import { setImmediate as breathe } from 'node:timers/promises';
import type { StateFile } from '../../store/index.ts';

const ROWS_AT_ONCE = 2_000;

/**
 * Walks over a temporary table that was made by `CREATE TABLE … AS`, whose rows are numbered from 1: `work` gets the
 * first and the last row number of each part. Throws what the signal was aborted with.
 */
export async function inParts(
  file: StateFile,
  table: string,
  options: { readonly work: (first: number, last: number) => void; readonly signal: AbortSignal | undefined },
): Promise<void> {
  const count = Number(file.statement(`SELECT COUNT(*) AS n FROM temp.${table}`).get()?.n);
  for (let first = 1; first <= count; first += ROWS_AT_ONCE) {
    options.work(first, first + ROWS_AT_ONCE - 1);
    await breathe();
    options.signal?.throwIfAborted();
  }
}
