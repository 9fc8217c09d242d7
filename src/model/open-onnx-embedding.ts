/** A sentence encoder in ONNX form: from a folder, from the hub's cache on this machine, or from the hub. */
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { CandorError } from '../errors.ts';
import { type DownloadProgress, downloadHubModel } from './download-hub-model.ts';
import { embedByProcess } from './embed-by-process.ts';
import type { EmbeddingModel } from './embedding-model.ts';
import { EncoderProcess } from './encoder-process.ts';
import { findHubModel, readHubId } from './find-hub-model.ts';
import { findPackage } from './find-package.ts';
import { readModelFolder } from './read-model-folder.ts';

const HUB_URL = 'https://huggingface.co';
const INSTALL = 'npm install --save-exact --ignore-scripts onnxruntime-node@1.30.0';
/** Hardly any word is longer than this many characters a token; what is cut here, the model would not read. */
const CHARACTERS_PER_TOKEN = 32;

export interface OnnxSettings {
  /** Where fetched models are kept, below `models/`; absent: nothing is fetched. */
  readonly cacheDirectory?: string;
  /** Relative folders start here; absent: at the current folder. */
  readonly projectDirectory?: string;
  /** The hub's own cache, as `HF_HOME` names it; absent: it is not looked into. */
  readonly hubDirectory?: string;
  /** Absent: huggingface.co. */
  readonly hubUrl?: string;
  /** A folder whose `node_modules` has `onnxruntime-node`, where Candor's own has not. */
  readonly packageDirectory?: string;
  readonly onProgress?: (progress: DownloadProgress) => void;
}

/** Opens `place`, a folder or an id of the hub (`org/name`, `org/name@revision`). Throws `model.*`. */
export async function openOnnxEmbedding(
  place: string,
  settings: OnnxSettings,
  signal?: AbortSignal,
): Promise<EmbeddingModel> {
  // Asked first: nobody should wait for a download to learn that a package is missing.
  const runtime = findPackage('onnxruntime-node', 'an ONNX embedding', INSTALL, settings.packageDirectory);
  const { folder, name } = await findFolder(place, settings, signal);
  const { fingerprint, ...files } = await readModelFolder(folder);
  const title = `the ONNX encoder ${name}`;
  const encoder = new EncoderProcess({ kind: 'onnx', runtime, ...files }, title);
  try {
    return embedByProcess(encoder, {
      id: `onnx/${name}@${fingerprint}`,
      title,
      dimensions: await encoder.load(signal),
      maxCharacters: files.maxTokens * CHARACTERS_PER_TOKEN,
    });
  } catch (error) {
    await encoder.close();
    throw error;
  }
}

/** A folder that is there comes first, then the hub's cache on this machine, then our own, then the hub. */
async function findFolder(
  place: string,
  settings: OnnxSettings,
  signal: AbortSignal | undefined,
): Promise<{ readonly folder: string; readonly name: string }> {
  const path = place.startsWith('~/') ? join(homedir(), place.slice(2)) : place;
  const folder = resolve(settings.projectDirectory ?? '.', path);
  if (await isFolder(folder)) return { folder, name: basename(folder) };
  const hubModel = readHubId(place);
  if (hubModel === undefined) throw new CandorError('model.not-found', `there is no folder ${folder}`);
  const name = `${hubModel.organisation}/${hubModel.name}`;
  const { cacheDirectory, hubDirectory } = settings;
  const found = hubDirectory === undefined ? undefined : await findHubModel(hubDirectory, hubModel);
  if (found !== undefined) return { folder: found, name };
  if (cacheDirectory === undefined)
    throw new CandorError('model.not-found', `there is no folder ${folder}, and nothing is fetched here`);
  const downloaded = await downloadHubModel(hubModel, {
    directory: join(cacheDirectory, 'models'),
    hubUrl: settings.hubUrl ?? HUB_URL,
    onProgress: settings.onProgress,
    signal,
  });
  return { folder: downloaded, name };
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
