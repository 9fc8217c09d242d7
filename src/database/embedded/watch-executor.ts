/** A thread of the executor that looks at what the engine takes of the machine while it holds the main thread. */
import { Worker } from 'node:worker_threads';
import type { EmbeddedLimits } from './engine/embedded-settings.ts';
import { OVER_MEMORY, OVER_TEMPORARY } from './executor-protocol.ts';

/** An engine fills some 20 MB in that time. */
const LOOK_MS = 10;
const LOOK_AT_PARENT_MS = 500;

/**
 * Ends the process when a task takes more than its memory or temporary files, and when the parent has gone. An engine's own limits
 * do not cover all that it allocates, and a running SQLite query hears no 'disconnect'. What is given back says whether a
 * task is in work; without one the thread sleeps.
 */
export function watchExecutor(limits: EmbeddedLimits): (isBusy: boolean) => void {
  const busy = new Int32Array(new SharedArrayBuffer(4));
  const workerData = {
    ...{ busy, limits, lookMs: LOOK_MS, parentMs: LOOK_AT_PARENT_MS },
    marks: { memory: OVER_MEMORY, temporary: OVER_TEMPORARY },
  };
  new Worker(SOURCE, { eval: true, execArgv: [], stdout: true, stderr: true, workerData }).unref();
  return (isBusy) => {
    Atomics.store(busy, 0, isBusy ? 1 : 0);
    Atomics.notify(busy, 0);
  };
}

/** Plain text: a thread of its own would otherwise need the loader of TypeScript, which takes longer than many queries. */
const SOURCE = `
  const { fstatSync, writeSync } = require('node:fs');
  const { workerData: { busy, limits, lookMs, parentMs, marks } } = require('node:worker_threads');
  const MOST_FILES = 256;
  const parent = process.ppid;
  let lookedAtParent = 0;

  const end = (mark) => {
    writeSync(2, '\\n' + mark + '\\n');
    process.kill(process.pid, 'SIGKILL');
  };
  const isThere = () => {
    if (process.ppid !== parent) return false;
    try { process.kill(parent, 0); } catch (error) { return error.code !== 'ESRCH'; }
    return true;
  };
  // SQLite removes the name of a temporary file as soon as it has made it.
  const temporaryBytes = () => {
    let bytes = 0;
    for (let file = 3; file < MOST_FILES; file += 1) {
      try {
        const found = fstatSync(file);
        if (found.isFile() && found.nlink === 0) bytes += found.size;
      } catch {}
    }
    return bytes;
  };

  for (;;) {
    Atomics.wait(busy, 0, 0);
    Atomics.wait(busy, 0, 1, lookMs);
    if (process.memoryUsage.rss() > limits.memoryBytes) end(marks.memory);
    if (performance.now() - lookedAtParent < parentMs) continue;
    lookedAtParent = performance.now();
    if (!isThere()) process.kill(process.pid, 'SIGKILL');
    if (limits.temporaryBytes > 0 && temporaryBytes() > limits.temporaryBytes) end(marks.temporary);
  }`;
