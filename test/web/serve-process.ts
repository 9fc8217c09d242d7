import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { candorProgram } from '../fixtures/candor-program.ts';

const ROOT = join(import.meta.dirname, '../..');

interface ServeOptions {
  readonly port?: number;
  readonly options?: readonly string[];
  /** What Node runs; the project's own program where none is named. */
  readonly program?: readonly string[];
}

export interface ServedProject {
  readonly url: string;
  /** As a power cut would. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** `candor serve` itself, over a project folder, with the web chat of the last build. */
export async function serveProject(
  folder: string,
  { port = 0, options = [], program = candorProgram() }: ServeOptions = {},
): Promise<ServedProject> {
  if (!existsSync(join(ROOT, 'dist/web/index.html')))
    throw new Error('The web chat is not built: run `npm run build` first.');
  const child = spawn(
    process.execPath,
    [...program, 'serve', ...['--port', String(port), '--output', 'json', '--quiet', ...options]],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const { url } = JSON.parse(await firstLine(child)) as { url: string };
  const end = (signal: NodeJS.Signals): Promise<void> =>
    new Promise((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once('exit', () => resolve());
      child.kill(signal);
    });
  return { url, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') };
}

function firstLine(child: ChildProcess): Promise<string> {
  let said = '';
  child.stderr?.on('data', (part) => {
    said += part;
  });
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', (part) => resolve(`${part}`));
    child.once('exit', (code) => reject(new Error(`candor serve ended with ${code}: ${said}`)));
  });
}
