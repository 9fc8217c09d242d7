/** Builds an index from the file of values, one table in memory at a time. */
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { CandorError } from '../../errors.ts';
import { readStoredValues } from '../derived/stored-values.ts';
import { type BuildIndexOptions, IndexBuilder } from './build-index.ts';

export interface BuildTask extends Pick<BuildIndexOptions, 'parameters' | 'origin'> {
  readonly path: string;
  /** Of the lines of the file. */
  readonly hash: string;
}

/** Reading takes about this part of a build. */
const READING_SHARE = 0.5;

/** Throws `catalog.stale` when the file is not the one that the hash is of. */
export async function buildFromFile(
  { path, hash, parameters, origin }: BuildTask,
  onProgress: (share: number) => void = () => {},
): Promise<Uint8Array> {
  const { size } = await stat(path);
  const builder = new IndexBuilder({
    parameters,
    origin,
    onProgress: (share) => onProgress(READING_SHARE + share * (1 - READING_SHARE)),
  });
  const read = createHash('sha256');
  for await (const { columns, end, hash: ofLine } of readStoredValues(path)) {
    read.update(ofLine ?? 'damaged');
    for (const column of columns) builder.add(column);
    onProgress((READING_SHARE * end) / size);
  }
  if (read.digest('hex').slice(0, hash.length) !== hash)
    throw new CandorError('catalog.stale', `${path} is damaged or was changed`);
  const file = builder.finish();
  onProgress(1);
  return file;
}
