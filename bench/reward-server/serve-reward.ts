import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

export interface ServedReward {
  readonly url: string;
  close(): Promise<void>;
}

/** `candor reward serve` over a SQLite file, in a process of its own as trainers meet it. */
export async function serveReward(file: string, embedding: string, folder: string): Promise<ServedReward> {
  const options = ['--port', '0', '--quiet', '--database', `sqlite:${file}`, '--embedding', embedding];
  const tsx = import.meta.resolve('tsx');
  const child = spawn(process.execPath, ['--import', tsx, MAIN, 'reward', 'serve', ...options], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const told = new Promise<string>((resolve) =>
    child.stdout.once('data', (text) => resolve(`${text}`.trim())),
  );
  const url = await Promise.race([told, ended.then((code) => ({ code }))]);
  if (typeof url !== 'string') throw new Error(`the reward server ended with ${url.code}`);
  return {
    url,
    async close() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
