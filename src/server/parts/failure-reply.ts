import type { Config } from '../../config/index.ts';
import { redactUrl } from '../../database/http/index.ts';
import { type CandorError, type ErrorCode, toCandorError } from '../../errors.ts';
import type { ServerParts } from './server-parts.ts';

const STATUSES: Partial<Record<ErrorCode, number>> = {
  'server.sign-in-needed': 401,
  'server.oidc-failed': 502,
  'query.not-approved': 403,
  'server.no-right': 403,
  'server.too-many-tries': 429,
  'server.quota': 429,
  'server.wrong-host': 403,
  'server.wrong-origin': 403,
  'server.unknown-route': 404,
  'server.not-found': 404,
  'record.not-found': 404,
  'jobs.unknown': 404,
  'jobs.not-ended': 409,
  'server.busy': 409,
  'server.changed': 409,
  'server.no-version': 428,
  'server.too-large': 413,
  'sql.too-large': 413,
  'server.wrong-type': 415,
  'server.overloaded': 429,
  'database.overloaded': 429,
  'server.closing': 503,
  'server.run-lost': 503,
  'database.timeout': 504,
};
const BY_KIND = { caller: 400, environment: 503, bug: 500 } as const;

export interface FailureReply {
  readonly status: number;
  readonly body: {
    readonly error: {
      readonly code: ErrorCode;
      readonly message: string;
      readonly next: string;
      readonly requestId: string;
    };
  };
}

export interface Told extends Pick<ServerParts, 'onBug'> {
  readonly session: { readonly config: Places };
}

/**
 * What went wrong, for a client, without where anything lies. A bug is told by its id alone, for its message may hold anything;
 * `onBug` hears the rest.
 */
export function failureReply(thrown: unknown, requestId: string, { onBug, session }: Told): FailureReply {
  const failure = toCandorError(thrown);
  const { code, kind, next } = failure;
  if (kind === 'bug') onBug(requestId, thrown instanceof Error ? thrown : failure);
  const message =
    kind === 'bug' ? 'Something went wrong inside the server.' : messageOf(failure, session.config);
  return { status: STATUSES[code] ?? BY_KIND[kind], body: { error: { code, message, next, requestId } } };
}

function messageOf({ message }: CandorError, places: Places): string {
  return withoutPlaces(message, places).slice(0, 2_000);
}

type Places = Pick<Config, 'root' | 'derivedDirectory' | 'databaseUrl'>;

/**
 * A text for people who need not know where the project lies and what it connects to: folders of the machine are left out of
 * paths, and the address of the database out of messages. Whoever runs the server finds both in its settings.
 */
function withoutPlaces(text: string, { root, derivedDirectory, databaseUrl }: Places): string {
  const url = redactUrl(databaseUrl);
  const address = /^[a-z][a-z0-9+.-]+:\/\/(?:[^/?#@]*@)?([^/?#]+)/i.exec(url)?.[1];
  const path = /^(?:sqlite|duckdb):(?:\/\/)?(.*?)(?:\?.*)?$/i.exec(url)?.[1];
  let shown = text.replaceAll(databaseUrl, 'the database').replaceAll(url, 'the database');
  if (address !== undefined) shown = shown.replaceAll(` at ${address}`, '').replaceAll(address, 'the server');
  for (const folder of [derivedDirectory, root]) shown = withoutFolder(shown, folder);
  if (path !== undefined && /[/\\]/.test(path)) shown = shown.replaceAll(path, lastPart(path));
  return shown;
}

/** A folder and all that it lies in: `/srv/shop/notes/a.md` → `notes/a.md`. */
function withoutFolder(text: string, folder: string): string {
  if (folder.length < 2) return text;
  return text.replaceAll(`${folder}/`, '').replaceAll(`${folder}\\`, '').replaceAll(folder, lastPart(folder));
}

function lastPart(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== '') ?? '';
}
