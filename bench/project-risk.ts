/**
 * What labels of a project are worth: the built-in engine answers Motors and Ferrum Freight, their questions as they are and altered; half
 * of the questions, with all alterations of them, are labelled, and what the risk says of the other half is measured before and after.
 * Twenty halves are drawn; shares are of all of them together.
 * `npx tsx bench/project-risk.ts [--smoke] [--output json]`
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTerminalEnvironment } from '../src/config/index.ts';
import { openSuiteSession } from '../src/lab/evaluation/open-suite-session.ts';
import { ece } from '../src/lab/metrics/reliability.ts';
import { readAlteredSuite, readWordList, runAltered } from '../src/lab/suites/altered/index.ts';
import { seededRandom } from '../src/lib/index.ts';
import {
  fitShift,
  type LabelledRisk,
  projectThresholds,
  shiftRisk,
  shippedThresholds,
} from '../src/uncertainty/calibration/recalibrate-risk.ts';
import { riskCoverage } from '../src/uncertainty/calibration/risk-coverage.ts';
import { openWriterRisk, type RiskThresholds } from '../src/uncertainty/index.ts';
import { readBenchOptions } from './bench-options.ts';
import { printReport } from './print-report.ts';

interface Judged extends LabelledRisk {
  /** The question that was altered: its alterations are labelled with it, or none of them. */
  readonly question: string;
}

const TARGETS = [0.05, 0.1, 0.2] as const;
/** Lives for one project and one way of telling. */
class Measured {
  #eces: number[] = [];
  readonly #targets = TARGETS.map(() => ({ shown: 0, wrong: 0, of: 0, own: 0, splits: 0 }));

  add(told: readonly LabelledRisk[], thresholds: RiskThresholds): void {
    this.#eces.push(
      ece({
        scores: Float64Array.from(told, ({ risk }) => risk),
        labels: Uint8Array.from(told, ({ isWrong }) => Number(isWrong)),
      }),
    );
    for (const [at, target] of TARGETS.entries()) {
      const sum = this.#targets[at];
      if (sum === undefined) continue;
      const limit = thresholds.thresholdFor(target) ?? -1;
      const passing = told.filter(({ risk }) => risk <= limit);
      sum.shown += passing.length;
      sum.wrong += passing.filter(({ isWrong }) => isWrong).length;
      sum.of += told.length;
      sum.own += Number(thresholds.promiseFor?.(target).isOwn === true);
      sum.splits += 1;
    }
  }

  row(): Record<string, string | number> {
    const mean = this.#eces.reduce((sum, one) => sum + one, 0) / this.#eces.length;
    const targets = TARGETS.flatMap((target, at) => {
      const { shown = 0, wrong = 0, of = 0, own = 0, splits = 1 } = this.#targets[at] ?? {};
      return [
        [`${target} shown`, percentOf(shown, of)],
        [`${target} wrong`, percentOf(wrong, shown)],
        [`${target} promised`, percentOf(own, splits)],
      ] as const;
    });
    return { ece: Number(mean.toFixed(3)), ...Object.fromEntries(targets) };
  }
}

const options = readBenchOptions(process.argv.slice(2));
const halves = options.isSmoke ? 2 : 20;
const { dataDirectory } = readTerminalEnvironment();
const places = dataDirectory === undefined ? {} : { dataDirectory };
const { curve: shipped } = await openWriterRisk();
const rows: Record<string, string | number>[] = [];
const figures: Record<string, number> = {};
for (const name of ['motors', 'ferrum']) {
  const judged = await judgeSuite(name);
  figures[`${name}: answers`] = judged.length;
  figures[`${name}: percentWrong`] = percentOf(judged.filter(({ isWrong }) => isWrong).length, judged.length);
  measure(name, judged);
}
printReport(
  {
    bench: 'project-risk',
    about: 'the other half, before and after half of a project is labelled',
    rows,
    figures,
  },
  options,
);

/** Each answer of the engine with its risk as it ships. */
async function judgeSuite(name: string): Promise<readonly Judged[]> {
  const out = await mkdtemp(join(tmpdir(), 'candor-project-risk-'));
  const suite = await readAlteredSuite(name, places);
  const limit = options.isSmoke ? { limit: 8 } : {};
  const { records } = await runAltered([suite], {
    ...{ ...places, ...limit, seed: 1, half: 'all', words: await readWordList(undefined), out },
  });
  const session = openSuiteSession(suite, places);
  const judged: Judged[] = [];
  try {
    for (const record of records) {
      const asked = suite.cases.find(({ id }) => id === record.id);
      if (asked === undefined) continue;
      const all = [
        { question: record.question, isWrong: !record.isRight },
        ...record.altered.flatMap(({ question, outcome, verdict }) =>
          outcome === 'answered' && verdict !== 'error' ? [{ question, isWrong: verdict !== 'right' }] : [],
        ),
      ];
      for (const { question, isWrong } of all) {
        const answer = await session.ask({ ...asked, question }, AbortSignal.timeout(60_000));
        const told = answer.kind === 'answered' ? answer.risk?.shipped : undefined;
        if (told !== undefined) judged.push({ risk: told.risk, isWrong, question: record.id });
      }
    }
  } finally {
    await session.close();
    await rm(out, { recursive: true, force: true });
  }
  return judged;
}

function measure(name: string, judged: readonly Judged[]): void {
  const [before, after] = [new Measured(), new Measured()];
  for (let seed = 1; seed <= halves; seed++) {
    const labelled = drawHalf(judged, seed);
    const mine = judged.filter(({ question }) => labelled.has(question));
    const others = judged.filter(({ question }) => !labelled.has(question));
    const shift = fitShift(mine);
    const curve = riskCoverage({
      risks: mine.map(({ risk }) => risk),
      labels: mine.map(({ isWrong }) => Number(isWrong)),
    });
    before.add(others, shippedThresholds(shipped));
    const told = others.map((one) =>
      shift === undefined ? one : { ...one, risk: shiftRisk(one.risk, shift) },
    );
    after.add(told, projectThresholds({ shift, curve }, shipped));
  }
  for (const [when, measured] of [
    ['before', before],
    ['after', after],
  ] as const)
    rows.push({ project: name, when, ...measured.row() });
}

/** Half of the questions. */
function drawHalf(judged: readonly Judged[], seed: number): ReadonlySet<string> {
  const random = seededRandom(seed);
  const drawn = [...new Set(judged.map(({ question }) => question))]
    .map((question) => ({ question, at: random() }))
    .sort((one, other) => one.at - other.at);
  return new Set(drawn.slice(0, drawn.length >> 1).map(({ question }) => question));
}

function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Number(((100 * part) / whole).toFixed(1));
}
