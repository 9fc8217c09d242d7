/**
 * The time as a server sees it. Signed logins carry a time that the server compares with its own, so its own is asked
 * for (`Date` of an answer, RFC 9110 §6.6.1): a machine whose clock is wrong can log in too.
 */
import type { HttpSession } from './http-session.ts';

export class ServerClock {
  readonly session: HttpSession;
  readonly #origin: string;
  #anchor: { readonly serverMs: number; readonly at: number } | null = null;

  constructor(session: HttpSession, origin: string) {
    this.session = session;
    this.#origin = origin;
  }

  /** Whole seconds since 1970; asks the server once and counts on from there. */
  async seconds(signal: AbortSignal): Promise<number> {
    this.#anchor ??= await this.#ask(signal);
    return Math.floor((this.#anchor.serverMs + performance.now() - this.#anchor.at) / 1000);
  }

  async #ask(signal: AbortSignal) {
    const { headers } = await this.session.send({ method: 'HEAD', url: `${this.#origin}/`, signal });
    const serverMs = Date.parse(headers.date ?? '');
    if (Number.isNaN(serverMs))
      throw this.session.badAnswer('the server does not tell the time (no Date header)');
    return { serverMs, at: performance.now() };
  }
}
