import { parseArgs } from 'node:util';
import { type BenchOptions, orEnd, readOutput } from '../bench-options.ts';
import { SET_NAMES, type SetName } from './read-queries.ts';

export interface CoreBenchOptions extends BenchOptions {
  readonly sets: readonly SetName[];
  /** The most queries of one set; absent: all of gold sets, a sample of predictions. */
  readonly limit: number | undefined;
  readonly isTimed: boolean;
}

const SMOKE_SETS: readonly SetName[] = ['spider-dev', 'bird-dev'];
const SMOKE_LIMIT = 20;

/** Reads the command line; says in a line what is wrong with it, and ends with 2. */
export function readCoreOptions(argv: readonly string[] = process.argv.slice(2)): CoreBenchOptions {
  return orEnd(() => readArguments(argv));
}

function readArguments(argv: readonly string[]): CoreBenchOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      sets: { type: 'string' },
      limit: { type: 'string' },
      smoke: { type: 'boolean', default: false },
      output: { type: 'string', default: 'table' },
      'no-time': { type: 'boolean', default: false },
    },
  });
  const isSmoke = values.smoke;
  return {
    isSmoke,
    output: readOutput(values.output),
    sets: readSets(values.sets) ?? (isSmoke ? SMOKE_SETS : SET_NAMES),
    limit: readLimit(values.limit) ?? (isSmoke ? SMOKE_LIMIT : undefined),
    isTimed: !values['no-time'],
  };
}

function readSets(text: string | undefined): SetName[] | undefined {
  return text?.split(',').map((name) => {
    const known = SET_NAMES.find((set) => set === name.trim());
    if (known === undefined) throw new RangeError(`--sets knows ${SET_NAMES.join(', ')}; not ${name.trim()}`);
    return known;
  });
}

function readLimit(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (text === 'all') return Number.POSITIVE_INFINITY;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1)
    throw new RangeError(`--limit is a whole number from 1 or all, not ${text}`);
  return limit;
}
