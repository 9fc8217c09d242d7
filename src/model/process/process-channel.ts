/** A process of ours with messages both ways: what the ends of the encoder and of the local model share. */
import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

const STDERR_KEPT = 4_000;

export interface ProcessChannel<Reply> {
  readonly child: ChildProcess;
  readonly exited: Promise<void>;
  receive: ((reply: Reply) => void) | null;
  /** The end of what it wrote there. */
  stderr: string;
}

/** Starts `entry`, a file named without its ending. What is no reply is dropped. */
export function openProcessChannel<Reply>(
  entry: URL,
  isReply: (message: unknown) => message is Reply,
): ProcessChannel<Reply> {
  const isSource = import.meta.url.endsWith('.ts');
  const child = fork(`${fileURLToPath(entry)}${isSource ? '.ts' : '.js'}`, [], {
    // Its own flags: those of this process (a debugger's port, a test runner's loader) are not passed on.
    execArgv: isSource ? ['--import', `file://${createRequire(import.meta.url).resolve('tsx')}`] : [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const channel: ProcessChannel<Reply> = { child, exited, receive: null, stderr: '' };
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    channel.stderr = (channel.stderr + text).slice(-STDERR_KEPT);
  });
  child.on('message', (message: unknown) => {
    if (isReply(message)) channel.receive?.(message);
  });
  return channel;
}

/** While nothing is asked of it the process must not keep the program alive. */
export function setHeld(child: ChildProcess, isHeld: boolean): void {
  for (const handle of [child, child.channel, child.stderr instanceof Socket ? child.stderr : null]) {
    if (isHeld) handle?.ref();
    else handle?.unref();
  }
}

export function isAlive(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null && child.connected;
}
