import { createHash } from 'node:crypto';
import type { ChatRequest } from '../language-model.ts';

/** Names a request by everything the reply depends on: the model and all of the request but who waits for it and who is told. */
export function requestKey(model: string, { signal: _, onSend: __, ...request }: ChatRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([model, sorted(request)]))
    .digest('hex')
    .slice(0, 32);
}

/** With keys in one order, whoever built it. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
