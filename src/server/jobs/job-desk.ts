import { JobQueue } from '../../jobs/index.ts';

/** The jobs of the installation, opened at the first need: a server that shares nothing has none. */
export class JobDesk {
  readonly #url: string | undefined;
  #opened: Promise<JobQueue> | undefined;

  /** URL of `server.state`. */
  constructor(url: string | undefined) {
    this.#url = url;
  }

  /** Throws `jobs.no-shared-state`, and as connecting to a database does; the next call tries again. */
  queue(): Promise<JobQueue> {
    this.#opened ??= JobQueue.open(this.#url).catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    this.#opened = undefined;
    await opened?.close();
  }
}
