import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../../test/fixtures/code-of.ts';
import { findHubModel, readHubId } from './download-hub-model.ts';

const COMMIT = 'a'.repeat(40);
const MODEL = { organisation: 'acme', name: 'tiny', revision: 'main' };

let home: string;
let cache: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'candor-hf-'));
  cache = join(home, 'hub', 'models--acme--tiny');
  await mkdir(join(cache, 'refs'), { recursive: true });
  await mkdir(join(cache, 'snapshots', COMMIT, 'onnx'), { recursive: true });
  await writeFile(join(cache, 'refs', 'main'), `${COMMIT}\n`);
  await writeFile(join(cache, 'refs', 'gone'), 'b'.repeat(40));
  await writeFile(join(cache, 'refs', 'odd'), '../../../elsewhere');
  await writeFile(join(cache, 'snapshots', COMMIT, 'onnx', 'model.onnx'), '');
});
afterAll(() => rm(home, { recursive: true, force: true }));

describe('an id of the hub', () => {
  it.each([
    ['sentence-transformers/all-MiniLM-L6-v2', 'sentence-transformers', 'all-MiniLM-L6-v2', 'main'],
    ['acme/tiny@v1.0', 'acme', 'tiny', 'v1.0'],
  ])('%s is one', (text, organisation, name, revision) => {
    expect(readHubId(text)).toEqual({ organisation, name, revision });
  });

  it.each([
    'tiny',
    './acme/tiny',
    '../tiny',
    '/acme/tiny',
    'a/b/c',
    'a/..',
    'a/b@../x',
    'a\\b',
    'a/b@',
    'a /b',
    '',
  ])('%j is none', (text) => expect(readHubId(text)).toBeUndefined());
});

describe("the hub's cache on this machine", () => {
  it('is looked into by revision and by commit', async () => {
    const snapshot = join(cache, 'snapshots', COMMIT);
    expect(await findHubModel(home, MODEL)).toBe(snapshot);
    expect(await findHubModel(home, { ...MODEL, revision: COMMIT })).toBe(snapshot);
  });

  it.each(['unknown', 'gone', 'c'.repeat(40)])('does not have the revision %s', async (revision) => {
    expect(await findHubModel(home, { ...MODEL, revision })).toBeUndefined();
  });

  it('does not have what was never fetched', async () => {
    expect(await findHubModel(home, { ...MODEL, name: 'other' })).toBeUndefined();
  });

  it('is not followed to elsewhere', async () => {
    expect(await codeOf(findHubModel(home, { ...MODEL, revision: 'odd' }))).toBe('model.invalid');
  });
});
