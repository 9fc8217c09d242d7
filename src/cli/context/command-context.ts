import { readTerminalEnvironment } from '../../config/index.ts';
import { toCandorError } from '../../errors.ts';
import { errorJson, makeStyle, renderError, renderJson, type Style } from '../render/index.ts';
import type { Io, Output } from '../terminal/io.ts';
import { CANCELLED_EXIT, ERROR_EXIT } from '../terminal/io.ts';
import { startTracing } from '../tracing/start-tracing.ts';

/** What every command gets: the outside world and a place to leave its exit code. */
export interface CommandContext {
  readonly io: Io;
  finish(exitCode: number): void;
}

export type OutputFormat = 'table' | 'json' | 'csv';

/**
 * Runs one command and turns what it throws into a message on stderr (and, with `--output json`, an error object on
 * stdout) and an exit code.
 */
export async function runCommand(
  { io, finish }: CommandContext,
  output: OutputFormat | undefined,
  command: () => Promise<number>,
): Promise<void> {
  const tracing = await startTracing(io);
  try {
    finish(await command());
  } catch (error) {
    if (io.signal.aborted) {
      io.stderr.write('cancelled\n');
      finish(CANCELLED_EXIT);
      return;
    }
    const failure = toCandorError(error);
    if (output === 'json') io.stdout.write(renderJson(errorJson(failure)));
    io.stderr.write(renderError(failure, styleFor(io, io.stderr)));
    finish(ERROR_EXIT[failure.kind]);
  } finally {
    // An exporter goes on trying a collector that is down, and nothing of it can be stopped.
    if (!(await tracing.stop())) io.endAnyway?.();
  }
}

/** Colour on a terminal that wants it, plain text everywhere else. */
export function styleFor(io: Io, output: Output): Style {
  return makeStyle(output.isTerminal && readTerminalEnvironment(io.env).isColourWanted);
}
