import { describe, expect, it } from 'vitest';
import { WorkLine } from './score-all.ts';

describe('WorkLine', () => {
  it('does so many at once, in the order of their coming', async () => {
    const line = new WorkLine(2, 10);
    const [began, ends]: [number[], (() => void)[]] = [[], []];
    const works = [0, 1, 2, 3].map((work) =>
      line.run(() => {
        began.push(work);
        return new Promise<void>((resolve) => ends.push(resolve));
      }),
    );
    expect(began).toEqual([0, 1]);
    expect(line.length).toBe(4);
    ends[1]?.();
    await works[1];
    await Promise.resolve();
    expect(began).toEqual([0, 1, 2]);
    ends[0]?.();
    await works[0];
    for (let turn = 0; turn < 5 && ends.length < 4; turn += 1) await Promise.resolve();
    for (const end of ends) end();
    await Promise.all(works);
    expect([began, line.length]).toEqual([[0, 1, 2, 3], 0]);
  });

  it('has room up to its bound, and gives a place back when a work fails', async () => {
    const line = new WorkLine(1, 2);
    expect([line.hasRoom(3), line.hasRoom(4)]).toEqual([true, false]);
    const failing = line.run(() => Promise.reject(new Error('no')));
    expect([line.hasRoom(2), line.hasRoom(3)]).toEqual([true, false]);
    await expect(failing).rejects.toThrow('no');
    expect(line.hasRoom(3)).toBe(true);
    expect(line.secondsLeft).toBe(1);
  });
});
