import type { Cell } from '../../src/sql/dialects/cell.ts';
import type { ServerKind } from '../servers/find-server.ts';
import type { StartedServer } from '../servers/started-server.ts';

/** A kind of server as `survivesFaults` sees it. */
export interface FaultFixture {
  readonly kind: ServerKind;
  readonly scheme: string;
  start(options?: {
    readonly settings?: Readonly<Record<string, string>>;
    readonly files?: Readonly<Record<string, string>>;
  }): Promise<StartedServer>;
  /** A statement that runs for minutes. */
  readonly endless: string;
  /** Ends all connections of the reader. */
  readonly endConnections: string;
  /** Counts as `n` the statements that run for the reader. */
  readonly running: string;
  /** Keeps the table `locked` from being read, for three seconds. */
  readonly lock: string;
  /** A table that no reader may read. */
  readonly forbidden: string;
  /** Settings of a server with few connections. */
  readonly few: Readonly<Record<string, string>>;
  /** Options of the URL. */
  readonly tls: {
    readonly off: string;
    readonly needed: string;
    readonly checked: string;
    /** The name of the option for the file of the authority. */
    readonly authority: string;
  };
  /** Settings of a server with the certificates `server.crt` and `server.key` among its files. */
  readonly tlsSettings: Readonly<Record<string, string>>;
  readonly isEncrypted: { readonly sql: string; readonly yes: Cell };
  /** The code for a certificate that is not made out to the address in the URL. */
  readonly otherName: 'database.tls-failed' | 'database.invalid-url';
}
