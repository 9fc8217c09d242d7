import { readdir, readFile } from 'node:fs/promises';

/** Ids of the processes that this one has started and that still run; empty where there is no `/proc`. */
export async function childProcesses(): Promise<readonly number[]> {
  const tasks = await readdir('/proc/self/task').catch(() => []);
  const lists = await Promise.all(
    tasks.map((task) => readFile(`/proc/self/task/${task}/children`, 'utf8').catch(() => '')),
  );
  return lists
    .flatMap((list) => list.trim().split(/\s+/))
    .filter((id) => id !== '')
    .map(Number)
    .sort((a, b) => a - b);
}
