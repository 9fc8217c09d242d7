import { basename, dirname } from 'node:path';
import { isCancel, select } from '@clack/prompts';
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
    ...(isPersonThere ? { choose: (question, options) => choose(question, options, controller.signal) } : {}),
  };
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
  const picked = await select({
    message: question,
    options: [...options.map((label, value) => ({ label, value })), { label: 'none of these', value: -1 }],
    signal,
  });
  return isCancel(picked) || picked === -1 ? undefined : picked;
}
