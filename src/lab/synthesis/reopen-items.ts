import { stat } from 'node:fs/promises';
import { CandorError } from '../../errors.ts';
import { reopenRecordLines } from '../evaluation/record-lines.ts';
import { BENCH_ITEM, type BenchItem } from './bench-item.ts';

/**
 * What a run that stopped has written; nothing where there is no file. One that is there is never written over: without
 * `resume` it throws `bench.file-exists`. `faultOf` says why an item is of another run, which throws `eval.run-invalid`.
 */
export async function reopenItems(
  file: string,
  resume: boolean,
  faultOf: (item: BenchItem) => string | undefined,
): Promise<readonly BenchItem[]> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size === 0) return [];
  if (!resume) throw new CandorError('bench.file-exists', `${file} is there already.`);
  return reopenRecordLines(file, BENCH_ITEM, faultOf);
}
