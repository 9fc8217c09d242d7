/** What goes wrong with servers, on private ones that may be killed: the code, and that it works again after. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Database } from '../../src/database/index.ts';
import { CandorError } from '../../src/errors.ts';
import { codeOf } from '../fixtures/code-of.ts';
import { describeWithServer } from '../servers/server-of-run.ts';
import { freePort } from '../servers/server-process.ts';
import { READER, type StartedServer } from '../servers/started-server.ts';
import { type TestDatabase, type TestServer, toTestServer } from '../servers/test-server.ts';
import { expectNoSecret } from './expect-no-secret.ts';
import type { FaultFixture } from './fault-fixture.ts';
import { hasOpenssl, makeCertificates } from './tls-certificates.ts';

const LIMITS = { rows: 100, bytes: 100_000, timeoutMs: 20_000 };

export function survivesFaults({ kind, start, scheme, tls, ...sql }: FaultFixture): void {
  describeWithServer(kind, `${kind} with faults`, () => {
    let own: StartedServer;
    let server: TestServer;
    let made: TestDatabase;
    let database: Database;

    beforeAll(async () => {
      own = await start();
      server = toTestServer(own);
      made = await server.createDatabase('shop');
      await made.run('CREATE TABLE t (a INT); INSERT INTO t VALUES (7); CREATE TABLE locked (a INT)');
      database = await connect(`${made.url}?pool=2`);
    });
    afterAll(async () => {
      await database?.close();
      await own?.stop();
    });
    const works = async (): Promise<void> =>
      expect((await database.query('SELECT a FROM t', LIMITS)).rows).toEqual([[7]]);
    const url = (change: (url: URL) => void): string => {
      const changed = new URL(made.url);
      change(changed);
      return changed.href;
    };
    /** Waits until the server says that it runs something for the reader. */
    const untilRunning = async (): Promise<void> => {
      for (;;) {
        if (Number((await server.run(sql.running))[0]?.n) > 0) return;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };

    describe('a connection that breaks', () => {
      it('while a query runs', async () => {
        const running = codeOf(database.query(sql.endless, LIMITS));
        await untilRunning();
        await server.run(sql.endConnections);
        expect(await running).toBe('database.connection-lost');
        await works();
      });
      it('while it is idle: nobody notices', async () => {
        await Promise.all([works(), works()]);
        await server.run(sql.endConnections);
        await works();
      });
      it('with the server, which comes back', async () => {
        const running = codeOf(database.query(sql.endless, LIMITS));
        await untilRunning();
        await own.kill();
        expect(await running).toBe('database.connection-lost');
        expect(await codeOf(database.query('SELECT 1', LIMITS))).toBe('database.unreachable');
        await own.restart();
        await works();
      });
    });

    it('leaves nothing running on the server after a timeout, a cancel or the end', async () => {
      const opened = await connect(made.url);
      const controller = new AbortController();
      // Longer than the test: the server's own time limit would end them as well.
      const long = { ...LIMITS, timeoutMs: 600_000 };
      const runs = [
        codeOf(opened.query(sql.endless, { ...LIMITS, timeoutMs: 300 })),
        codeOf(opened.query(sql.endless, long, controller.signal)),
        codeOf(opened.query(sql.endless, long)),
      ];
      await untilRunning();
      controller.abort();
      expect(await Promise.all(runs.slice(0, 2))).toEqual(['database.timeout', 'database.cancelled']);
      await opened.close();
      expect(await runs[2]).toBe('database.cancelled');
      for (let left = 1; left > 0; ) left = Number((await server.run(sql.running))[0]?.n);
    });

    it('stops a query whenever the cancel comes, also between two messages', async () => {
      for (let afterMs = 0; afterMs < 12; afterMs += 1) {
        const controller = new AbortController();
        setTimeout(() => controller.abort(), afterMs);
        const long = { ...LIMITS, timeoutMs: 600_000 };
        expect(await codeOf(database.query(sql.endless, long, controller.signal))).toBe('database.cancelled');
      }
      for (let left = 1; left > 0; ) left = Number((await server.run(sql.running))[0]?.n);
    });

    it('all connections in use: waits as long as the query may take, and says so', async () => {
      const opened = await connect(url((changed) => changed.searchParams.set('pool', '1')));
      const controller = new AbortController();
      const running = codeOf(opened.query(sql.endless, LIMITS, controller.signal));
      const waiting = await opened.query('SELECT 1', { ...LIMITS, timeoutMs: 300 }).catch((error) => error);
      expect(waiting).toMatchObject({ code: 'database.timeout' });
      expect(waiting.message).toContain('none of the 1 connections');
      expect(await codeOf(opened.query('SELECT 1', LIMITS, AbortSignal.timeout(100)))).toBe(
        'database.cancelled',
      );
      controller.abort();
      expect(await running).toBe('database.cancelled');
      expect((await opened.query('SELECT 1', LIMITS)).rows).toEqual([[1]]);
      await opened.close();
    });

    it('a table that another locks', async () => {
      const locking = made.run(sql.lock);
      await new Promise((resolve) => setTimeout(resolve, 300));
      const query = database.query('SELECT * FROM locked', { ...LIMITS, timeoutMs: 1500 });
      expect(await codeOf(query)).toBe('database.locked');
      await locking;
      expect((await database.query('SELECT * FROM locked', LIMITS)).rows).toEqual([]);
    });

    it('a schema that changes between two reads', async () => {
      const before = await database.stamp();
      await made.run('ALTER TABLE t RENAME COLUMN a TO b');
      expect(await database.stamp()).not.toBe(before);
      expect(await codeOf(database.query('SELECT a FROM t', LIMITS))).toBe('database.query-failed');
      const table = (await database.readSchema()).tables.find(({ name }) => name === 't');
      expect(table?.columns.map(({ name }) => name)).toEqual(['b']);
      await made.run('ALTER TABLE t RENAME COLUMN b TO a');
      expect(await database.stamp()).toBe(before);
      await works();
    });

    it('rows that change show in the stamp of the data', async () => {
      const stampOf = async (): Promise<string | undefined> => {
        // Both engines tell of a change only a second or two after it.
        await new Promise((resolve) => setTimeout(resolve, 2100));
        return (await database.readSchema()).tables.find(({ name }) => name === 'locked')?.dataStamp;
      };
      await made.run('INSERT INTO locked VALUES (1)');
      const before = await stampOf();
      expect(before).toEqual(expect.any(String));
      expect(await stampOf()).toBe(before);
      await made.run('UPDATE locked SET a = 2');
      expect(await stampOf()).not.toBe(before);
      await made.run('DELETE FROM locked');
    });

    describe('what cannot be connected to', () => {
      const secret = 'p@ss/w%rd?#:x';
      const withSecret = (change: (url: URL) => void = () => undefined): string =>
        url((changed) => {
          changed.password = encodeURIComponent(secret);
          change(changed);
        });
      it.each([
        ['a port where nobody listens', 'database.unreachable', async () => String(await freePort())],
        ['an unknown host', 'database.unreachable', undefined],
        ['a wrong password', 'database.access-denied', undefined],
        ['an unknown user', 'database.access-denied', undefined],
        ['a server without TLS that should have it', 'database.tls-failed', undefined],
        ['an unknown option', 'database.invalid-url', undefined],
        ['a certificate that is not there', 'database.tls-failed', undefined],
      ] as const)('%s', async (what, code, port) => {
        const target = withSecret((changed) => {
          if (what === 'an unknown host') changed.hostname = 'no-such-host.invalid';
          if (what === 'an unknown user') changed.username = 'nobody';
          if (what.startsWith('a server without TLS')) changed.search = tls.needed;
          if (what === 'an unknown option') changed.search = 'bogus=1';
          if (what.startsWith('a certificate')) {
            changed.hostname = 'localhost';
            changed.search = `${tls.checked}&${tls.authority}=/no/such.crt`;
          }
        });
        const place = port === undefined ? target : target.replace(`:${own.port}/`, `:${await port()}/`);
        const error = await connect(place).catch((caught: unknown) => caught);
        expect(error).toBeInstanceOf(CandorError);
        expect(error).toMatchObject({ code });
        expectNoSecret(error, secret);
      });
      it('an unknown database', async () => {
        const unknown = new URL(made.adminUrl);
        unknown.pathname = '/no_such_database';
        expect(await codeOf(connect(unknown.href))).toBe('database.not-found');
      });
      it('a URL with a password that is not encoded', async () => {
        for (const password of ['tiger#1', 'tiger/1', 'tiger?1', 'tiger%']) {
          const error = await connect(`${scheme}://scott:${password}@127.0.0.1:${own.port}/x`).catch(
            (e) => e,
          );
          expect(error, password).toMatchObject({ code: 'database.invalid-url' });
          expectNoSecret(error, 'tiger');
        }
      });
      it('a table that the user may not read', async () => {
        const error = await database
          .query(`SELECT * FROM ${sql.forbidden}`, LIMITS)
          .catch((caught: unknown) => caught);
        expect(error).toMatchObject({ code: 'database.access-denied' });
        expectNoSecret(error, READER.password);
      });
      it('never shows the password of a database that works', async () => {
        expectNoSecret([database.url, database, await database.describe()], READER.password);
        const error = await database.query('SELECT 1 / nothing', LIMITS).catch((caught: unknown) => caught);
        expectNoSecret(error, READER.password);
      });
    });

    it('a server whose connections are all taken', async () => {
      const small = await start({ settings: sql.few });
      const opened: Database[] = [];
      try {
        const target = toTestServer(small).url.replace('/mysql', '/information_schema');
        let code = 'no error';
        while (code === 'no error' && opened.length < 30) {
          code = await codeOf(connect(target).then((one) => opened.push(one)));
        }
        expect(code).toBe('database.unreachable');
        await Promise.all(opened.splice(0).map((one) => one.close()));
      } finally {
        await Promise.all(opened.map((one) => one.close()));
        await small.stop();
      }
    });

    describe.skipIf(!hasOpenssl())('TLS', () => {
      let folder: string;
      let secured: StartedServer;
      let target: string;

      beforeAll(async () => {
        folder = mkdtempSync(join(tmpdir(), 'candor-tls-'));
        makeCertificates(folder);
        secured = await start({
          settings: sql.tlsSettings,
          files: {
            'server.crt': readFileSync(join(folder, 'server.crt'), 'utf8'),
            'server.key': readFileSync(join(folder, 'server.key'), 'utf8'),
          },
        });
        const fresh = await toTestServer(secured).createDatabase('shop');
        // The certificate is made out to this name.
        target = fresh.url.replace('127.0.0.1', 'localhost');
      });
      afterAll(async () => {
        await secured?.stop();
        rmSync(folder, { recursive: true, force: true });
      });
      const isEncrypted = async (address: string): Promise<unknown> => {
        const opened = await connect(address);
        const { rows } = await opened.query(sql.isEncrypted.sql, LIMITS);
        await opened.close();
        return rows[0]?.[0];
      };

      it('is used where the server has it, unless the URL says otherwise', async () => {
        expect(await isEncrypted(target)).toBe(sql.isEncrypted.yes);
        expect(await isEncrypted(`${target}?${tls.needed}`)).toBe(sql.isEncrypted.yes);
        expect(await isEncrypted(`${target}?${tls.off}`)).not.toBe(sql.isEncrypted.yes);
      });
      it('checks who the server is against an authority', async () => {
        const authority = `${tls.authority}=${join(folder, 'ca.crt')}`;
        expect(await isEncrypted(`${target}?${tls.checked}&${authority}`)).toBe(sql.isEncrypted.yes);
        const relative = `${target}?${tls.checked}&${tls.authority}=ca.crt`;
        await (await connect(relative, { baseDirectory: folder })).close();
        expect(await codeOf(connect(relative))).toBe('database.tls-failed');
        expect(await codeOf(connect(`${target}?${tls.checked}`))).toBe('database.tls-failed');
        const otherName = target.replace('localhost', '127.0.0.1');
        expect(await codeOf(connect(`${otherName}?${tls.checked}&${authority}`))).toBe(sql.otherName);
      });
      it('stops a query of an encrypted session', async () => {
        const opened = await connect(`${target}?${tls.needed}`);
        expect(await codeOf(opened.query(sql.endless, { ...LIMITS, timeoutMs: 300 }))).toBe(
          'database.timeout',
        );
        for (let left = 1; left > 0; ) left = Number((await toTestServer(secured).run(sql.running))[0]?.n);
        await opened.close();
      });
    });
  });
}
