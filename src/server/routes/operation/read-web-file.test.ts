import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readWebFile } from './serve-web.ts';

const SCRIPT = 'console.log("chat");\n'.repeat(100);
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'candor-web-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'manifest.json'), '{}');
  writeFileSync(join(folder, 'assets', 'small-a1_B.css'), 'a {}');
  writeFileSync(join(folder, 'assets', 'chat-a1-B.js.br'), brotliCompressSync(SCRIPT));
  writeFileSync(join(folder, 'secret.js'), 'none of it');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a packed file', () => {
  it.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip;q=1.0, deflate, BR;q=0.5', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
    ['br;q=0.00,gzip;q=0', undefined, Buffer.from],
    ['brotli', undefined, Buffer.from],
    ['', undefined, Buffer.from],
  ] as const)('for %j comes as %s, each time', async (accepted, encoding, unpack) => {
    for (const _ of [1, 2]) {
      const file = await readWebFile(folder, 'assets/chat-a1-B.js', accepted);
      expect(file).toMatchObject({ type: 'text/javascript; charset=utf-8' });
      expect(file?.encoding).toBe(encoding);
      expect(unpack(file?.body ?? new Uint8Array()).toString()).toBe(SCRIPT);
    }
  });
});

it.each([
  ['index.html', 'text/html; charset=utf-8'],
  ['assets/small-a1_B.css', 'text/css; charset=utf-8'],
])('%s was not packed and comes as it is', async (name, type) => {
  expect(await readWebFile(folder, name, 'br')).toMatchObject({ type });
  expect((await readWebFile(folder, name, 'br'))?.encoding).toBeUndefined();
});

it.each([
  'nothing.js',
  'manifest.json',
  'assets',
  'assets/',
  'assets/../secret.js',
  'assets/%2e%2e/secret.js',
  'assets/../../secret.js',
  '/secret.js',
  'index.html/x.js',
  'assets/chat-a1-B.js.br',
])('%j is no file of the chat', async (name) => {
  expect(
    await readWebFile(join(folder, name.includes('../../') ? 'assets' : ''), name, 'br'),
  ).toBeUndefined();
});
