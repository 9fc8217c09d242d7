import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { MINILM, whyNoMiniLm } from '../../scripts/minilm.ts';
import { cached, openEmbeddingModel } from '../../src/model/index.ts';
import { behavesLikeEmbeddingModel } from './embedding-model.ts';
import { type EmbeddingServer, startEmbeddingServer } from './embedding-server.ts';
import { makeTinyModel } from './tiny-onnx.ts';

const missing = await whyNoMiniLm();
let folder = '';
let server: EmbeddingServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-embedding-'));
  server = await startEmbeddingServer();
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

behavesLikeEmbeddingModel('hashed', {
  open: () => openEmbeddingModel({ embedding: 'hashed' }),
});

behavesLikeEmbeddingModel('built-in', {
  open: () => openEmbeddingModel({ embedding: 'built-in' }),
});

behavesLikeEmbeddingModel('a cached built-in', {
  open: async () => cached(await openEmbeddingModel({ embedding: 'built-in' }), 3),
});

behavesLikeEmbeddingModel('an OpenAI-compatible service', {
  open: () => openEmbeddingModel({ embedding: 'openai:hashed', url: server.url }),
});

describe.skipIf(missing !== null)(missing === null ? 'ONNX' : `ONNX, skipped: ${missing}`, () => {
  behavesLikeEmbeddingModel('all-MiniLM-L6-v2', {
    open: () => openEmbeddingModel({ ...MINILM, embedding: `onnx:${MINILM.folder}` }),
  });

  behavesLikeEmbeddingModel('a tiny model', {
    open: async () => {
      const place = join(folder, 'tiny');
      await makeTinyModel(place);
      return openEmbeddingModel({ ...MINILM, embedding: `onnx:${place}` });
    },
  });
});
