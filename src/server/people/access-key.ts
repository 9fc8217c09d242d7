import { createHash, timingSafeEqual } from 'node:crypto';

/** A key is `cnd_`, eight letters to find it by, `_`, and a secret of 256 bits. */
const KEY = /^cnd_([A-Za-z0-9]{8})_([A-Za-z0-9_-]{43})$/;

export interface ParsedKey {
  /** Kept as it is. */
  readonly prefix: string;
  /** Of the whole key; a key is random enough to need no salt and no slow hash. */
  readonly hash: Buffer;
}

/** Undefined for what is no key. */
export function parseKey(key: string): ParsedKey | undefined {
  const prefix = KEY.exec(key)?.[1];
  return prefix === undefined ? undefined : { prefix, hash: hashSecret(key) };
}

/** A key of random bytes: eight for its name, 32 for its secret. */
export function makeKey(random: (bytes: number) => Buffer): string {
  return `cnd_${random(4).toString('hex')}_${random(32).toString('base64url')}`;
}

export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** In the same time wherever they differ. */
export function sameHash(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
