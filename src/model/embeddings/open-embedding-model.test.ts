import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTinyModel } from '../../../test/conformance/tiny-onnx.ts';
import { openEmbeddingModel } from '../index.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-open-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('an embedding', () => {
  it.each(['', 'none', 'minilm', 'openai', 'openai:', 'openai: ', 'onnx:', 'hashed:512', 'Built-In'])(
    'called %j is not known, and those that are known are listed',
    async (embedding) => {
      const opening = openEmbeddingModel({ embedding, cacheDirectory: folder });
      await expect(opening).rejects.toMatchObject({
        code: 'model.unknown',
        message: `no embedding is called ${JSON.stringify(embedding)}; known are built-in, hashed, openai:<model>, onnx:<folder or hub id>`,
      });
    },
  );

  it('in ONNX form names the line that installs its runtime', async () => {
    const settings = { embedding: 'onnx:acme/tiny', cacheDirectory: folder, packageDirectory: folder };
    await expect(openEmbeddingModel(settings)).rejects.toMatchObject({
      code: 'model.package-missing',
      message: expect.stringContaining('npm install --save-exact --ignore-scripts onnxruntime-node@1.30.0'),
    });
  });

  it('in ONNX form is fetched only where there is a folder for it', async () => {
    const packageDirectory = join(folder, 'any');
    const place = join(packageDirectory, 'node_modules', 'onnxruntime-node');
    await mkdir(place, { recursive: true });
    await writeFile(join(place, 'index.js'), '');
    const settings = { embedding: 'onnx:acme/tiny', projectDirectory: folder, packageDirectory };
    await expect(openEmbeddingModel(settings)).rejects.toMatchObject({
      code: 'model.not-found',
      message: `there is no folder ${join(folder, 'acme', 'tiny')}, and nothing is fetched here`,
    });
  });

  it.each([
    ['cannot be loaded', 'throw new Error("built for another system");', 'built for another system'],
    ['is another', 'module.exports = {};', 'is not the onnxruntime-node that is known'],
  ])('in ONNX form whose runtime %s says so', async (_, code, message) => {
    const packageDirectory = join(folder, code.length.toString());
    const place = join(packageDirectory, 'node_modules', 'onnxruntime-node');
    await mkdir(place, { recursive: true });
    await writeFile(join(place, 'index.js'), code);
    await makeTinyModel(join(folder, 'tiny'));
    const settings = { embedding: 'onnx:tiny', cacheDirectory: folder, projectDirectory: folder };
    await expect(openEmbeddingModel({ ...settings, packageDirectory })).rejects.toMatchObject({
      code: 'model.package-missing',
      message: expect.stringContaining(message),
    });
  });
});
