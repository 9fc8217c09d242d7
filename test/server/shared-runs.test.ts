/** Runs of two servers over one PostgreSQL, without HTTP. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { CandorError } from '../../src/errors.ts';
import { openServerState, type ServerState } from '../../src/server/index.ts';
import type { FollowedRun, RunInWork } from '../../src/server/parts/server-parts.ts';
import { SERVER_LOCKS, SharedRunTable } from '../../src/server/runs/shared-run-table.ts';
import { SharedRuns } from '../../src/server/runs/shared-runs.ts';
import type { PostgresListener } from '../../src/store/index.ts';
import { codeOf } from '../fixtures/code-of.ts';
import { describeWithServer, postgresServer } from '../servers/server-of-run.ts';
import type { TestDatabase } from '../servers/test-server.ts';

const never = new AbortController().signal;

async function namesOf(run: FollowedRun | undefined, after = 0): Promise<string[]> {
  if (run === undefined) return ['there is no run'];
  const names: string[] = [];
  for await (const { name } of run.read(after, never)) names.push(name);
  return names;
}

/** Work that ends when it is told to. */
function held() {
  let end = (): void => undefined;
  const until = new Promise<void>((resolve) => {
    end = resolve;
  });
  const work = async (run: RunInWork): Promise<void> => {
    run.emit('begun', null);
    await Promise.race([until, new Promise((resolve) => run.signal.addEventListener('abort', resolve))]);
    if (run.signal.aborted) run.emit('error', String(run.signal.reason));
    else
      await run.finish(async () => undefined, 'done', null).catch((error) => run.emit('error', `${error}`));
  };
  return { work, end: () => end() };
}

