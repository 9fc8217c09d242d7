/** Files that people keep in the folders of a project: listed and read, links never followed. */
import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import type { Config } from '../../config/index.ts';
import { CandorError } from '../../errors.ts';
import { readBoundedText } from '../../knowledge/files/index.ts';
import {
  type FilePlace,
  FOLDER_NAMES,
  type FolderName,
  folderOf,
  isFileOf,
  pathOf,
  shownPlace,
} from './file-folders.ts';

export interface ListedFile extends FilePlace {
  readonly bytes: number;
  /** ISO. */
  readonly modifiedAt: string;
}

export interface KeptText {
  readonly text: string;
  /** Says which text it is: another one has another etag. */
  readonly etag: string;
}

/** In the order of the folders and of their names, those behind `after` (`folder/name`), `most` at most. */
export async function listProjectFiles(
  config: Config,
  { folder, after, most }: { readonly folder?: FolderName; readonly after?: string; readonly most: number },
): Promise<{ readonly files: readonly ListedFile[]; readonly next?: string }> {
  const places: FilePlace[] = [];
  for (const each of folder === undefined ? FOLDER_NAMES : [folder])
    places.push(...(await placesIn(each, config)));
  const from = after === undefined ? 0 : places.findIndex((place) => isBehind(place, after));
  const files: ListedFile[] = [];
  let at = from < 0 ? places.length : from;
  for (; at < places.length && files.length < most; at += 1) {
    const place = places[at]!;
    const entry = await regularFile(pathOf(place, config));
    if (entry !== undefined)
      files.push({ ...place, bytes: entry.size, modifiedAt: entry.mtime.toISOString() });
  }
  const last = files.at(-1);
  return { files, ...(at < places.length && last !== undefined && { next: shownPlace(last) }) };
}

/** Undefined where there is none, or a link or a folder in its place. Throws `knowledge.invalid` for what is no text. */
export async function readProjectFile(place: FilePlace, config: Config): Promise<KeptText | undefined> {
  const path = pathOf(place, config);
  if (!isFileOf(place) || (await regularFile(path)) === undefined) return undefined;
  const text = await readBoundedText(path, shownPlace(place));
  return text === undefined ? undefined : { text, etag: etagOf(text) };
}

/** As the header has it, with its quotes. */
export function etagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('hex').slice(0, 32)}"`;
}

/** Throws `server.not-found`. */
export function noSuchFile(place: FilePlace): CandorError {
  return new CandorError('server.not-found', `There is no file ${JSON.stringify(shownPlace(place))}.`);
}

async function placesIn(folder: FolderName, config: Config): Promise<readonly FilePlace[]> {
  const names = await readdir(folderOf(folder).directory(config)).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  return names
    .sort()
    .map((name) => ({ folder, name }))
    .filter(isFileOf);
}

function isBehind(place: FilePlace, after: string): boolean {
  const [folder = '', name = ''] = after.split(/\/(.*)/s);
  const [one, other] = [place.folder, folder].map((each) => FOLDER_NAMES.indexOf(each as FolderName));
  return one === other ? place.name > name : (one ?? 0) > (other ?? 0);
}

async function regularFile(path: string) {
  const entry = await lstat(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  return entry?.isFile() ? entry : undefined;
}
