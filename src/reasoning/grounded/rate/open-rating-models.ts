/** The trained models that come with Candor, which rate the readings of a question. */
import { fileURLToPath } from 'node:url';
import { decodeModelFile, makeScorer, type TreeScorer } from '../../../boosting/index.ts';
import { CandorError } from '../../../errors.ts';
import { once } from '../../../lib/index.ts';
import { decodeSoftmaxModels, type SoftmaxModel } from '../../../softmax/index.ts';
import { readBytesIfThere } from '../../../store/index.ts';
import { SHAPE_PARTS, type ShapePart } from './query-traits.ts';
import type { RatingModels } from './rate-candidates.ts';
import { READING_FEATURES } from './reading-features.ts';

/** Written by `candor train engine`. */
export const RATING_FILES = {
  /** A model a part of a query's shape, and one of what words are for. */
  asked: 'asked.softmax',
  readings: 'readings.trees',
} as const;

/** In the folder of what is derived from a database. */
export const PROJECT_RATING_FILE = 'engine-readings.trees';

const readShipped = once(() => readRatingModels(new URL('./models/', import.meta.url)));

/**
 * The models that come with Candor, read at the first call, and beside them what a project has trained, where its
 * file is there. Throws `boosting.model-invalid` or `softmax.model-invalid` when a file is damaged or not of this version,
 * `engine.model-missing` when one that comes with Candor is not there.
 */
export async function openRatingModels(ownFile?: string): Promise<RatingModels> {
  const [known, own] = await Promise.all([
    readShipped(),
    ownFile === undefined ? undefined : readBytesIfThere(ownFile),
  ]);
  return own === undefined ? known : { ...known, own: readForest(own, ownFile ?? PROJECT_RATING_FILE) };
}

function readForest(bytes: Uint8Array, file: string): TreeScorer {
  return makeScorer(decodeModelFile(bytes, file, { features: READING_FEATURES }).model);
}

/** Reads the models of a folder; its URL ends with a slash. */
export async function readRatingModels(folder: URL): Promise<RatingModels> {
  const read = async (file: string): Promise<Uint8Array> => {
    const bytes = await readBytesIfThere(fileURLToPath(new URL(file, folder)));
    if (bytes !== undefined) return bytes;
    throw new CandorError('engine.model-missing', `${file} is missing in ${fileURLToPath(folder)}`);
  };
  const [asked, readings] = await Promise.all([read(RATING_FILES.asked), read(RATING_FILES.readings)]);
  const { models } = decodeSoftmaxModels(asked, RATING_FILES.asked);
  const of = (name: string): SoftmaxModel => {
    const model = models[name];
    if (model !== undefined) return model;
    throw new CandorError('softmax.model-invalid', `${RATING_FILES.asked} has no model called ${name}`);
  };
  return {
    asked: {
      shapes: Object.fromEntries(SHAPE_PARTS.map((part) => [part, of(part)])) as Record<
        ShapePart,
        SoftmaxModel
      >,
      roles: of('roles'),
    },
    readings: readForest(readings, RATING_FILES.readings),
  };
}
