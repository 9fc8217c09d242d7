/** Processes beside the test: one that holds a file, and the executors of the database under test. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';

/** Runs the program in a process of its own: locks of one process do not stop that process itself. */
export async function holdFile(script: string, path: string): Promise<() => Promise<void>> {
  const keepAlive = `${script}\nconsole.log('held'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', keepAlive, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return async () => {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
}

/** Process ids of the executors that this process runs for the file. */
export async function executorIds(path: string): Promise<number[]> {
  const children = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8');
  const executors: number[] = [];
  for (const id of children.trim().split(/\s+/).filter(Boolean)) {
    const command = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
    if (command.split('\0').includes(path)) executors.push(Number(id));
  }
  return executors;
}

/** Waits until this process has been told that its child ended: till then even a dead one can be signalled. */
export async function untilReaped(id: number): Promise<void> {
  for (;;) {
    try {
      process.kill(id, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
