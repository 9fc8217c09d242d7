/** Sets of questions with the tables and columns they need, read from the folder of benchmark data. */
import type { LinkSet, LinkSetName } from './sets/link-set.ts';
import { readAmbiDb } from './sets/read-ambidb.ts';
import { readBird } from './sets/read-bird.ts';
import { readBirdTrain } from './sets/read-bird-train.ts';
import { readSnow } from './sets/read-snow.ts';
import { readSpiderLinks } from './sets/read-spider-links.ts';
import type { LinkSetOptions } from './sets/set-options.ts';

/** For training only: no figure is of them. */
export type LinkTrainingSetName = 'bird-train' | 'spider-train';

/**
 * Reads one set; `only` names databases. Throws `eval.data-missing` with the place where its files were expected.
 * `(await readLinkSet('bird', { dataDirectory })).cases.length` → 1534
 */
export function readLinkSet(
  name: LinkSetName | LinkTrainingSetName,
  options: LinkSetOptions,
): Promise<LinkSet> {
  return READERS[name](options);
}

const READERS: Readonly<
  Record<LinkSetName | LinkTrainingSetName, (options: LinkSetOptions) => Promise<LinkSet>>
> = {
  bird: readBird,
  'bird-train': readBirdTrain,
  spider: (options) => readSpiderLinks('spider', options),
  'spider-train': (options) => readSpiderLinks('spider-train', options),
  snow: readSnow,
  ambidb: readAmbiDb,
};
