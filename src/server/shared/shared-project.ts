import { relative } from 'node:path';
import type { Config } from '../../config/index.ts';
import { CandorError } from '../../errors.ts';
import { readIfThere } from '../../store/index.ts';
import { FOLDER_NAMES, folderOf, shownPlace } from '../files/file-folders.ts';
import { etagOf } from '../files/read-project-files.ts';
import type { ServerState } from '../state/open-server-state.ts';
import {
  foldersBelow,
  type ProjectFolders,
  readLocalFiles,
  removeLocalFile,
  writeLocalFile,
} from './local-files.ts';
import { ProjectTable } from './project-table.ts';

/** What a change may do while no other server changes the project. */
export interface AloneInProject {
  /** Brings what others have changed. True: something was. */
  pull(): Promise<boolean>;
  /** Keeps a file as it lies in the folders now, or that it is gone. */
  keep(path: string): Promise<void>;
}

/** The files of a project that several servers share, and this server's copy of them. */
export class SharedProject {
  /** This server's copy. */
  readonly folders: ProjectFolders;
  readonly #table: ProjectTable;
  /** That the copy is of; undefined: not known. */
  #version: number | undefined;

  constructor(state: ServerState, workspace: string, base: string) {
    this.#table = new ProjectTable(state, workspace);
    this.folders = foldersBelow(base);
  }

  /** An installation that was never given files begins with those of the first server. */
  async begin(own: Config): Promise<void> {
    if ((await this.#table.version()) !== undefined) return;
    const files = await readLocalFiles(own);
    await this.#table.alone(async (run) => {
      if ((await this.#table.version(run)) !== 0) return;
      for (const file of files) await this.#table.put(run, file);
      await this.#table.announce(run);
    });
  }

  /** Makes the copy what the installation has. True: it was not. */
  async pull(run?: Parameters<ProjectTable['read']>[0]): Promise<boolean> {
    if (this.#version !== undefined && (await this.#table.version(run)) === this.#version) return false;
    const kept = await this.#table.read(run);
    if (kept === undefined) return false;
    const here = new Map((await readLocalFiles(this.folders)).map((file) => [shownPlace(file), file]));
    let isChanged = false;
    for (const file of kept.files) {
      const shown = shownPlace(file);
      if (here.get(shown)?.etag !== file.etag) {
        await writeLocalFile(file, this.folders);
        isChanged = true;
      }
      here.delete(shown);
    }
    for (const gone of here.values()) await removeLocalFile(gone, this.folders);
    this.#version = kept.version;
    return isChanged || here.size > 0;
  }

  /** Runs a change that no other server's falls into. Throws what it throws, and as the state does: then nothing is kept. */
  async change<Result>(work: (alone: AloneInProject) => Promise<Result>): Promise<Result> {
    let version: number | undefined;
    try {
      const result = await this.#table.alone((run) =>
        work({
          pull: () => this.pull(run),
          keep: async (path) => {
            const place = this.#placeOf(path);
            const text = await readIfThere(path);
            // Until it is kept, nobody knows what the copy is of.
            this.#version = undefined;
            if (text === undefined) await this.#table.remove(run, place);
            else await this.#table.put(run, { ...place, text, etag: etagOf(text) });
            version = await this.#table.announce(run);
          },
        }),
      );
      if (version !== undefined) this.#version = version;
      return result;
    } catch (error) {
      this.#version = undefined;
      throw error;
    }
  }

  #placeOf(path: string) {
    for (const folder of FOLDER_NAMES) {
      const name = relative(folderOf(folder).directory(this.folders), path);
      if (!/^\.\.|[\\/]/.test(name)) return { folder, name };
    }
    throw new CandorError('internal.bug', `${path} is no file of the project.`);
  }
}
