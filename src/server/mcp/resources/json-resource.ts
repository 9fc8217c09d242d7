import type { ReadResourceResult } from '@modelcontextprotocol/server';
import { toJsonValue } from '../../../results/index.ts';

export function jsonResource(uri: URL, value: unknown): ReadResourceResult {
  const text = JSON.stringify(toJsonValue(value), null, 1);
  return { contents: [{ uri: uri.href, mimeType: 'application/json', text }] };
}
