import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { CandorError } from '../../errors.ts';
import { type RewardMeans, type RewardReport, type Scorer, scoreRows } from '../../lab/index.ts';
import { type CommandContext, runCommand, styleFor } from '../command-context.ts';
import type { Io } from '../io.ts';
import { counted, makeProgress, renderJson, renderTable } from '../render/index.ts';
import { addScorerOptions, type ScorerOptions, withScorer } from '../with-scorer.ts';

interface ScoreOptions extends ScorerOptions {
  readonly out?: string;
}

/** `candor reward score`: the reward of a file of outputs. */
export function addRewardScoreCommand(reward: Command, context: CommandContext): void {
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
