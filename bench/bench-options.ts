import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** The smallest size only: does the bench still run? Its figures mean nothing. */
  readonly isSmoke: boolean;
  readonly output: 'table' | 'json';
}

/** Reads `--smoke` and `--output table|json`; throws what `parseArgs` says of anything else. */
export function readBenchOptions(argv: readonly string[] = process.argv.slice(2)): BenchOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: { smoke: { type: 'boolean', default: false }, output: { type: 'string', default: 'table' } },
  });
  const { output } = values;
  if (output !== 'table' && output !== 'json')
    throw new RangeError(`--output is table or json, not ${output}`);
  return { isSmoke: values.smoke, output };
}
