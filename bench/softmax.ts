/**
 * Our multinomial logistic regression beside scikit-learn's: the same examples, L2 and one thread each.
 * `npx tsx bench/softmax.ts [--smoke] [--output json]`; the first whole run installs scikit-learn into `.cache/`.
 */
import {
  DEFAULT_SOFTMAX,
  encodeSoftmaxModels,
  predictSoftmax,
  type SoftmaxExample,
  type SoftmaxModel,
  trainSoftmax,
} from '../src/softmax/index.ts';
import { readBenchOptions } from './bench-options.ts';
import { prepareSklearn, SKLEARN_VERSION, SklearnMissingError } from './clusters/sklearn-environment.ts';
import { printReport } from './print-report.ts';
import { makeTexts, type TextSize } from './softmax/make-texts.ts';
import { runLogistic } from './softmax/run-logistic.ts';
import { startClock } from './start-clock.ts';

interface Row extends Readonly<Record<string, string | number>> {
  readonly what: string;
  /** Mean log-loss of the held-out examples, in nats. */
  readonly oursLoss: number;
  readonly peerLoss: number | string;
  readonly oursRightPercent: number;
  readonly peerRightPercent: number | string;
  readonly oursSeconds: number;
  /** Of the processor: what a machine with nothing else to do would take. */
  readonly oursCpuSeconds: number;
  readonly peerCpuSeconds: number | string;
  /** Of the processor, for an example. */
  readonly predictUs: number;
  readonly fileMb: number;
}

const SIZES: readonly TextSize[] = [
  { examples: 10_000, words: 5_000, classes: 20, length: 70 },
  { examples: 50_000, words: 20_000, classes: 30, length: 70 },
];
const SMOKE_SIZES: typeof SIZES = [{ examples: 1_000, words: 200, classes: 4, length: 20 }];
/** Beside the examples to learn from, as a share of them. */
const HELD_OUT = 0.2;

const options = readBenchOptions();
const say = (line: string): void => void process.stderr.write(`softmax: ${line}\n`);
const python = await findPython();

const rows: Row[] = [];
for (const size of options.isSmoke ? SMOKE_SIZES : SIZES) rows.push(await measure(size));
const measured = rows.flatMap(({ oursLoss, peerLoss, oursCpuSeconds, peerCpuSeconds }) =>
  typeof peerLoss === 'number' && typeof peerCpuSeconds === 'number'
    ? [{ gap: oursLoss - peerLoss, ratio: oursCpuSeconds / peerCpuSeconds }]
    : [],
);
printReport(
  {
    bench: 'softmax',
    about: `logistic regression of ours and of scikit-learn ${SKLEARN_VERSION} on the same examples, one thread each; held-out loss`,
    rows,
    figures:
      measured.length === 0
        ? { lastSeconds: rows.at(-1)?.oursSeconds ?? 0 }
        : {
            worstLossGap: Math.max(...measured.map(({ gap }) => gap)),
            worstCpuRatio: Math.max(...measured.map(({ ratio }) => ratio)),
          },
  },
  options,
);

async function findPython(): Promise<string | undefined> {
  try {
    return await prepareSklearn(say, { mayInstall: !options.isSmoke });
  } catch (error) {
    if (!(error instanceof SklearnMissingError)) throw error;
    say(`scikit-learn is left out: ${error.message}`);
    return undefined;
  }
}

async function measure(size: TextSize): Promise<Row> {
  const { examples, words, classes } = size;
  const what = `${examples} × ${words} words, ${classes} classes`;
  say(what);
  const all = makeTexts({ ...size, examples: Math.round(examples * (1 + HELD_OUT)) }, 1);
  const [learned, heldOut] = [all.slice(0, examples), all.slice(examples)];
  const clock = startClock();
  const model = trainSoftmax(learned);
  const { seconds: oursSeconds, cpuSeconds: oursCpuSeconds } = clock();
  const ours = judge(model, heldOut);
  const theirs =
    python === undefined ? undefined : await runLogistic(python, { learned, heldOut }, DEFAULT_SOFTMAX);
  const provenance = { data: what, licence: 'made', seed: DEFAULT_SOFTMAX.seed, trained: examples };
  return {
    what,
    oursLoss: ours.loss,
    peerLoss: theirs?.loss ?? 'left out',
    oursRightPercent: ours.rightPercent,
    peerRightPercent: theirs?.rightPercent ?? 'left out',
    oursSeconds,
    oursCpuSeconds,
    peerCpuSeconds: theirs?.cpuSeconds ?? 'left out',
    predictUs: ours.predictUs,
    fileMb: encodeSoftmaxModels({ models: { model }, provenance }).length / 1e6,
  };
}

/** The time is that of predicting alone, the second time over: code is compiled before. */
function judge(
  model: SoftmaxModel,
  heldOut: readonly SoftmaxExample[],
): { loss: number; rightPercent: number; predictUs: number } {
  let loss = 0;
  let right = 0;
  for (const { features, label } of heldOut) {
    const shares = predictSoftmax(model, features);
    const own = shares[model.classes.indexOf(label)] ?? 0;
    loss -= Math.log(own) / heldOut.length;
    if (own === Math.max(...shares)) right++;
  }
  const clock = startClock();
  for (const { features } of heldOut) predictSoftmax(model, features);
  return {
    loss,
    rightPercent: (100 * right) / heldOut.length,
    predictUs: (clock().cpuSeconds / heldOut.length) * 1e6,
  };
}
