import type { FolderName } from '../api/contract.ts';

/** The folders whose files can be opened, and how names end there. */
export const FOLDERS = {
  semantics: '.yml',
  knowledge: '.md',
  examples: '.sql',
  tests: '.yml',
} satisfies Record<FolderName, string>;

export const FOLDER_NAMES = Object.keys(FOLDERS) as readonly FolderName[];

export function isFolderName(name: string | undefined): name is FolderName {
  return name !== undefined && Object.hasOwn(FOLDERS, name);
}
