import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from '../../config/index.ts';
import { openBundleState, publishDerived, pullDerived, type SharedState } from '../../store/index.ts';
import type { ServerState } from '../state/open-server-state.ts';
import { openServerState } from '../state/open-server-state.ts';
import { type AloneInProject, SharedProject } from './shared-project.ts';
import { SharedWork } from './shared-work.ts';

/** Locks of workspaces whose derived data is made for the first time. */
const FIRST_LOCKS = 226_371;

export interface SharedWorkspaceParts {
  readonly state: ServerState;
  readonly shared: SharedState;
  readonly workspace: string;
  /** Of the server alone: where its own files lie. */
  readonly own: Config;
  /** Reads the database into the derived folder of the configuration. */
  readonly derive: (config: Config) => Promise<void>;
}

/** One workspace of an installation of several servers: files and derived data lie in the state, and copies of them here. */
export class SharedWorkspace {
  readonly #parts: SharedWorkspaceParts;
  readonly #project: SharedProject;
  readonly #base: string;
  #generation: string | undefined;

  constructor(parts: SharedWorkspaceParts) {
    this.#parts = parts;
    this.#base = join(parts.own.derivedDirectory, 'shared');
    this.#project = new SharedProject(parts.state, parts.workspace, join(this.#base, 'project'));
  }

  /** Comes up with what the installation has; the first server of all gives it what it has itself. */
  async begin(): Promise<void> {
    await this.#project.begin(this.#parts.own);
    await this.refresh();
    if (this.#generation === undefined) await this.#deriveFirst();
  }

  /** The configuration with the copies in place of the server's own folders. */
  placed(config: Config): Config {
    const derived = this.#generation ?? config.derivedDirectory;
    return { ...config, ...this.#project.folders, derivedDirectory: derived };
  }

  /** Brings what other servers and jobs have made. True: something has changed. */
  async refresh(): Promise<boolean> {
    const isProjectNew = await this.#project.pull();
    return (await this.#pullDerived()) || isProjectNew;
  }

  change<Result>(work: (alone: AloneInProject) => Promise<Result>): Promise<Result> {
    return this.#project.change(work);
  }

  async #pullDerived(): Promise<boolean> {
    const { shared, workspace } = this.#parts;
    const pulled = await pullDerived(shared, workspace, join(this.#base, 'derived'));
    if (pulled === undefined || pulled.folder === this.#generation) return false;
    this.#generation = pulled.folder;
    return true;
  }

  /** Servers that start together wait for the first of them. */
  async #deriveFirst(): Promise<void> {
    const { shared, workspace, own, derive } = this.#parts;
    await shared.session(async (run) => {
      const lock = [FIRST_LOCKS, createHash('sha256').update(workspace).digest().readInt32LE()];
      await run('SET statement_timeout = 0');
      await run('SELECT pg_advisory_lock($1, $2)', lock);
      try {
        if (await this.#pullDerived()) return;
        await derive({ ...own, ...this.#project.folders });
        await publishDerived(shared, workspace, own.derivedDirectory);
        await this.#pullDerived();
      } finally {
        await run('SELECT pg_advisory_unlock($1, $2)', lock).catch(() => undefined);
        await run('RESET statement_timeout').catch(() => undefined);
      }
    });
  }
}

/** What several servers have in common: `server.state` in PostgreSQL. */
export interface SharedInstallation {
  readonly state: ServerState;
  /** A workspace with its copies up to date. Throws as the state does, and what `derive` throws. */
  open(workspace: string, own: Config, derive: (config: Config) => Promise<void>): Promise<SharedWorkspace>;
  /** A workspace for who does its jobs. Throws as the state does. */
  work(workspace: string, own: Config): Promise<SharedWork>;
  close(): Promise<void>;
}

/** Undefined where the state of the server is a file: it is alone. `close` it. Throws `store.unusable`, and as connecting does. */
export async function openInstallation(config: Config): Promise<SharedInstallation | undefined> {
  const url = config.server.state;
  if (url === undefined) return undefined;
  const state = await openServerState(config);
  let shared: SharedState;
  try {
    shared = await openBundleState(url);
  } catch (error) {
    await state.close();
    throw error;
  }
  return {
    state,
    async open(workspace, own, derive) {
      const opened = new SharedWorkspace({ state, shared, workspace, own, derive });
      await opened.begin();
      return opened;
    },
    work: (workspace, own) => SharedWork.begin({ state, shared, workspace, own }),
    async close() {
      await shared.close();
      await state.close();
    },
  };
}
