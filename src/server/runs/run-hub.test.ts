import { describe, expect, it } from 'vitest';
import { type Run, RunHub } from './run-hub.ts';

const never = new AbortController().signal;

async function namesOf(run: Run, after = 0, signal = never): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of run.read(after, signal)) names.push(name);
  return names;
}

function found(hub: RunHub, id: string): Run {
  const run = hub.find(id);
  if (run === undefined) throw new Error(`there is no run ${id}`);
  return run;
}

describe('a run', () => {
  it('is read while it works and after its end, from any event on', async () => {
    const hub = new RunHub();
    const slow = hub.start('b', 'chat b', async (each) => {
      each.emit('one', 1);
      await Promise.resolve();
      each.emit('two', { a: 2 });
    });
    expect(await Promise.all([namesOf(slow), namesOf(slow, 1)])).toEqual([['one', 'two'], ['two']]);
    expect(await namesOf(found(hub, 'b'), 2)).toEqual([]);
    expect(hub.running).toBe(0);
  });

  it('goes on when a reader leaves, and ends when it is cancelled', async () => {
    const hub = new RunHub();
    const run = hub.start('a', 'chat a', async (each) => {
      each.emit('start', null);
      await new Promise((resolve) => each.signal.addEventListener('abort', resolve));
      each.emit('cancelled', null);
    });
    const reader = new AbortController();
    const read = namesOf(run, 0, reader.signal);
    reader.abort();
    await read;
    expect(hub.running).toBe(1);
    run.cancel();
    expect(await namesOf(run)).toEqual(['start', 'cancelled']);
  });

  it('is refused when there are too many, and forgotten when it is old', async () => {
    const hub = new RunHub({ mostAtOnce: 1, mostKept: 1 });
    const hanging = hub.start(
      'a',
      'chat a',
      (each) => new Promise((resolve) => each.signal.addEventListener('abort', () => resolve())),
    );
    expect(() => hub.start('b', 'chat b', async () => undefined)).toThrow('1 runs are in work already');
    hanging.cancel();
    await hanging.ended;
    await hub.start('b', 'chat b', async () => undefined).ended;
    expect(hub.find('a')).toBeUndefined();
    expect(hub.find('b')?.id).toBe('b');
  });

  it('is the only one of its subject', async () => {
    const hub = new RunHub();
    const run = hub.start('a', 'chat', () => new Promise((resolve) => setImmediate(resolve)));
    expect(() => hub.start('b', 'chat', async () => undefined)).toThrow('in work');
    await run.ended;
    expect(hub.start('b', 'chat', async () => undefined).id).toBe('b');
  });

  it('may end in its own time when the hub closes, for a while', async () => {
    const hub = new RunHub();
    const quick = hub.start('a', 'chat a', async (each) => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      each.emit('done', each.signal.aborted);
    });
    const slow = hub.start('b', 'chat b', async (each) => {
      await new Promise((resolve) => each.signal.addEventListener('abort', resolve));
      each.emit('error', String(each.signal.reason));
    });
    const closed = hub.close(200);
    expect(hub.isClosing).toBe(true);
    expect(await namesOf(quick)).toEqual(['done']);
    expect(quick.signal.aborted).toBe(false);
    await closed;
    expect(await namesOf(slow)).toEqual(['error']);
    expect(String(slow.signal.reason)).toContain('closing');
  });

  it('is cancelled with the hub, which then takes none', async () => {
    const hub = new RunHub();
    const run = hub.start(
      'a',
      'chat a',
      (each) => new Promise((resolve) => each.signal.addEventListener('abort', () => resolve())),
    );
    await hub.close();
    expect(run.signal.aborted).toBe(true);
    expect(() => hub.start('b', 'chat b', async () => undefined)).toThrow('closing');
  });
});
