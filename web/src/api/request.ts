import { ApiError } from './api-error.ts';
import type { Failure } from './contract.ts';
import { serverKey, serverUrl } from './server-url.ts';

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The JSON of a reply. Throws `ApiError` where the server refuses, and where nothing answers. */
export async function request<Reply>(path: string, options: RequestOptions = {}): Promise<Reply> {
  const response = await send(path, options);
  return (await response.json()) as Reply;
}

/** A reply that is good, unread. */
export async function send(
  path: string,
  { method, body, headers, signal }: RequestOptions,
): Promise<Response> {
  const response = await fetch(serverUrl(path), {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...serverKey(),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    credentials: 'same-origin',
    signal: signal ?? null,
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    throw new ApiError(nothing('The server does not answer.', 'See that candor serve runs.'), 0);
  });
  if (!response.ok) throw new ApiError(await readFailure(response), response.status);
  return response;
}

async function readFailure(response: Response): Promise<Failure> {
  const text = await response.text();
  try {
    const { error } = JSON.parse(text) as { error: Failure };
    if (typeof error.message === 'string') return error;
  } catch {
    // What stands between may reply with a page of its own.
  }
  return nothing(`The server replied with ${response.status}.`, 'Try again.');
}

function nothing(message: string, next: string): Failure {
  return { code: 'internal.bug', message, next, requestId: '' };
}
