import { createHash } from 'node:crypto';

/** 96 bits of SHA-256: tells the statements of any log apart without keeping them. */
export function textKey(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
