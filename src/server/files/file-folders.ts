import { join } from 'node:path';
import type { Config } from '../../config/index.ts';
import { AREAS_FILE, isNoteFile, STATUS_FILE } from '../../knowledge/authored/folder/index.ts';
import { EXAMPLE_NAMES } from '../../knowledge/authored/index.ts';
import { DESCRIBED_FILE } from '../../knowledge/described/index.ts';
import { SEMANTIC_NAMES } from '../../knowledge/semantic/index.ts';

export const FOLDER_NAMES = ['semantics', 'knowledge', 'examples', 'tests'] as const;
export type FolderName = (typeof FOLDER_NAMES)[number];

export interface FilePlace {
  readonly folder: FolderName;
  readonly name: string;
}

/** Where the files of a project lie. */
type Folders = Pick<
  Config,
  'semanticsDirectory' | 'knowledgeDirectory' | 'examplesDirectory' | 'testsDirectory'
>;

interface FileFolder {
  readonly directory: (folders: Folders) => string;
  /** Whether Candor reads a file of that name there: no other is shown or written. */
  readonly isRead: (name: string) => boolean;
  /** Answers depend on it: the project is opened anew when it changes. */
  readonly isOfAnswers: boolean;
}

const FOLDERS: Readonly<Record<FolderName, FileFolder>> = {
  semantics: {
    directory: (folders) => folders.semanticsDirectory,
    isRead: (name) => SEMANTIC_NAMES.test(name),
    isOfAnswers: true,
  },
  knowledge: {
    directory: (folders) => folders.knowledgeDirectory,
    isRead: (name) => isNoteFile(name) || [STATUS_FILE, AREAS_FILE, DESCRIBED_FILE].includes(name),
    isOfAnswers: true,
  },
  examples: {
    directory: (folders) => folders.examplesDirectory,
    isRead: (name) => EXAMPLE_NAMES.test(name),
    isOfAnswers: true,
  },
  tests: {
    directory: (folders) => folders.testsDirectory,
    isRead: (name) => /\.yml$/.test(name),
    isOfAnswers: false,
  },
};

/** One name, no path: nothing that any system reads as a folder, a drive or a hidden file. */
export const FILE_NAME = /^[^./\\:*?"<>|\p{C}][^/\\:*?"<>|\p{C}]{0,119}$/u;

export function folderOf(name: FolderName): FileFolder {
  return FOLDERS[name];
}

/** Whether it names a file that Candor reads. */
export function isFileOf({ folder, name }: FilePlace): boolean {
  return FILE_NAME.test(name) && FOLDERS[folder].isRead(name);
}

/** As messages name it. */
export function shownPlace({ folder, name }: FilePlace): string {
  return `${folder}/${name}`;
}

export function pathOf({ folder, name }: FilePlace, folders: Folders): string {
  return join(FOLDERS[folder].directory(folders), name);
}
