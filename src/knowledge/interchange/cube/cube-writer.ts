import type { FileModel } from '../../semantic/semantic-file.ts';
import type { Loss } from '../conversion.ts';

/** What writing one model needs beside the model. */
export interface CubeWriter {
  readonly model: FileModel;
  readonly losses: Loss[];
  /** Names of cubes by our names of datasets. */
  readonly cubes: ReadonlyMap<string, string>;
}
