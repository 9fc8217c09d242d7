/**
 * Learns how the risk of the model that ships and the probability of the built-in engine are taken together, from a run of
 * `candor eval spider`: of the open half alone. The curve of risks is of two folds, each by the weights of the other, so that no answer
 * is judged by weights it was used for. Prints how well wrong answers are told, on the closed half too. `npx tsx scripts/fit-writer-risk.ts out/eval/spider-….jsonl [--dry-run]`
 */
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { auc } from '../src/lab/metrics/auc.ts';
import {
  logit,
  riskCoverage,
  riskWithWriter,
  WRITER_RISK_FILE,
  type WriterWeights,
} from '../src/uncertainty/index.ts';

const CASE = z.object({
  index: z.number(),
  outcome: z.string().optional(),
  correct: z.boolean(),
  probability: z.number().optional(),
  sqlRisk: z.number().optional(),
});

interface Row {
  readonly index: number;
  readonly sqlRisk: number;
  readonly probability: number;
  readonly isWrong: boolean;
}

const STEPS = 5_000;
const RATE = 0.5;
/** Keeps a weight of few questions from being large. */
const RIDGE = 1e-3;

const { values: flags, positionals } = parseArgs({
  options: { 'dry-run': { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [path] = positionals;
if (path === undefined) throw new Error('name the file of a run of `candor eval spider`');
const rows = (await readFile(path, 'utf8')).trim().split('\n').flatMap(readRow);
const open = rows.filter(({ index }) => index % 2 === 0);
const folds = [
  open.filter(({ index }) => index % 4 === 0),
  open.filter(({ index }) => index % 4 === 2),
] as const;
const unseen = [...risksOf(folds[0], fitWeights(folds[1])), ...risksOf(folds[1], fitWeights(folds[0]))];
const weights = fitWeights(open);
const curve = riskCoverage({ risks: unseen, labels: folds.flat().map(labelOf) });
const closed = rows.filter(({ index }) => index % 2 === 1);
process.stdout.write(`open half, by the other fold  ${inWords(folds.flat(), unseen)}\n`);
process.stdout.write(`closed half                   ${inWords(closed, risksOf(closed, weights))}\n`);
const about = `Spider dev (CC BY-SA 4.0), ${open.length} answers to every second question; npx tsx scripts/fit-writer-risk.ts`;
if (!flags['dry-run'])
  await writeFile(WRITER_RISK_FILE, `${JSON.stringify({ about, weights, curve }, null, 2)}\n`);

function readRow(line: string): Row[] {
  const { index, outcome, correct, probability, sqlRisk } = CASE.parse(JSON.parse(line));
  if (outcome !== 'answered' || probability === undefined || sqlRisk === undefined) return [];
  return [{ index, sqlRisk, probability, isWrong: !correct }];
}

function inputsOf({ sqlRisk, probability }: Row): readonly [number, number, number] {
  return [1, logit(sqlRisk), logit(1 - probability)];
}

/** Logistic regression by gradient descent: three weights, convex, so that where it starts does not matter. */
function fitWeights(part: readonly Row[]): WriterWeights {
  const at: [number, number, number] = [0, 0, 0];
  for (let step = 0; step < STEPS; step += 1) {
    const slope: [number, number, number] = [0, RIDGE * at[1], RIDGE * at[2]];
    for (const row of part) {
      const inputs = inputsOf(row);
      const sum = at[0] + at[1] * inputs[1] + at[2] * inputs[2];
      const error = 1 / (1 + Math.exp(-sum)) - labelOf(row);
      for (const place of [0, 1, 2] as const) slope[place] += (error * inputs[place]) / part.length;
    }
    for (const place of [0, 1, 2] as const) at[place] -= RATE * slope[place];
  }
  return { intercept: at[0], sql: at[1], writer: at[2] };
}

function risksOf(part: readonly Row[], by: WriterWeights): readonly number[] {
  return part.map(({ sqlRisk, probability }) => {
    const alone = { sql: '', nodes: [], units: [], queryRisk: sqlRisk };
    return riskWithWriter(alone, { probability, isDefined: false }, by).queryRisk;
  });
}

function labelOf({ isWrong }: Row): 0 | 1 {
  return isWrong ? 1 : 0;
}

function inWords(part: readonly Row[], both: readonly number[]): string {
  const labels = part.map(labelOf);
  const scores = {
    sql: part.map(({ sqlRisk }) => sqlRisk),
    writer: part.map((row) => 1 - row.probability),
    both,
  };
  const figures = Object.entries(scores).map(
    ([name, given]) => `${name} AUC ${auc(given, labels).toFixed(3)} ECE ${ece(given, labels).toFixed(3)}`,
  );
  return `${part.length} answers, ${figures.join('; ')}`;
}

/** Over ten bins of as many answers each. */
function ece(risks: readonly number[], labels: readonly number[]): number {
  const order = risks.map((_, at) => at).sort((a, b) => (risks[a] ?? 0) - (risks[b] ?? 0));
  let apart = 0;
  for (let bin = 0; bin < 10; bin += 1) {
    const inBin = order.slice((bin * order.length) / 10, ((bin + 1) * order.length) / 10);
    apart += Math.abs(inBin.reduce((sum, at) => sum + (risks[at] ?? 0) - (labels[at] ?? 0), 0));
  }
  return apart / Math.max(1, risks.length);
}
