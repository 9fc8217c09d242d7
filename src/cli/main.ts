#!/usr/bin/env node
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CommanderError } from 'commander';
import { ERROR_EXIT } from './exit-codes.ts';
import type { Io } from './io.ts';
import { processIo } from './process-io.ts';
import { buildProgram } from './program.ts';

/**
 * Runs one command line (without `node` and the script) and returns its exit code; never ends the process.
 * `await main(['ask', 'how many orders?'], io)` → `0`
 */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  let exitCode = 0;
  const program = buildProgram({ io, finish: (code) => (exitCode = code) });
  if (argv.length === 0) {
    io.stdout.write(program.helpInformation());
    return 0;
  }
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander throws for `--help` and `--version` too, with exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : ERROR_EXIT.caller;
    throw error;
  }
}

function isEntry(): boolean {
  const script = process.argv[1];
  // npm calls the bin through a symbolic link.
  return script !== undefined && realpathSync(script) === fileURLToPath(import.meta.url);
}

if (isEntry()) process.exitCode = await main(process.argv.slice(2), processIo());
