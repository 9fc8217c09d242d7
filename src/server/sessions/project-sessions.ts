import { rm } from 'node:fs/promises';
import { relative } from 'node:path';
import { CandorError, toCandorError } from '../../errors.ts';
import type { Session } from '../../session/index.ts';
import { readIfThere, writeWhole } from '../../store/index.ts';
import type { SharedWorkspace } from '../shared/shared-workspace.ts';

/** What a change has come to. */
export interface ProjectChange<Result> {
  readonly result: Result;
  /** What was written, and its text before; absent: nothing. */
  readonly written?: WrittenFile;
}

interface WrittenFile {
  readonly path: string;
  /** Undefined: there was no file. */
  readonly before: string | undefined;
  /** False: the project need not be opened anew for it. */
  readonly isOfAnswers?: boolean;
}

/**
 * The session that requests get. A project that has changed is opened anew beside the old one, which works on until nothing uses
 * it any more; where the new one cannot be opened the old one stays.
 */
export class ProjectSessions {
  #current: Session;
  readonly #first: Session;
  /** What streams on after its reply has begun may still use it. */
  #previous: Session | undefined;
  readonly #reopen: Reopen | undefined;
  readonly #shared: SharedWorkspace | undefined;
  readonly #uses = new Map<Session, number>();
  /** The copy of what servers share is newer than the session. */
  #isStale = false;
  #reloading: Promise<void> = Promise.resolve();
  #changing: Promise<unknown> = Promise.resolve();

  /** The first session is closed by whoever opened it. */
  constructor(session: Session, { reopen, shared }: Pick<Workspace, 'reopen' | 'shared'> = {}) {
    this.#current = session;
    this.#first = session;
    this.#reopen = reopen;
    this.#shared = shared;
  }

  /** Several servers share one state, and derived files here are a copy that a newer one replaces. */
  get isShared(): boolean {
    return this.#shared !== undefined;
  }

  get current(): Session {
    return this.#current;
  }

  /** Keeps a session open until what is given back is called. */
  hold(session: Session): () => void {
    this.#uses.set(session, (this.#uses.get(session) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#uses.set(session, (this.#uses.get(session) ?? 1) - 1);
      void this.#closeIfIdle(session);
    };
  }

  /** One after the other. Throws `server.no-reload`, and what opening throws. */
  reload(): Promise<void> {
    const reloaded = this.#reloading.then(() => this.#open());
    this.#reloading = reloaded.catch(() => undefined);
    return reloaded;
  }

  /**
   * Changes a file of the project and opens the project anew with it. One change after the other: each finds what the one before has made.
   * Where the project does not open, the file is put back, unless somebody has written it meanwhile. Throws what `change` throws,
   * `server.no-reload`, and what opening throws.
   */
  change<Result>(change: (session: Session) => Promise<ProjectChange<Result>>): Promise<Result> {
    const changed = this.#changing.then(() => this.#changeShared(change));
    this.#changing = changed.catch(() => undefined);
    return changed;
  }

  /** Opens the project anew where other servers have changed it. Throws as the state does, and what opening throws. */
  refresh(): Promise<void> {
    const refreshed = this.#changing.then(async () => {
      const isNew = (await this.#shared?.refresh()) === true;
      if (isNew || this.#isStale) await this.#reloadShared();
    });
    this.#changing = refreshed.catch(() => undefined);
    return refreshed;
  }

  async close(): Promise<void> {
    await this.#changing;
    await this.#reloading;
    for (const session of new Set([...this.#uses.keys(), this.#previous, this.#current]))
      if (session !== undefined && session !== this.#first) await session.close();
    this.#uses.clear();
  }

  async #changeShared<Result>(change: (session: Session) => Promise<ProjectChange<Result>>): Promise<Result> {
    if (this.#shared === undefined) return (await this.#change(change)).result;
    return this.#shared.change(async ({ pull, keep }) => {
      if (await pull()) await this.#reloadShared();
      const { result, written } = await this.#change(change);
      if (written !== undefined) await keep(written.path);
      return result;
    });
  }

  /** What could not be opened is tried again. */
  async #reloadShared(): Promise<void> {
    this.#isStale = true;
    await this.reload();
    this.#isStale = false;
  }

  async #change<Result>(
    change: (session: Session) => Promise<ProjectChange<Result>>,
  ): Promise<ProjectChange<Result>> {
    const session = this.#current;
    const release = this.hold(session);
    try {
      const changed = await change(session);
      const { written } = changed;
      if (written !== undefined && written.isOfAnswers !== false)
        await this.#openWith(written, session.config.root);
      return changed;
    } finally {
      release();
    }
  }

  async #openWith({ path, before }: WrittenFile, root: string): Promise<void> {
    const after = await readIfThere(path);
    if (after === before) return;
    try {
      await this.reload();
    } catch (error) {
      const isOurs = (await readIfThere(path)) === after;
      if (isOurs) await (before === undefined ? rm(path, { force: true }) : writeWhole(path, before));
      const { code, message, data } = toCandorError(error);
      const left = isOurs ? 'so all is as it was' : 'which somebody has written since, so it was left alone';
      const said = `The project could not be opened with this ${relative(root, path)}, ${left}. ${message}`;
      throw new CandorError(code, said, { data: { ...data }, cause: error });
    }
  }

  async #open(): Promise<void> {
    if (this.#reopen === undefined)
      throw new CandorError('server.no-reload', 'This server cannot open its project anew.');
    const opened = await this.#reopen();
    const beforeLast = this.#previous;
    this.#previous = this.#current;
    this.#current = opened;
    if (beforeLast !== undefined) await this.#closeIfIdle(beforeLast);
  }

  async #closeIfIdle(session: Session): Promise<void> {
    if (session === this.#current || session === this.#previous || (this.#uses.get(session) ?? 0) > 0) return;
    this.#uses.delete(session);
    if (session !== this.#first) await session.close();
  }
}

/** Opens the project anew, as it stands on the disk now. */
export type Reopen = () => Promise<Session>;

/** A project that a server serves. */
export interface Workspace {
  /** Empty for the project that the server was started in. */
  readonly name: string;
  readonly session: Session;
  /** Opens the project anew once its files have changed; absent: they are read at the start alone. */
  readonly reopen?: Reopen;
  /** Where several servers serve it: files and derived data of all of them. */
  readonly shared?: SharedWorkspace;
}

/** `pathOfWorkspace('hr')` → `/w/hr/`, and `/` for the project that the server was started in. */
export function pathOfWorkspace(name: string): string {
  return name === '' ? '/' : `/w/${name}/`;
}
