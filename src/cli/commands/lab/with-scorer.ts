import { availableParallelism } from 'node:os';
import { type Command, InvalidArgumentError } from 'commander';
import type { Config } from '../../../config/index.ts';
import { CandorError } from '../../../errors.ts';
import { openModel } from '../../../knowledge/base/index.ts';
import { openScorer, type Scorer } from '../../../lab/reward/index.ts';
import { closeReader, openReader, type Reader } from '../../../session/index.ts';
import {
  addOutputOptions,
  addProjectOptions,
  type OutputOptions,
  type ProjectOptions,
  parseCount,
  readCommandConfig,
} from '../../context/options.ts';
import type { Io } from '../../terminal/io.ts';

/** How outputs are scored. */
export interface ScorerOptions extends ProjectOptions, OutputOptions {
  readonly embedding?: string;
  readonly concurrency: number;
  readonly codeCompat?: boolean;
  readonly rules?: boolean;
  readonly rows: number;
  readonly timeout: number;
}

const BYTES = 10_000_000;
const DEFAULTS = { concurrency: 8, rows: 10_000, timeoutMs: 5_000 } as const;
const MOST_CONCURRENCY = 64;

/** Adds what says how outputs are scored, with `--project`, `--database`, `--output` and `--quiet`. */
export function addScorerOptions(command: Command): Command {
  command
    .option(
      '--embedding <name>',
      'what sentences and column names are compared with: built-in, hashed, openai:<model>, onnx:<folder or hub id> (default: search.embedding of candor.yml)',
    )
    .option('--concurrency <n>', 'items scored at once', parseConcurrency, DEFAULTS.concurrency)
    .option('--code-compat', 'as the published code does it, with its quirks')
    .option('--rules', 'compare the structure of multi_step by rules (S_rule) in place of the tree (S_ast)')
    .option('--rows <n>', 'a result with more rows counts as none', parseCount, DEFAULTS.rows)
    .option('--timeout <ms>', 'a query that runs longer is stopped', parseCount, DEFAULTS.timeoutMs);
  return addOutputOptions(addProjectOptions(command), ['table', 'json']);
}

function parseConcurrency(text: string): number {
  const count = parseCount(text);
  if (count <= MOST_CONCURRENCY) return count;
  throw new InvalidArgumentError(`Give a whole number from 1 to ${MOST_CONCURRENCY}.`);
}

/** Opens databases and embedding, uses a scorer over them, and closes all whatever happens. */
export async function withScorer<T>(
  options: ScorerOptions,
  io: Io,
  use: (scorer: Scorer) => Promise<T>,
): Promise<T> {
  const given = await readCommandConfig(io, options);
  const { embedding: name = given.search.embedding } = options;
  const config: Config = { ...given, search: { ...given.search, embedding: name } };
  const embedding = await openModel(config, io.signal);
  if (embedding === undefined)
    throw new CandorError('reward.no-embedding', 'The reward compares meanings, and no embedding is set.');
  const readers: Reader[] = [];
  try {
    // A model that cannot be had is told now, not with the first answer in words.
    await embedding.embed(['ready'], io.signal);
    const first = await openReader(config, io);
    readers.push(first);
    for (let more = connectionsOf(config, options) - 1; more > 0; more -= 1)
      readers.push(await openReader(config, io));
    const scorer = openScorer({
      databases: [first.database, ...readers.slice(1).map(({ database }) => database)],
      schema: first.catalog,
      limits: { rows: options.rows, bytes: BYTES, timeoutMs: options.timeout },
      embedding,
      codeCompat: options.codeCompat === true,
      usesRules: options.rules === true,
    });
    return await use(scorer);
  } finally {
    await Promise.all([embedding.close(), ...readers.map(closeReader)]);
  }
}

/** An engine in a file runs one query of a connection at a time; a server has connections of its own. */
function connectionsOf({ databaseUrl }: Config, { concurrency }: ScorerOptions): number {
  return /^(?:sqlite|duckdb):/.test(databaseUrl) ? Math.min(concurrency, availableParallelism()) : 1;
}