describeWithServer('postgres', 'runs of two servers', () => {
  let database: TestDatabase;
  let state: ServerState;
  let table: SharedRunTable;
  const ears: PostgresListener[] = [];
  let [a, b] = [0, 0];
  let number = 0;

  const joined = async (): Promise<[number, PostgresListener]> => {
    number += 1;
    const mine = number;
    const quiet = { channels: [], onNotice: () => undefined, onConnected: () => undefined };
    const ear = await state.shared?.listen({ ...quiet, lock: [SERVER_LOCKS, mine] });
    if (ear === undefined) throw new Error('the state is not shared');
    ears.push(ear);
    return [mine, ear];
  };
  const serverOf = (at: number): SharedRuns => new SharedRuns(table, at);

  beforeAll(async () => {
    database = await (await postgresServer()).createDatabase('runs');
    const config = { groups: {}, workspaces: {}, embedOrigins: [], state: `${database.adminUrl}?pool=8` };
    state = await openServerState({ derivedDirectory: '.', server: config });
    table = new SharedRunTable(state, '');
  }, 60_000);
  beforeEach(async () => {
    [[a], [b]] = [await joined(), await joined()];
  });
  afterAll(async () => {
    for (const ear of ears) await ear.close();
    await state.close();
    await database.drop();
  });

  it('are read on the other server while they work and after their end, from any event on', async () => {
    const [one, other] = [serverOf(a), serverOf(b)];
    const { work, end } = held();
    await one.start('read', 'chat read', work);
    const foreign = await other.find('read');
    const read = namesOf(foreign);
    await wait(300);
    end();
    expect(await read).toEqual(['begun', 'done']);
    expect([await namesOf(await one.find('read'), 1), await namesOf(await other.find('read'), 2)]).toEqual([
      ['done'],
      [],
    ]);
    expect(await other.find('nothing')).toBeUndefined();
  });

  it('are the only ones of their subject, and the same under the same key', async () => {
    const [one, other] = [serverOf(a), serverOf(b)];
    const { work, end } = held();
    await one.start('key', 'chat once', work);
    expect(await codeOf(other.start('another', 'chat once', work))).toBe('server.busy');
    expect(await codeOf(other.start('key', 'chat two', work))).toBe('server.invalid-request');
    const same = await other.start('key', 'chat once', async () => expect.unreachable('it is in work'));
    end();
    expect(await namesOf(same)).toEqual(['begun', 'done']);
    const later = await other.start('key', 'chat once', async () => expect.unreachable('it has ended'));
    expect(await namesOf(later)).toEqual(['begun', 'done']);
  });

  it('begin once, however many servers are asked at the same moment', async () => {
    const servers = [serverOf(a), serverOf(b), serverOf(a), serverOf(b)];
    let begun = 0;
    const work = async (run: RunInWork): Promise<void> => {
      begun += 1;
      await run.finish(async () => undefined, 'done', null);
    };
    const runs = await Promise.all(servers.map((each) => each.start('many', 'chat many', work)));
    expect(await Promise.all(runs.map((run) => namesOf(run)))).toEqual(runs.map(() => ['done']));
    expect(begun).toBe(1);
  });

  it('of a server that is gone are lost, and taken up once by whoever is sent the same', async () => {
    const [gone, ear] = await joined();
    const { work, end } = held();
    const lostServer = serverOf(gone);
    await lostServer.start('lost', 'chat lost', work);
    const readers = namesOf(await serverOf(a).find('lost'));
    await wait(200);
    await ear.close();
    expect(await readers).toEqual(['begun', 'error']);
    const again = await Promise.all(
      [a, b].map((at) =>
        serverOf(at).start('lost', 'chat lost', async (run) => {
          await wait(50);
          await run.finish(async () => undefined, 'done', null);
        }),
      ),
    );
    expect(await Promise.all(again.map((run) => namesOf(run)))).toEqual([['done'], ['done']]);
    // It was only slow: what it wanted to keep is refused.
    const own = await lostServer.find('lost');
    end();
    expect((await namesOf(own)).at(-1)).toBe('error');
    expect(await namesOf(await serverOf(a).find('lost'))).toEqual(['done']);
  });

  it('are cancelled from the other server', async () => {
    const one = serverOf(a);
    const { work } = held();
    await one.start('cancel', 'chat cancel', work);
    await (await serverOf(b).find('cancel'))?.cancel();
    await one.catchUp();
    expect(await namesOf(await serverOf(b).find('cancel'))).toEqual(['begun', 'error']);
  });

  it('of a server that closes end in its grace, or are handed over', async () => {
    const one = serverOf(a);
    const [quick, slow] = [held(), held()];
    await one.start('quick', 'chat quick', quick.work);
    await one.start('slow', 'chat slow', slow.work);
    const closed = one.close(300);
    expect(await codeOf(one.start('new', 'chat new', slow.work))).toBe('server.closing');
    quick.end();
    await closed;
    const other = serverOf(b);
    expect(await namesOf(await other.find('quick'))).toEqual(['begun', 'done']);
    expect(await namesOf(await other.find('slow'))).toEqual(['begun', 'error']);
    const taken = await other.start('slow', 'chat slow', (run) =>
      run.finish(async () => undefined, 'done', null),
    );
    expect(await namesOf(taken)).toEqual(['done']);
  });

  it('know whether they were kept where the connection was lost at the very moment', async () => {
    let losses = 2;
    const lossy: ServerState = {
      ...{ run: state.run, close: () => state.close() },
      // Once before anything is kept, once after all of it is.
      async transaction(work) {
        losses -= 1;
        if (losses === 1) throw new CandorError('database.connection-lost', 'cut');
        const result = await state.transaction(work);
        if (losses === 0) throw new CandorError('database.connection-lost', 'cut');
        return result;
      },
    };
    const one = new SharedRuns(new SharedRunTable(lossy, ''), a);
    let writes = 0;
    const run = await one.start('cut', 'chat cut', (each) =>
      each.finish(
        async () => {
          writes += 1;
        },
        'done',
        null,
      ),
    );
    expect(await namesOf(run)).toEqual(['done']);
    expect(await namesOf(await serverOf(b).find('cut'))).toEqual(['done']);
    expect(writes).toBe(1);
  });

  it('keep what they came to together with their end, or nothing of it', async () => {
    const one = serverOf(a);
    const count = async () => (await state.run("SELECT id FROM candor.records WHERE id = 'kept'")).length;
    const failed = await one.start('half', 'chat half', async (run) => {
      const write = async (within?: ServerState['run']): Promise<void> => {
        await within?.(
          "INSERT INTO candor.records (workspace, id, kind, record) VALUES ('', 'kept', 'answered', '{}')",
        );
        throw new Error('no');
      };
      await run.finish(write, 'done', null).catch(() => run.emit('error', null));
    });
    expect(await namesOf(failed)).toEqual(['error']);
    expect(await count()).toBe(0);
  });
});
