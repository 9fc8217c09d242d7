import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { type BenchOptions, readOutput } from '../bench-options.ts';

export interface LakeBenchOptions extends BenchOptions {
  /** Numbers of tables; a company has a user for every twenty of them. */
  readonly sizes: readonly number[];
  /** Of the clusters; absent: from the number of tables. */
  readonly components?: number;
  /** Write the SVG plots into `docs/guides/plots/`. */
  readonly plots: boolean;
  /** Rows of an earlier run of the same bench, from what it printed with `--output json`: they join those of this one. */
  readonly earlier: readonly unknown[];
}

const SIZES = [10_000, 100_000, 1_000_000];
const SMOKE_SIZES = [2_000];
const SMALLEST = 1_000;

/** Throws `RangeError` or `TypeError` for what is no option. */
export function readLakeOptions(args: string[]): LakeBenchOptions {
  const { values } = parseArgs({
    args,
    options: {
      smoke: { type: 'boolean', default: false },
      output: { type: 'string', default: 'table' },
      sizes: { type: 'string' },
      plots: { type: 'boolean', default: false },
      with: { type: 'string' },
      components: { type: 'string' },
    },
  });
  const named = values.sizes?.split(',').map(Number);
  if (named?.some((size) => !Number.isInteger(size) || size < SMALLEST))
    throw new RangeError(`--sizes are numbers of tables from ${SMALLEST} on, not ${values.sizes}`);
  return {
    isSmoke: values.smoke,
    output: readOutput(values.output),
    sizes: values.smoke ? SMOKE_SIZES : (named ?? SIZES),
    ...(values.components === undefined ? {} : { components: Number(values.components) }),
    plots: values.plots,
    earlier: values.with === undefined ? [] : readRows(values.with),
  };
}

const REPORT = z.object({ isSmoke: z.literal(false), rows: z.array(z.unknown()) });

function readRows(path: string): readonly unknown[] {
  const line = readFileSync(path, 'utf8')
    .split('\n')
    .findLast((each) => each.startsWith('{"bench"'));
  if (line === undefined) throw new RangeError(`${path} is no output of a whole run with --output json`);
  return REPORT.parse(JSON.parse(line)).rows;
}
