import { execFileSync } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createPlainServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createSilentServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { codeOf } from '../../../test/fixtures/code-of.ts';
import { HttpSession } from './http-session.ts';

const opened: { close(): unknown }[] = [];

afterEach(async () => {
  for (const { close } of opened.splice(0)) await close();
});

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  const close = (): Promise<unknown> => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  };
  opened.push({ close });
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

it('leaves nothing behind on the signal it was given', async () => {
  const port = await portOf(createPlainServer((_request, response) => response.end('yes')));
  const origin = `http://127.0.0.1:${port}`;
  const session = sessionFor(origin);
  const { signal } = new AbortController();
  for (let round = 0; round < 50; round++) await session.send({ method: 'GET', url: origin, signal });
  await new Promise((resolve) => setImmediate(resolve));
  expect(getEventListeners(signal, 'abort').length).toBeLessThan(5);
});

function sessionFor(origin: string, ca?: string): HttpSession {
  const session = new HttpSession({
    ...{ title: 'Service', origins: [origin], secrets: ['s3cret'] },
    ...(ca === undefined ? {} : { ca }),
  });
  opened.unshift({ close: () => session.close() });
  return session;
}

const get = (session: HttpSession, url: string) =>
  session.send({ method: 'GET', url, signal: AbortSignal.timeout(60_000) });

it('speaks to its own origins alone', async () => {
  let asked = 0;
  const port = await portOf(createPlainServer((_request, response) => response.end(String(++asked))));
  const session = sessionFor('http://127.0.0.1:1');
  expect(await codeOf(get(session, `http://127.0.0.1:${port}/`))).toBe('database.bad-answer');
  expect(asked).toBe(0);
});

it('goes without TLS to this machine only, unless told to', () => {
  const options = { title: 'Service', secrets: [], origins: ['http://warehouse.example'] };
  expect(() => new HttpSession(options)).toThrow('without encryption');
  expect(() => new HttpSession({ ...options, mayBePlain: true })).not.toThrow();
});

it('begins anew on a connection that the server closed meanwhile', async () => {
  const server = createPlainServer((_request, response) => response.end('yes'));
  const port = await portOf(server);
  const origin = `http://127.0.0.1:${port}`;
  const session = sessionFor(origin);
  for (let round = 0; round < 3; round++) {
    expect((await get(session, origin)).body).toBe('yes');
    server.closeAllConnections();
  }
});

it('hides its secrets, also later ones', () => {
  const session = sessionFor('http://127.0.0.1:1');
  session.hide('t0ken');
  expect(session.clean('s3cret and t0ken and s3cret')).toBe('*** and *** and ***');
});

describe('TLS', () => {
  it('does not wait for ever for a handshake', async () => {
    const port = await portOf(createSilentServer());
    const origin = `https://127.0.0.1:${port}`;
    const session = new HttpSession({ title: 'S', origins: [origin], secrets: [], connectTimeoutMs: 100 });
    opened.unshift({ close: () => session.close() });
    expect(await codeOf(get(session, origin))).toBe('database.unreachable');
  });

  it('fails on a server that has none', async () => {
    const port = await portOf(createPlainServer((_request, response) => response.end()));
    const origin = `https://127.0.0.1:${port}`;
    expect(await codeOf(get(sessionFor(origin), origin))).toBe('database.tls-failed');
  });

  const folder = mkdtempSync(join(tmpdir(), 'candor-tls-'));
  const isMade = makeCertificate(folder);
  it.skipIf(!isMade)(
    'trusts the certificate it was given and no other (skipped without openssl)',
    async () => {
      const cert = readFileSync(join(folder, 'cert.pem'), 'utf8');
      const key = readFileSync(join(folder, 'key.pem'), 'utf8');
      rmSync(folder, { recursive: true });
      const port = await portOf(createTlsServer({ cert, key }, (_request, response) => response.end('yes')));
      const origin = `https://127.0.0.1:${port}`;
      expect(await codeOf(get(sessionFor(origin), origin))).toBe('database.tls-failed');
      expect((await get(sessionFor(origin, cert), origin)).body).toBe('yes');
      const other = `https://localhost:${port}`;
      expect(await codeOf(get(sessionFor(other, cert), other))).toBe('database.tls-failed');
    },
  );
});

function makeCertificate(folder: string): boolean {
  const subject = [
    '-subj',
    '/CN=127.0.0.1',
    '-addext',
    'subjectAltName=IP:127.0.0.1',
    '-days',
    '2',
    '-nodes',
  ];
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')];
  try {
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...subject, ...files], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}
