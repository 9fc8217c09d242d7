import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MINILM, whyNoMiniLm } from '../../../scripts/minilm.ts';
import { makeTinyModel } from '../../../test/conformance/tiny-onnx.ts';
import { CandorError } from '../../errors.ts';
import { openEmbeddingModel } from '../index.ts';
import { type DownloadProgress, downloadHubModel } from './download-hub-model.ts';

const MODEL = { organisation: 'acme', name: 'tiny', revision: 'main' };
const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const missing = await whyNoMiniLm();

type Answer = (response: ServerResponse, body: Buffer | undefined) => void;

interface Hub {
  readonly url: string;
  readonly asked: readonly string[];
  close(): Promise<void>;
}

let folder: string;
let files: Map<string, Buffer>;
let hub: Hub;
let closing: (() => Promise<void>)[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-hub-'));
  await makeTinyModel(join(folder, 'source'), { pooling: { pooling_mode_cls_token: true } });
  files = new Map();
  for (const name of ['config.json', 'tokenizer.json', 'model.onnx', '1_Pooling/config.json'])
    files.set(name, await readFile(join(folder, 'source', name)));
  closing = [];
  hub = await startHub({});
});
afterEach(async () => {
  for (const close of closing) await close();
  await rm(folder, { recursive: true, force: true });
});

