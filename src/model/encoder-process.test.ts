import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { childProcesses } from '../../test/conformance/child-processes.ts';
import { codeOf } from '../../test/fixtures/code-of.ts';
import { ROOT } from '../../test/repo/read-imports.ts';
import { openEmbeddingModel } from './index.ts';

const SETTINGS = { embedding: 'built-in' };
const OPEN = `
  import { openEmbeddingModel } from './src/model/index.ts';
  const model = await openEmbeddingModel(${JSON.stringify(SETTINGS)});`;

/** Another program of this repository; \`hasEnded\` tells whether it is gone by itself. */
function start(code: string) {
  return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', OPEN + code], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

describe('the encoder process', () => {
  it('that is killed fails what it was doing, and the next text starts another', async () => {
    const before = await childProcesses();
    const model = await openEmbeddingModel(SETTINGS);
    await model.embed(['a']);
    const [own = 0] = (await childProcesses()).filter((id) => !before.includes(id));
    const working = codeOf(model.embed(Array.from({ length: 256 }, (_, index) => `text ${index}`)));
    setImmediate(() => process.kill(own, 'SIGKILL'));
    expect(await working).toBe('model.process-ended');
    expect((await model.embed(['a'])).length).toBe(1);
    await model.close();
    expect(await childProcesses()).toEqual(before);
  });

  it('does not start before the first text', async () => {
    const before = await childProcesses();
    const model = await openEmbeddingModel(SETTINGS);
    expect(await childProcesses()).toEqual(before);
    await model.close();
  });

  it('leaves the event loop free while it works', async () => {
    const model = await openEmbeddingModel(SETTINGS);
    await model.embed(['a']);
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    await model.embed(Array.from({ length: 64 }, (_, index) => `a longer text about order ${index}`));
    clearInterval(timer);
    await model.close();
    expect(turns).toBeGreaterThan(3);
  });

  it('does not keep a program alive that forgets to close it', async () => {
    const program = start(`console.log((await model.embed(['a'])).length);`);
    const [code] = await once(program, 'exit');
    expect(code).toBe(0);
  });

  it('ends when its program is killed', async () => {
    const program = start(`
      import { readFileSync } from 'node:fs';
      await model.embed(['a']);
      console.log(readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8'));
      setInterval(() => {}, 1000);`);
    let printed = '';
    for await (const chunk of program.stdout) {
      printed += String(chunk);
      if (printed.includes('\n')) break;
    }
    const children = printed.trim().split(/\s+/).map(Number);
    expect(children.length).toBeGreaterThan(0);
    const exited = once(program, 'exit');
    program.kill('SIGKILL');
    await exited;
    await expect.poll(() => children.filter(isRunning), { timeout: 20_000 }).toEqual([]);
  });
});

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch {
    return false;
  }
}
