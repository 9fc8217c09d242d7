import { basename, dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { CandorError } from '../../errors.ts';
import type { Io, Output } from './io.ts';

/** The real terminal: standard streams, Ctrl-C as an abort signal, and a prompt when a person is there. */
export function processIo(): Io {
  const controller = new AbortController();
  // Once: a second Ctrl-C ends the process the hard way if stopping takes too long.
  process.once('SIGINT', () => controller.abort());
  process.once('SIGTERM', () => controller.abort());
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // The reader of a pipe went away (`candor ask … | head`): there is nobody left to tell.
      if (error.code === 'EPIPE') process.exit(0);
      throw error;
    });
  const isPersonThere = process.stdin.isTTY && process.stdout.isTTY;
  return {
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    cwd: process.cwd(),
    signal: controller.signal,
    program: programName(process.argv[1] ?? ''),
    ...(process.stdin.isTTY ? {} : { readInput: readAllInput }),
    endAnyway,
    readLines: (prompt) => readLines(prompt, isPersonThere, controller),
    ...(isPersonThere ? { choose: (question, options) => choose(question, options, controller.signal) } : {}),
  };
}

/** A pipe takes what is written in its own time, and the exit code is set once the command has returned: the process waits for all. */
function endAnyway(): void {
  process.stdout.write('', () => process.stderr.write('', () => setImmediate(() => process.exit())));
}

/** Throws `input.too-large`. */
async function readAllInput(mostBytes: number): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of process.stdin) {
    const bytesRead = Buffer.from(part);
    bytes += bytesRead.length;
    if (bytes > mostBytes)
      throw new CandorError('input.too-large', `Standard input has more than ${mostBytes} bytes.`);
    parts.push(bytesRead);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Ends with the input, and when the command is cancelled. */
async function* readLines(
  prompt: string,
  isPersonThere: boolean,
  controller: AbortController,
): AsyncGenerator<string> {
  const reader = createInterface({
    input: process.stdin,
    terminal: isPersonThere,
    // stdout carries data.
    ...(isPersonThere && { output: process.stderr, prompt }),
  });
  // A reader at a terminal takes Ctrl-C for itself.
  reader.on('SIGINT', () => controller.abort());
  const close = (): void => reader.close();
  controller.signal.addEventListener('abort', close);
  try {
    if (isPersonThere) reader.prompt();
    for await (const line of reader) {
      yield line;
      if (isPersonThere) reader.prompt();
    }
  } finally {
    controller.signal.removeEventListener('abort', close);
    reader.close();
  }
}

/** `candor` where it is installed on the path; `npx candor` in a checkout and as a dependency of a project. */
function programName(script: string): string {
  return basename(script) === 'candor' && basename(dirname(script)) !== '.bin' ? 'candor' : 'npx candor';
}

function outputOf(stream: NodeJS.WriteStream): Output {
  return {
    write: (text) => void stream.write(text),
    isTerminal: stream.isTTY === true,
    get columns() {
      // A terminal that does not tell its width says 0.
      return stream.columns || undefined;
    },
  };
}

async function choose(question: string, options: readonly string[], signal: AbortSignal) {
  // Most questions need no prompt.
  const { isCancel, select } = await import('@clack/prompts');
  const picked = await select({
    message: question,
    options: [...options.map((label, value) => ({ label, value })), { label: 'none of these', value: -1 }],
    signal,
  });
  return isCancel(picked) || picked === -1 ? undefined : picked;
}
