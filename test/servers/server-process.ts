/** One database server as a child process that never outlives the process that started it. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const START_TIMEOUT_MS = 60_000;
/** For one try; a server that is busy starting answers the next. */
const PROBE_PATIENCE_MS = 5_000;
const POLL_MS = 40;
const STDERR_KEPT = 4_000;
const run = promisify(execFile);

export interface ServerCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** The account to run under when this process is root, which the servers refuse to be. */
  readonly account: string;
  /** The signal that ends the server without waiting for its clients. */
  readonly stopSignal: 'INT' | 'TERM';
  /** Removed when the server ends for good. */
  readonly folder: string;
  /** Throws while the server is not ready. */
  probe(): Promise<void>;
}

/**
 * Runs beside the server: its standard input is a pipe that closes when the starter ends, however it ends. Then the
 * server is stopped and its folder removed; a line on the pipe ends both but keeps the folder.
 */
const WATCH = `
signal=$1; folder=$2; shift 2
"$@" </dev/null &
server=$!
echo $server
if read line; then keep=1; else keep=0; fi
kill -$signal $server 2>/dev/null
wait $server
if [ $keep = 0 ]; then rm -rf "$folder"; fi
`;

export class ServerProcess {
  readonly #command: ServerCommand;
  #watch: ChildProcess | null = null;
  #processId = 0;
  #stderr = '';

  constructor(command: ServerCommand) {
    this.#command = command;
  }

  /** The server's own process (not that of the watch). */
  get processId(): number {
    return this.#processId;
  }

  async start(): Promise<void> {
    const { program, args, account, stopSignal, folder } = this.#command;
    const line = asAccount(account, ['sh', '-c', WATCH, 'watch', stopSignal, folder, program, ...args]);
    const [first = '', ...rest] = line;
    const watch = spawn(first, rest, { stdio: ['pipe', 'pipe', 'pipe'], cwd: '/' });
    this.#watch = watch;
    this.#stderr = '';
    watch.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_KEPT);
    });
    // A watch that is gone already needs no word from us.
    watch.stdin.on('error', () => undefined);
    this.#processId = await new Promise<number>((resolve, reject) => {
      watch.stdout.setEncoding('utf8').once('data', (text: string) => resolve(Number.parseInt(text, 10)));
      watch.once('exit', () => reject(new Error(`${program} did not start: ${this.#stderr}`)));
    });
    await this.#waitUntilReady();
    // The starter may end without waiting for us; the watch sees to the rest.
    watch.unref();
  }

  /** Ends the server and removes its folder. */
  stop(): Promise<void> {
    return this.#end(undefined);
  }

  /** As a power cut: the server and its workers are killed; `start` runs it again over the same data. */
  async kill(): Promise<void> {
    const workers = await childrenOf(this.#processId);
    for (const id of [this.#processId, ...workers]) killIfAlive(id);
    await this.#end('keep\n');
  }

  async #end(line: string | undefined): Promise<void> {
    const watch = this.#watch;
    if (watch === null) return;
    this.#watch = null;
    watch.ref();
    const exited = new Promise<void>((resolve) => {
      if (watch.exitCode === null && watch.signalCode === null) watch.once('exit', () => resolve());
      else resolve();
    });
    watch.stdin?.end(line);
    await exited;
  }

  async #waitUntilReady(): Promise<void> {
    const until = performance.now() + START_TIMEOUT_MS;
    for (;;) {
      try {
        return await withinPatience(this.#command.probe());
      } catch (error) {
        if (!isAlive(this.#processId) || performance.now() > until) {
          await this.stop();
          throw new Error(`${this.#command.program} did not start: ${this.#stderr}`, { cause: error });
        }
        await sleep(POLL_MS);
      }
    }
  }
}

/** A client whose server was killed under it may wait for ever: another one is asked. */
async function withinPatience(probe: Promise<void>): Promise<void> {
  // What it comes to later is nobody's matter.
  probe.catch(() => undefined);
  const late = sleep(PROBE_PATIENCE_MS, undefined, { ref: false }).then(() => {
    throw new Error('the server was asked and did not answer');
  });
  await Promise.race([probe, late]);
}

/** The command line that runs as `account` where this process is root, and unchanged elsewhere. */
export function asAccount(account: string, line: readonly string[]): readonly string[] {
  return process.getuid?.() === 0 ? ['runuser', '-u', account, '--', ...line] : line;
}

/** A port of the loopback interface that nobody listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

async function childrenOf(id: number): Promise<number[]> {
  try {
    const { stdout } = await run('pgrep', ['-P', String(id)]);
    return stdout.split('\n').filter(Boolean).map(Number);
  } catch {
    // pgrep ends with 1 when there is no child.
    return [];
  }
}

export function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function killIfAlive(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch {
    // It has ended between being listed and being killed.
  }
}
