import type { ServerKind } from './find-server.ts';

/** The account that may only read; the password is checked by both servers. */
export const READER = { user: 'candor_reader', password: 'reader-s3cret' } as const;

export interface StartedServer {
  readonly kind: ServerKind;
  readonly port: number;
  /** Holds the data and the unix socket. */
  readonly folder: string;
  /** The server's own database, as an account that may do everything. */
  readonly adminUrl: string;
  /** The server's main process; another one after `restart`. */
  processId(): number;
  /** Ends the server and removes its folder. */
  stop(): Promise<void>;
  /** As a power cut; the data stays for `restart`. */
  kill(): Promise<void>;
  /** Runs the killed server again, on the same port. */
  restart(): Promise<void>;
}
