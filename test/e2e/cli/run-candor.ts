import { resolve } from 'node:path';
import { type Io, main } from '../../../src/cli/index.ts';

export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command line in this process, in a folder, with pipes for terminals. */
export async function runCandor(argv: readonly string[], cwd: string, given: Partial<Io> = {}): Promise<Run> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const code = await main(argv, {
    stdout: { write: (text) => void stdout.push(text), isTerminal: false },
    stderr: { write: (text) => void stderr.push(text), isTerminal: false },
    cwd: resolve(cwd),
    env: {},
    program: 'candor',
    signal: new AbortController().signal,
    ...given,
  });
  return { code, stdout: stdout.join(''), stderr: stderr.join('') };
}
