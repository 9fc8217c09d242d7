import { CandorError } from '../errors.ts';
import { closeSession, type Session } from '../session.ts';

/** Opens the project anew, as it stands on the disk now. */
export type Reopen = () => Promise<Session>;

/**
 * The session that requests get. A project that has changed is opened anew beside the old one, which works on until nothing uses
 * it any more; where the new one cannot be opened the old one stays.
 */
export class SessionDesk {
  #current: Session;
  readonly #first: Session;
  /** What streams on after its reply has begun may still use it. */
  #previous: Session | undefined;
  readonly #reopen: Reopen | undefined;
  readonly #uses = new Map<Session, number>();
  #reloading: Promise<void> = Promise.resolve();

  /** The first session is closed by whoever opened it. */
  constructor(session: Session, reopen?: Reopen) {
    this.#current = session;
    this.#first = session;
    this.#reopen = reopen;
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

  async close(): Promise<void> {
    await this.#reloading;
    for (const session of new Set([...this.#uses.keys(), this.#previous, this.#current]))
      if (session !== undefined && session !== this.#first) await closeSession(session);
    this.#uses.clear();
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
    if (session !== this.#first) await closeSession(session);
  }
}
