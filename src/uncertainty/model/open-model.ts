/** The model of a project where it has trained one, else the one that comes with Candor. */
import { readFile } from 'node:fs/promises';
import { CandorError } from '../../errors.ts';
import { once } from '../../lib/index.ts';
import { readBytesIfThere } from '../../store/index.ts';
import { decodeUncertaintyModel } from './model-file.ts';
import type { UncertaintyModel } from './uncertainty-model.ts';

/** Of the file that `candor train uncertainty` writes among the derived files of a project. */
export const PROJECT_MODEL_FILE = 'uncertainty.model';
/** Written by `scripts/train-uncertainty.ts`. */
export const SHIPPED_MODEL_FILE = new URL('./shipped/uncertainty.model', import.meta.url);

/**
 * `path`: where a project's own model may lie. It is read at every call, the shipped one at the first. Throws
 * `uncertainty.model-missing` where Candor came without its model, `uncertainty.model-invalid` for a file that is damaged or of another version: a damaged model of a project is never
 * replaced by the shipped one in silence.
 */
export async function openUncertaintyModel(path?: string): Promise<UncertaintyModel> {
  const own = path === undefined ? undefined : await readBytesIfThere(path);
  if (path !== undefined && own !== undefined) return decodeUncertaintyModel(own, path);
  return readShipped();
}

const readShipped = once(async () =>
  decodeUncertaintyModel(await readShippedModel(), 'the model that comes with Candor'),
);

/** Throws `uncertainty.model-missing`. */
export async function readShippedModel(): Promise<Uint8Array> {
  try {
    return await readFile(SHIPPED_MODEL_FILE);
  } catch (error) {
    throw new CandorError(
      'uncertainty.model-missing',
      'The model of uncertainty that comes with Candor is not there.',
      {
        cause: error,
      },
    );
  }
}
