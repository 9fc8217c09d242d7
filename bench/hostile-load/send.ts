import { Agent, request } from 'node:http';

const AGENT = new Agent({ keepAlive: true, maxSockets: Infinity });

export interface Reply {
  readonly status: number;
  readonly body: string;
  readonly retryAfter: number | undefined;
  /** To the first part of the reply. */
  readonly firstMs: number;
  readonly ms: number;
}

/** One request of a person; without a body it reads. */
export function send(
  url: string,
  { key, body, accept }: { readonly key?: string; readonly body?: unknown; readonly accept?: string } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const from = performance.now();
    const headers = {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(accept !== undefined && { accept }),
    };
    const method = body === undefined ? 'GET' : 'POST';
    const sent = request(url, { method, agent: AGENT, headers }, (response) => {
      const firstMs = performance.now() - from;
      let text = '';
      response.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      response.on('end', () => {
        const after = Number(response.headers['retry-after']);
        resolve({
          ...{ status: response.statusCode ?? 0, body: text, firstMs, ms: performance.now() - from },
          retryAfter: Number.isFinite(after) ? after : undefined,
        });
      });
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** The code of a typed error; empty where there is none. */
export function errorCode({ body }: Reply): string {
  try {
    return String(JSON.parse(body).error?.code ?? '');
  } catch {
    return '';
  }
}
