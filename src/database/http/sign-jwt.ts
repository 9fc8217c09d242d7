import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { CandorError } from '../../errors.ts';

/** A JSON Web Token signed with RS256 (RFC 7519, RFC 7518 §3.3). */
export function signJwt(claims: Readonly<Record<string, string | number>>, key: KeyObject): string {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
}

/** Throws `database.invalid-url` with the option that named the key; the crypto library's words may quote the key. */
export function readPrivateKey(option: string, pem: string, passphrase?: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: pem, ...(passphrase === undefined ? {} : { passphrase }) });
  } catch {
    const isLocked = passphrase === undefined && /ENCRYPTED/.test(pem);
    const hint = isLocked
      ? 'it is encrypted; name its passphrase'
      : 'it is no PEM key, or its passphrase is another';
    throw new CandorError('database.invalid-url', `the key of ${option} cannot be read: ${hint}`);
  }
  if (key.asymmetricKeyType === 'rsa') return key;
  throw new CandorError('database.invalid-url', `the key of ${option} is not an RSA key`);
}
