import { basename } from 'node:path';
import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** The smallest size only: does the bench still run? Its figures mean nothing. */
  readonly isSmoke: boolean;
  readonly output: 'table' | 'json';
}

/** Reads `--smoke` and `--output table|json`; says in a line what is wrong with anything else, and ends with 2. */
export function readBenchOptions(argv: readonly string[] = process.argv.slice(2)): BenchOptions {
  return orEnd(() => {
    const { values } = parseArgs({
      args: [...argv],
      options: { smoke: { type: 'boolean', default: false }, output: { type: 'string', default: 'table' } },
    });
    return { isSmoke: values.smoke, output: readOutput(values.output) };
  });
}

export function readOutput(output: string): BenchOptions['output'] {
  if (output !== 'table' && output !== 'json')
    throw new RangeError(`--output is table or json, not ${output}`);
  return output;
}

/** Wrong options are the caller's mistake: a line that names it, and no stack. */
export function orEnd<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
    process.stderr.write(`${basename(process.argv[1] ?? 'bench', '.ts')}: ${error.message}\n`);
    process.exit(2);
  }
}