/** Serves `files` as the hub does: the model from another path, with its checksum in the first answer. */
async function startHub(instead: Readonly<Record<string, Answer>>): Promise<Hub> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const name = path.replace(/^\/acme\/tiny\/resolve\/main\/|^\/lfs\//, '');
    const body = files.get(name);
    const other = instead[name];
    if (other !== undefined) return other(response, body);
    if (body === undefined) return response.writeHead(404).end('Entry not found');
    response.setHeader('x-repo-commit', COMMIT);
    if (name.endsWith('.onnx') && !path.startsWith('/lfs/')) {
      const etag = createHash('sha256').update(body).digest('hex');
      return response.writeHead(302, { location: `/lfs/${name}`, 'x-linked-etag': `"${etag}"` }).end();
    }
    return response.writeHead(200, { 'content-length': body.length }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  closing.push(close);
  return { url: `http://127.0.0.1:${address.port}`, asked, close };
}

const models = (): string => join(folder, 'models');
const download = (url = hub.url): Promise<string> =>
  downloadHubModel(MODEL, { directory: models(), hubUrl: url });

async function failureOf(run: Promise<unknown>): Promise<readonly string[]> {
  const error = await run.catch((thrown: unknown) => thrown);
  if (!(error instanceof CandorError)) throw new Error(`no CandorError: ${String(error)}`);
  // Whatever failed: nothing half done is left, nothing that could be taken for the model.
  expect(await readdir(models())).toEqual([]);
  return [error.code, error.message.replace(/http:\/\/[\d.:]+/, '…')];
}

describe('a model of the hub', () => {
  it('is fetched with what belongs to it, once', async () => {
    const place = await download();
    expect((await readdir(place, { recursive: true })).sort()).toEqual([
      '1_Pooling',
      '1_Pooling/config.json',
      'candor-model.json',
      'config.json',
      'model.onnx',
      'tokenizer.json',
    ]);
    expect(await readFile(join(place, 'model.onnx'))).toEqual(files.get('model.onnx'));
    expect(JSON.parse(await readFile(join(place, 'candor-model.json'), 'utf8'))).toMatchObject({
      source: `${hub.url}/acme/tiny/resolve/main`,
      commit: COMMIT,
    });
    await hub.close();
    closing = [];
    expect(await download()).toBe(place);
    expect(await readdir(models())).toEqual(['acme--tiny--main']);
  });

  it('says how far it is', async () => {
    const steps: DownloadProgress[] = [];
    await downloadHubModel(MODEL, {
      directory: models(),
      hubUrl: hub.url,
      onProgress: (step) => steps.push(step),
    });
    const bytes = files.get('model.onnx')?.length;
    expect(steps.at(-1)).toEqual({ file: 'model.onnx', bytes, totalBytes: bytes });
  });

  it('may be fetched by two at once', async () => {
    expect(await Promise.all([download(), download()])).toEqual([
      join(models(), 'acme--tiny--main'),
      join(models(), 'acme--tiny--main'),
    ]);
    expect(await readdir(models())).toEqual(['acme--tiny--main']);
  });

  it('is fetched where a killed process has left a part of it, which is removed', async () => {
    const left = join(models(), 'acme--tiny--main.999999999.unfinished-abc');
    await mkdir(left, { recursive: true });
    await writeFile(join(left, 'config.json'), '{');
    await download();
    expect(await readdir(models())).toEqual(['acme--tiny--main']);
  });

  it('that was damaged since is refused, with what to delete', async () => {
    const place = await download();
    await writeFile(join(place, 'model.onnx'), 'other bytes');
    const error = await download().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'model.invalid',
      message: `${join(place, 'model.onnx')} is damaged: delete ${place}, and it is fetched again`,
    });
  });

  const at = '…/acme/tiny/resolve/main';
  it.each<readonly [string, Readonly<Record<string, Answer>>, string, string]>([
    [
      'without an ONNX form',
      { 'model.onnx': (response) => response.writeHead(404).end() },
      'model.not-found',
      'acme/tiny has no ONNX form: neither onnx/model.onnx nor model.onnx',
    ],
    [
      'that is not there',
      { 'tokenizer.json': (response) => response.writeHead(404).end() },
      'model.not-found',
      `${at} has no tokenizer.json`,
    ],
    [
      'that needs an account',
      { 'tokenizer.json': (response) => response.writeHead(401).end() },
      'model.refused',
      `${at}/tokenizer.json answered 401`,
    ],
    [
      'of a hub in trouble',
      { 'config.json': (response) => response.writeHead(503).end() },
      'model.unreachable',
      `${at}/config.json answered 503`,
    ],
    [
      'that is not what its checksum says',
      {
        'model.onnx': (response) =>
          response.writeHead(200, { 'x-linked-etag': `"${'0'.repeat(64)}"` }).end('other bytes'),
      },
      'model.bad-reply',
      `${at}/model.onnx is not what its checksum says`,
    ],
    [
      'that is too large',
      { 'config.json': (response) => response.writeHead(200, { 'content-length': 10 ** 12 }).end('{') },
      'model.bad-reply',
      `${at}/config.json is larger than 67108864 bytes`,
    ],
    [
      'that ends in the middle',
      {
        'tokenizer.json': (response, body) => {
          response.writeHead(200, { 'content-length': body?.length ?? 0 });
          response.write(body?.subarray(0, 10), () => response.destroy());
        },
      },
      'model.unreachable',
      `${at}/tokenizer.json cannot be fetched (UND_ERR_SOCKET)`,
    ],
    [
      'that leads in a circle',
      { 'config.json': (response) => response.writeHead(302, { location: '/lfs/config.json' }).end() },
      'model.bad-reply',
      `${at}/config.json redirects more than 5 times`,
    ],
    [
      'that leads to a file of this machine',
      { 'config.json': (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end() },
      'model.bad-reply',
      `${at}/config.json leads to file://, unencrypted`,
    ],
  ])('%s leaves nothing behind', async (_, instead, code, message) => {
    const { url } = await startHub(instead);
    expect(await failureOf(download(url))).toEqual([code, message]);
  });

  it('cannot be fetched without a network', async () => {
    await hub.close();
    closing = [];
    expect(await failureOf(download())).toEqual([
      'model.unreachable',
      `${at}/tokenizer.json cannot be fetched (ECONNREFUSED)`,
    ]);
  });

  it('can be cancelled in the middle', async () => {
    const stop = new AbortController();
    const { url } = await startHub({
      'model.onnx': (response, body) => {
        response.writeHead(200, { 'content-length': body?.length ?? 0 });
        response.write(body?.subarray(0, 10), () => setImmediate(() => stop.abort()));
      },
    });
    const run = downloadHubModel(MODEL, { directory: models(), hubUrl: url, signal: stop.signal });
    expect((await failureOf(run))[0]).toBe('model.cancelled');
  });

  describe.skipIf(missing !== null)(missing === null ? 'opened' : `opened, skipped: ${missing}`, () => {
    it('is opened by its id, from the hub or from the cache of its other tools', async () => {
      const settings = { ...MINILM, embedding: 'onnx:acme/tiny', cacheDirectory: folder, hubUrl: hub.url };
      const fetched = await openEmbeddingModel(settings);
      const [vector] = await fetched.embed(['order']);
      await fetched.close();
      expect(fetched.id).toMatch(/^onnx\/acme\/tiny@[0-9a-f]{16}$/);
      expect(hub.asked.length).toBeGreaterThan(3);

      const cache = join(folder, 'hf', 'hub', 'models--acme--tiny');
      await mkdir(join(cache, 'refs'), { recursive: true });
      await writeFile(join(cache, 'refs', 'main'), COMMIT);
      await makeTinyModel(join(cache, 'snapshots', COMMIT), { pooling: { pooling_mode_cls_token: true } });
      const nowhere = { cacheDirectory: join(folder, 'other'), hubUrl: 'http://127.0.0.1:1' };
      const found = await openEmbeddingModel({ ...settings, ...nowhere, hubDirectory: join(folder, 'hf') });
      expect(found.id).toBe(fetched.id);
      expect((await found.embed(['order']))[0]).toEqual(vector);
      await found.close();
    });
  });
});
