import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { CandorError } from '../../../errors.ts';
import {
  type RewardMeans,
  type RewardReport,
  type Scorer,
  scoreRows,
  startRewardServer,
} from '../../../lab/reward/index.ts';
import { untilAborted } from '../../../lib/index.ts';
import { type CommandContext, runCommand, styleFor } from '../../context/command-context.ts';
import { parsePort } from '../../context/options.ts';
import { counted, makeProgress, renderJson, renderTable } from '../../render/index.ts';
import type { Io } from '../../terminal/io.ts';
import { addScorerOptions, type ScorerOptions, withScorer } from './with-scorer.ts';

/** `candor reward`: what outputs of a model that is trained deserve. */
export function defineRewardCommand(reward: Command, context: CommandContext): void {
  reward.addHelpText(
    'after',
    '\nExamples:\n  candor reward serve --database sqlite:shop.db\n  candor reward score outputs.jsonl',
  );
  addRewardServeCommand(reward, context);
  addRewardScoreCommand(reward, context);
}

interface ServeOptions extends ScorerOptions {
  readonly host: string;
  readonly port: number;
}

const DEFAULT_PORT = 8712;

/** `candor reward serve`: the reward over HTTP. */
function addRewardServeCommand(reward: Command, context: CommandContext): void {
  const command = reward
    .command('serve')
    .description('Serve the reward to trainers on this machine: POST /v1/score, GET /healthz.')
    .option('--host <name>', '127.0.0.1, ::1 or localhost', '127.0.0.1')
    .option('--port <n>', '0 for any that is free', parsePort, DEFAULT_PORT);
  addScorerOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  candor reward serve --database sqlite:shop.db
  candor reward serve --port 0 --output json --embedding hashed

The address is printed on stdout once it answers. Ctrl-C ends what is in work, at most 10 seconds long, and then the server.
docs/guides/reward.md has the contract.`,
    )
    .action((options: ServeOptions) => runCommand(context, options.output, () => serve(options, context.io)));
}

async function serve(options: ServeOptions, io: Io): Promise<number> {
  return withScorer(options, io, async (scorer) => {
    const { host, port, concurrency } = options;
    const server = await startRewardServer({ scorer, host, port, concurrency });
    try {
      io.stdout.write(options.output === 'json' ? renderJson({ url: server.url }, 0) : `${server.url}\n`);
      if (options.quiet !== true) io.stderr.write('serving the reward; Ctrl-C ends it\n');
      await untilAborted(io.signal);
    } finally {
      await server.close();
    }
    return 0;
  });
}

interface ScoreOptions extends ScorerOptions {
  readonly out?: string;
}

/** `candor reward score`: the reward of a file of outputs. */
function addRewardScoreCommand(reward: Command, context: CommandContext): void {
  const command = reward
    .command('score')
    .description('Score a file of outputs and print the means by category.')
    .argument('<file>', 'JSON lines: {id?, category, goldKind, gold, output, lengthTokens?, orderMatters?}')
    .option('--out <file>', 'write the score of every row to this file, as JSON lines');
  addScorerOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  candor reward score outputs.jsonl --database sqlite:shop.db
  candor reward score outputs.jsonl --out scores.jsonl --output json
  candor reward score outputs.jsonl --code-compat

docs/guides/reward.md says what a row holds and how it is scored.`,
    )
    .action((file: string, options: ScoreOptions) =>
      runCommand(context, options.output, () => score(file, options, context.io)),
    );
}

async function score(file: string, options: ScoreOptions, io: Io): Promise<number> {
  const progress = makeProgress(io.stderr, options.quiet === true);
  const report = await withScorer(options, io, (scorer) =>
    scoreFile(file, { options, io, scorer }, (done) =>
      progress.report({ stage: 'scoring', done, total: done }),
    ),
  )
    .catch((error: unknown) => {
      if (!io.signal.aborted) throw error;
      throw new CandorError('reward.cancelled', 'Scoring was stopped.');
    })
    .finally(progress.clear);
  io.stdout.write(options.output === 'json' ? renderJson(report) : `${linesOf(report, io).join('\n')}\n`);
  return 0;
}

interface Work {
  readonly options: ScoreOptions;
  readonly io: Io;
  readonly scorer: Scorer;
}

async function scoreFile(
  name: string,
  { options, io, scorer }: Work,
  onProgress: (done: number) => void,
): Promise<RewardReport> {
  // The file appears whole or not at all.
  const place = options.out === undefined ? undefined : resolve(io.cwd, options.out);
  const draft = `${place}.part`;
  const out = place === undefined ? undefined : await open(draft, 'w');
  const input = createReadStream(resolve(io.cwd, name), { encoding: 'utf8' });
  // A file that is not there is told by the stream alone: the reader of lines does not pass it on.
  const failed = new Promise<never>((_, reject) => input.once('error', reject));
  try {
    const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
    const scored = scoreRows(lines, {
      ...{ scorer, name, signal: io.signal, concurrency: options.concurrency },
      onScores: async (scores, done) => {
        await out?.write(scores.map((row) => `${JSON.stringify(row)}\n`).join(''));
        onProgress(done);
      },
    });
    const report = await Promise.race([scored, failed]);
    await out?.sync();
    if (place !== undefined) await rename(draft, place);
    return report;
  } finally {
    input.destroy();
    await out?.close();
    if (place !== undefined) await rm(draft, { force: true });
  }
}

const HEADS = ['category', 'items', 'total', 'format', 'grammar', 'length', 'accuracy'] as const;

function linesOf({ all, categories, goldFailed, lengthEstimated }: RewardReport, io: Io): string[] {
  const row = (name: string, { items, total, format, grammar, length, accuracy }: RewardMeans) => [
    name,
    items,
    ...[total, format, grammar, length, accuracy].map((value) => value.toFixed(3)),
  ];
  const rows = [...categories.map((means) => row(means.category, means)), row('all', all)];
  const width = io.stdout.columns === undefined ? {} : { width: io.stdout.columns };
  return [
    renderTable(HEADS, rows, { style: styleFor(io, io.stdout), ...width }),
    ...(goldFailed === 0
      ? []
      : [`${counted(goldFailed, 'item')} with a gold that gave no result: at most 0.5 of the accuracy`]),
    ...(lengthEstimated === 0 ? [] : [`${counted(lengthEstimated, 'item')} with an estimated length`]),
  ];
}
