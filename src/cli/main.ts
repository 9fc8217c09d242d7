#!/usr/bin/env node
import { realpathSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { CommanderError } from 'commander';
import { buildProgram } from './program.ts';
import type { Io } from './terminal/io.ts';
import { ERROR_EXIT } from './terminal/io.ts';
import { processIo } from './terminal/process-io.ts';

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

if (isEntry()) {
  optimiseLater();
  keepCompiled();
  process.exitCode = await main(process.argv.slice(2), processIo());
}

/**
 * Makes V8 wait until a function has run fifteen times as much before it optimises it. A command that answers one question ends
 * before the optimised code has earned what it cost: a tenth of the processor's time (`bench/start.ts`). What runs hot for longer is
 * optimised as ever, some hundredths of a second later. Newer versions of V8 weigh this by themselves, and do not know the setting.
 */
function optimiseLater(): void {
  if (process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=1000000');
}

/**
 * Has Node keep what V8 compiled, where it can: from 22.1 on, not in 20. In the person's own folder, since what lies in a folder for
 * all could be put there by anybody. A folder that cannot be written to is nobody's trouble, and `NODE_DISABLE_COMPILE_CACHE=1` is
 * Node's own way to switch it off.
 */
function keepCompiled(): void {
  const enable: unknown = Reflect.get(nodeModule, 'enableCompileCache');
  if (typeof enable === 'function') enable(join(homedir(), '.cache', 'candor', 'compiled'));
}
