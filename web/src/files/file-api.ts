/** Files as the server reads and writes them. */
import { ApiError } from '../api/api-error.ts';
import type { ChangedFile, FolderName, ProjectFile } from '../api/contract.ts';
import { request } from '../api/request.ts';

export interface FilePlace {
  readonly folder: FolderName;
  readonly name: string;
}

export interface KeptText {
  readonly text: string;
  /** Undefined: there is no such file. */
  readonly etag: string | undefined;
}

export const NO_FILE: KeptText = { text: '', etag: undefined };

export function pathOf({ folder, name }: FilePlace): string {
  return `/v1/files/${folder}/${encodeURIComponent(name)}`;
}

export function shownPlace({ folder, name }: FilePlace): string {
  return `${folder}/${name}`;
}

/** What stands there now. */
export async function readKept(place: FilePlace): Promise<KeptText> {
  try {
    const { text, etag } = await request<ProjectFile>(pathOf(place));
    return { text, etag };
  } catch (error) {
    if (error instanceof ApiError && error.failure.code === 'server.not-found') return NO_FILE;
    throw error;
  }
}

/** Saves over the text of that etag; without one: as a new file. */
export function putText(place: FilePlace, text: string, etag: string | undefined): Promise<ChangedFile> {
  return request<ChangedFile>(pathOf(place), {
    method: 'PUT',
    body: { text },
    headers: etag === undefined ? { 'if-none-match': '*' } : { 'if-match': etag },
  });
}

export function deleteFile(place: FilePlace, etag: string): Promise<ChangedFile> {
  return request<ChangedFile>(pathOf(place), { method: 'DELETE', headers: { 'if-match': etag } });
}

/** Whether somebody else was faster. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.failure.code === 'server.changed';
}
