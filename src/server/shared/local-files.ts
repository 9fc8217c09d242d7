import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/index.ts';
import { readIfThere, writeWhole } from '../../store/index.ts';
import { type FilePlace, FOLDER_NAMES, folderOf, isFileOf, pathOf } from '../files/file-folders.ts';
import { etagOf } from '../files/read-project-files.ts';
import type { SharedFile } from './project-table.ts';

export type ProjectFolders = Pick<
  Config,
  'semanticsDirectory' | 'knowledgeDirectory' | 'examplesDirectory' | 'testsDirectory'
>;

/** The folders of a project below one of our own. */
export function foldersBelow(base: string): ProjectFolders {
  return {
    semanticsDirectory: join(base, 'semantics'),
    knowledgeDirectory: join(base, 'knowledge'),
    examplesDirectory: join(base, 'examples'),
    testsDirectory: join(base, 'tests'),
  };
}

/** All files of the folders that Candor reads. */
export async function readLocalFiles(folders: ProjectFolders): Promise<readonly SharedFile[]> {
  const files: SharedFile[] = [];
  for (const folder of FOLDER_NAMES) {
    const names = await readdir(folderOf(folder).directory(folders)).catch(() => []);
    for (const name of names.sort()) {
      const place: FilePlace = { folder, name };
      const text = isFileOf(place) ? await readIfThere(pathOf(place, folders)) : undefined;
      if (text !== undefined) files.push({ ...place, text, etag: etagOf(text) });
    }
  }
  return files;
}

export async function writeLocalFile({ text, ...place }: SharedFile, folders: ProjectFolders): Promise<void> {
  await writeWhole(pathOf(place, folders), text);
}

export async function removeLocalFile(place: FilePlace, folders: ProjectFolders): Promise<void> {
  await rm(pathOf(place, folders), { force: true });
}
