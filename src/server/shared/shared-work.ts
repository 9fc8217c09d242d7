import { chmod, copyFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../../config/index.ts';
import { JOBS_LOCK } from '../../jobs/index.ts';
import {
  bundleFiles,
  makeFolder,
  modeOfFile,
  publishDerived,
  pullDerived,
  readIfThere,
  type SharedState,
  tryLock,
  writeWhole,
} from '../../store/index.ts';
import type { ServerState } from '../state/open-server-state.ts';
import { SharedProject } from './shared-project.ts';

interface WorkParts {
  readonly state: ServerState;
  readonly shared: SharedState;
  readonly workspace: string;
  readonly own: Config;
}

/**
 * One workspace of an installation for a worker. Jobs go on in the worker's own derived folder, where what a killed one has begun lies
 * still; before each of them the folder takes what others have published since.
 */
export class SharedWork {
  readonly #parts: WorkParts;
  readonly #project: SharedProject;
  readonly #base: string;

  private constructor(parts: WorkParts) {
    this.#parts = parts;
    this.#base = join(parts.own.derivedDirectory, 'shared');
    this.#project = new SharedProject(parts.state, parts.workspace, join(this.#base, 'project'));
  }

  /** An installation that was never given files begins with those of the worker. Throws as the state does. */
  static async begin(parts: WorkParts): Promise<SharedWork> {
    const work = new SharedWork(parts);
    await work.#project.begin(parts.own);
    return work;
  }

  /** The configuration over the newest files and derived data. */
  async begin(config: Config): Promise<Config> {
    await this.#project.pull();
    // While another job is at work on the files they stay: what it makes is laid over what others have published.
    await tryLock(join(config.derivedDirectory, JOBS_LOCK), () => this.#takeDerived());
    return { ...config, ...this.#project.folders };
  }

  /** Tells the installation what a job has made. Doing it twice changes nothing. */
  async publish(): Promise<void> {
    const { shared, workspace, own } = this.#parts;
    const since = await this.#worked();
    const published = await publishDerived(shared, workspace, own.derivedDirectory, { since });
    // With changes of others in it, the generation is not what lies here: it is taken before the next job.
    if (!published.isMerged) await this.#note(published.generation);
  }

  async #takeDerived(): Promise<void> {
    const { shared, workspace, own } = this.#parts;
    const pulled = await pullDerived(shared, workspace, join(this.#base, 'derived'));
    if (pulled === undefined || pulled.generation === (await this.#worked())) return;
    const published = await bundleFiles(pulled.folder);
    const wanted = new Set(published);
    for (const path of await bundleFiles(own.derivedDirectory))
      if (!wanted.has(path)) await rm(join(own.derivedDirectory, path), { force: true });
    for (const path of published) await replace(join(pulled.folder, path), join(own.derivedDirectory, path));
    await this.#note(pulled.generation);
  }

  /** The generation that the folder was made of; undefined: it was made here. */
  async #worked(): Promise<number | undefined> {
    const text = await readIfThere(this.#marker);
    return text === undefined ? undefined : Number(text);
  }

  #note(generation: number): Promise<void> {
    return writeWhole(this.#marker, `${generation}\n`);
  }

  get #marker(): string {
    return join(this.#base, 'generation');
  }
}

/** Whole or not at all; a write-ahead log belongs to the file that was there. */
async function replace(from: string, to: string): Promise<void> {
  await makeFolder(dirname(to));
  await copyFile(from, `${to}.tmp`);
  await chmod(`${to}.tmp`, (await modeOfFile(to)) & ~process.umask());
  for (const end of ['-wal', '-shm']) await rm(to + end, { force: true });
  await rename(`${to}.tmp`, to);
}
