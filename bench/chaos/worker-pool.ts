/** Processes of `candor work` that are killed, and replaced by others, again and again. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { z } from 'zod';
import { candorProgram } from '../../test/fixtures/candor-program.ts';

const EVENT = z.object({
  kind: z.enum(['taken', 'ended', 'superseded']),
  job: z.object({ id: z.string(), queue: z.string(), attempt: z.number() }),
});
export type PoolEvent = z.infer<typeof EVENT>;

export interface PoolOptions {
  readonly root: string;
  readonly workers: number;
  /** Kilobytes that a file may have: what is written beyond fails, as on a disk that is full. */
  readonly fileLimitKb?: number;
  readonly onEvent?: (event: PoolEvent, worker: PoolWorker) => void;
}

export interface PoolWorker {
  readonly process: ChildProcess;
  readonly startedAt: number;
  /** It takes jobs from now on. */
  isReady: boolean;
  /** Jobs in work, by id. */
  readonly jobs: Set<string>;
}

/** How a process is ended. */
export type Blow = 'kill' | 'term' | 'child';

export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #workers = new Set<PoolWorker>();
  readonly #exits: Promise<void>[] = [];
  #isClosing = false;
  /** The last words of workers on stderr: why one did not start. */
  stderr = '';

  constructor(options: PoolOptions) {
    this.#options = options;
    for (let index = 0; index < options.workers; index++) this.#start();
  }

  get workers(): readonly PoolWorker[] {
    return [...this.#workers];
  }

  /** Ends one at once, politely, or ends a process that it has started; gives whether there was something to end. */
  async strike({ process: { pid } }: PoolWorker, blow: Blow): Promise<boolean> {
    if (pid === undefined) return false;
    if (blow !== 'child') return signal(pid, blow === 'kill' ? 'SIGKILL' : 'SIGTERM');
    const children = await childrenOf(pid);
    return children.some((child) => signal(child, 'SIGKILL'));
  }

  /** Ends all, politely. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const { process: child } of this.#workers) child.kill('SIGTERM');
    await Promise.all(this.#exits);
  }

  #start(): void {
    const { root, fileLimitKb, onEvent } = this.#options;
    const args = [
      ...candorProgram(),
      'work',
      '--project',
      root,
      '--output',
      'json',
      '--at-once',
      '2',
      '--grace',
      '1',
    ];
    const limit = fileLimitKb === undefined ? '' : `ulimit -f ${fileLimitKb}; `;
    // bash counts kilobytes; the limit holds for what it becomes.
    const child = spawn('bash', ['-c', `${limit}exec "$@"`, 'worker', process.execPath, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const worker: PoolWorker = {
      process: child,
      startedAt: performance.now(),
      isReady: false,
      jobs: new Set(),
    };
    this.#workers.add(worker);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr = (this.stderr + text).slice(-4_000);
      worker.isReady ||= text.includes('working;');
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      // The last line of a killed process may be cut off.
      const event = EVENT.safeParse(parseLine(line));
      if (!event.success) return;
      if (event.data.kind === 'taken') worker.jobs.add(event.data.job.id);
      else worker.jobs.delete(event.data.job.id);
      onEvent?.(event.data, worker);
    });
    this.#exits.push(
      new Promise((resolve) =>
        child.once('exit', () => {
          this.#workers.delete(worker);
          if (!this.#isClosing) this.#start();
          resolve();
        }),
      ),
    );
  }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
    return false;
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  try {
    const { stdout } = await promisify(execFile)('pgrep', ['-P', String(pid)]);
    return stdout.split('\n').filter(Boolean).map(Number);
  } catch {
    // pgrep ends with 1 where there is none.
    return [];
  }
}
