/** The trained models that come with Candor, which rate the readings of a question. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { decodeModelFile, makeScorer, type TreeScorer } from '../../../boosting/index.ts';
import { CandorError } from '../../../errors.ts';
import { once } from '../../../lib/index.ts';
import { readSoftmaxModel, type SoftmaxModel } from '../../../softmax/index.ts';
import { SHAPE_PARTS, type ShapePart } from './query-traits.ts';
import type { RatingModels } from './rate-candidates.ts';
import { READING_FEATURES } from './reading-features.ts';

/** Written by `candor train engine`. */
export const RATING_FILES = {
  shape: (part: ShapePart) => `${part}.softmax`,
  roles: 'roles.softmax',
  readings: 'readings.trees',
} as const;

/** In the folder of what is derived from a database. */
export const PROJECT_RATING_FILE = 'engine-readings.trees';

const readShipped = once(() => readRatingModels(new URL('./models/', import.meta.url)));

/**
 * The models that come with Candor, read at the first call, about 100 ms, and beside them what a project has trained, where its
 * file is there. Throws `boosting.model-invalid` or `softmax.model-invalid` when a file is damaged or not of this version,
 * `engine.model-missing` when one that comes with Candor is not there.
 */
export async function openRatingModels(ownFile?: string): Promise<RatingModels> {
  const [known, text] = await Promise.all([
    readShipped(),
    ownFile === undefined ? undefined : readIfThere(ownFile),
  ]);
  return text === undefined ? known : { ...known, own: readForest(text, ownFile ?? PROJECT_RATING_FILE) };
}

async function readIfThere(file: string | URL): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

function readForest(text: string, file: string): TreeScorer {
  return makeScorer(decodeModelFile(text, file, { features: READING_FEATURES }).model);
}

/** Reads the models of a folder; its URL ends with a slash. */
export async function readRatingModels(folder: URL): Promise<RatingModels> {
  const read = async (file: string): Promise<string> => {
    const text = await readIfThere(new URL(file, folder));
    if (text !== undefined) return text;
    throw new CandorError('engine.model-missing', `${file} is missing in ${fileURLToPath(folder)}`);
  };
  const softmax = async (file: string): Promise<SoftmaxModel> =>
    readSoftmaxModel(await read(file), file).model;
  const shapes = await Promise.all(
    SHAPE_PARTS.map(async (part) => [part, await softmax(RATING_FILES.shape(part))] as const),
  );
  return {
    asked: {
      shapes: Object.fromEntries(shapes) as Record<ShapePart, SoftmaxModel>,
      roles: await softmax(RATING_FILES.roles),
    },
    readings: readForest(await read(RATING_FILES.readings), RATING_FILES.readings),
  };
}
