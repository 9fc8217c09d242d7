/** Fetches the files of a sentence encoder from the Hugging Face hub into a folder of ours, once. */
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CandorError } from '../errors.ts';
import { throwIfCancelled } from './cancelled.ts';
import { downloadFile, type FetchedFile } from './download-file.ts';
import type { HubModel } from './find-hub-model.ts';
import { isThere } from './is-there.ts';
import { readJsonFile } from './read-json-file.ts';
import { hashFile, MODEL_FILES, OPTIONAL_FILES, REQUIRED_FILES } from './read-model-folder.ts';

const SMALL_FILE_BYTES = 64 * 1024 * 1024;
const MODEL_BYTES = 2 * 1024 * 1024 * 1024;
/** What was fetched, from where, with which checksums; written last, so that a folder with it is whole. */
const MANIFEST = 'candor-model.json';

export interface DownloadProgress {
  readonly file: string;
  readonly bytes: number;
  /** When the server says it. */
  readonly totalBytes?: number;
}

export interface HubDownload {
  /** Where models are kept; the folder of this one is made below it. */
  readonly directory: string;
  readonly hubUrl: string;
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const FILES = z.object({
  source: z.string(),
  commit: z.string().optional(),
  files: z.record(z.string(), z.object({ bytes: z.number(), sha256: z.string() })),
});

/**
 * The folder of the model, fetched when it is not there whole. Throws `model.unreachable`, `model.not-found` for an
 * id that the hub does not have or a model without ONNX form, `model.bad-reply` for a file that is too large or not
 * what its checksum says, `model.invalid` when the folder was damaged since.
 */
export async function downloadHubModel(model: HubModel, download: HubDownload): Promise<string> {
  const name = `${model.organisation}--${model.name}--${model.revision}`;
  const folder = join(download.directory, name);
  if (await isThere(join(folder, MANIFEST))) {
    await checkFiles(folder);
    return folder;
  }
  await mkdir(download.directory, { recursive: true });
  await removeUnfinished(download.directory, name);
  const unfinished = await mkdtemp(join(download.directory, `${name}.${process.pid}.unfinished-`));
  try {
    await fetchFiles(model, unfinished, download);
    await moveInto(unfinished, folder);
    return folder;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function fetchFiles(model: HubModel, folder: string, download: HubDownload): Promise<void> {
  const id = `${model.organisation}/${model.name}`;
  const base = `${download.hubUrl.replace(/\/+$/, '')}/${id}/resolve/${model.revision}`;
  const fetched = new Map<string, FetchedFile>();
  const fetchOne = async (file: string, maxBytes: number): Promise<boolean> => {
    throwIfCancelled(download.signal);
    const { onProgress, signal } = download;
    const found = await downloadFile(`${base}/${file}`, join(folder, file), {
      maxBytes,
      signal,
      onBytes: (bytes, totalBytes) =>
        onProgress?.({ file, bytes, ...(totalBytes === undefined ? {} : { totalBytes }) }),
    });
    if (found !== undefined) fetched.set(file, found);
    return found !== undefined;
  };
  for (const file of REQUIRED_FILES)
    if (!(await fetchOne(file, SMALL_FILE_BYTES)))
      throw new CandorError('model.not-found', `${base} has no ${file}`);
  for (const file of OPTIONAL_FILES) await fetchOne(file, SMALL_FILE_BYTES);
  let hasModel = false;
  for (const file of MODEL_FILES) hasModel ||= await fetchOne(file, MODEL_BYTES);
  if (!hasModel)
    throw new CandorError('model.not-found', `${id} has no ONNX form: neither ${MODEL_FILES.join(' nor ')}`);
  const commit = [...fetched.values()].find((file) => file.commit !== undefined)?.commit;
  const files = Object.fromEntries(
    [...fetched].map(([file, { bytes, sha256 }]) => [file, { bytes, sha256 }]),
  );
  await writeFile(join(folder, MANIFEST), `${JSON.stringify({ source: base, commit, files }, null, 2)}\n`);
}

async function checkFiles(folder: string): Promise<void> {
  const { files } = await readJsonFile(join(folder, MANIFEST), FILES);
  for (const [file, { sha256 }] of Object.entries(files)) {
    const path = join(folder, file);
    const found = (await isThere(path)) ? await hashFile(path) : 'missing';
    if (found !== sha256)
      throw new CandorError('model.invalid', `${path} is damaged: delete ${folder}, and it is fetched again`);
  }
}

/** Another process may have been faster: then its folder is as good as ours. */
async function moveInto(unfinished: string, folder: string): Promise<void> {
  await rename(unfinished, folder).catch(async (error: unknown) => {
    if (!(await isThere(join(folder, MANIFEST)))) throw error;
  });
}

/** What a process that is no more has left behind; the folders of those that live are theirs. */
async function removeUnfinished(directory: string, name: string): Promise<void> {
  for (const entry of await readdir(directory)) {
    const pid = entry.startsWith(`${name}.`) ? /\.(\d+)\.unfinished-/.exec(entry)?.[1] : undefined;
    if (pid !== undefined && !isRunning(Number(pid)))
      await rm(join(directory, entry), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
