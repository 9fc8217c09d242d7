/** Certificates for tests of TLS, made by the openssl program. */
import { execFileSync } from 'node:child_process';

export function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Writes an authority (`ca.crt`) and a certificate of it for `localhost` (`server.crt`, `server.key`). */
export function makeCertificates(folder: string): void {
  const openssl = (...args: string[]): void => {
    execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  };
  const key = (name: string): string[] => ['-newkey', 'rsa:2048', '-nodes', '-keyout', `${name}.key`];
  openssl('req', '-x509', ...key('ca'), '-out', 'ca.crt', '-days', '2', '-subj', '/CN=Test authority');
  openssl(
    'req',
    ...key('server'),
    '-out',
    'server.csr',
    '-subj',
    '/CN=localhost',
    '-addext',
    'subjectAltName=DNS:localhost',
  );
  openssl(
    ...['x509', '-req', '-in', 'server.csr', '-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial'],
    ...['-out', 'server.crt', '-days', '2', '-copy_extensions', 'copy'],
  );
}
