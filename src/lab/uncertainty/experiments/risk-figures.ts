/** How far the risk of a whole query can be trusted: order, level, what a target lets through, and where the marks point. */
import { alignRows } from '../../evaluation/align-rows.ts';
import { auc, makeAuc } from '../../metrics/auc.ts';
import { bootstrapByGroup, type Estimate } from '../../metrics/bootstrap-by-group.ts';
import { type Interval, wilsonInterval } from '../../metrics/intervals.ts';
import { ece } from '../../metrics/reliability.ts';
import { withinGroupAuc } from './node-figures.ts';

/** A query of a known author, judged as `candor review` judges it. */
export interface JudgedCase {
  readonly question: string;
  readonly database: string;
  /** The systems that wrote it. */
  readonly writers: readonly string[];
  readonly isRight: boolean;
  readonly risk: number;
  /** Whether each target lets it through without a warning, in the order of `TARGETS`. */
  readonly passes: readonly boolean[];
  readonly marks: readonly { readonly kind: string }[];
  /** Of a query with a wrong part: whether the part that stands first is wrong; undefined: none is, or none is known. */
  readonly isTopWrong: boolean | undefined;
}

export const TARGETS = [0.1, 0.2, 0.3] as const;

export interface RiskFigures {
  readonly name: string;
  readonly queries: number;
  readonly questions: number;
  readonly wrong: number;
  readonly auc: Estimate;
  readonly ece: number;
  /** Of a right and a wrong query for one question: how often the wrong one is the riskier. */
  readonly withinQuestion: number;
  readonly targets: readonly TargetFigures[];
  /** Shares that carry a mark. */
  readonly rightMarked: number;
  readonly wrongMarked: number;
  /** The same by the risk of the whole from which parts would be marked. */
  readonly marks: readonly MarkFigures[];
  readonly keywordMarks: number;
  /** Of the queries with a wrong part, and how many these are. */
  readonly topWrong: number;
  readonly topOf: number;
}

/** If parts were marked only from this risk of the whole on. */
export interface MarkFigures {
  readonly from: number;
  readonly rightMarked: number;
  readonly wrongMarked: number;
}

const MARK_LIMITS = [0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9] as const;

function markFigures(from: number, cases: readonly JudgedCase[]): MarkFigures {
  const isMarked = ({ marks, risk }: JudgedCase): boolean => marks.length > 0 && risk >= from;
  return {
    from,
    rightMarked: shareOf(
      cases.filter(({ isRight }) => isRight),
      isMarked,
    ),
    wrongMarked: shareOf(
      cases.filter(({ isRight }) => !isRight),
      isMarked,
    ),
  };
}

export interface TargetFigures {
  readonly target: number;
  /** Share of all queries that pass. */
  readonly coverage: number;
  readonly passed: number;
  /** Of those that pass; NaN where none does. */
  readonly wrong: number;
  readonly interval: Interval;
}

export function riskFigures(name: string, cases: readonly JudgedCase[]): RiskFigures {
  const scores = cases.map(({ risk }) => risk);
  const labels = cases.map(({ isRight }) => Number(!isRight));
  const questions = cases.map(({ question }) => question);
  const right = cases.filter(({ isRight }) => isRight);
  const wrong = cases.filter(({ isRight }) => !isRight);
  const located = cases.filter(({ isTopWrong }) => isTopWrong !== undefined);
  return {
    name,
    queries: cases.length,
    questions: new Set(questions).size,
    wrong: wrong.length / cases.length,
    auc: bootstrapByGroup(makeAuc(scores, labels), questions, { resamples: 400 }),
    ece: ece({ scores, labels }),
    withinQuestion: withinGroupAuc(scores, labels, questions).overPairs,
    targets: TARGETS.map((target, at) => targetFigures(target, at, cases)),
    rightMarked: shareOf(right, ({ marks }) => marks.length > 0),
    wrongMarked: shareOf(wrong, ({ marks }) => marks.length > 0),
    marks: MARK_LIMITS.map((from) => markFigures(from, cases)),
    keywordMarks: cases.flatMap(({ marks }) => marks.filter(({ kind }) => kind === 'clause')).length,
    topWrong: shareOf(located, ({ isTopWrong }) => isTopWrong === true),
    topOf: located.length,
  };
}

function targetFigures(target: number, at: number, cases: readonly JudgedCase[]): TargetFigures {
  const passed = cases.filter(({ passes }) => passes[at]);
  const wrong = passed.filter(({ isRight }) => !isRight).length;
  return {
    target,
    coverage: passed.length / cases.length,
    passed: passed.length,
    wrong: passed.length === 0 ? Number.NaN : wrong / passed.length,
    interval: wilsonInterval(wrong, passed.length),
  };
}

export interface WriterFigures {
  readonly writer: string;
  readonly queries: number;
  readonly wrong: number;
  readonly auc: number;
  readonly ece: number;
  readonly meanRisk: number;
}

/** By the system that wrote it, where there are enough queries to say something; a query that several wrote counts for each. */
export function writerFigures(cases: readonly JudgedCase[], least = 100): readonly WriterFigures[] {
  const writers = [...new Set(cases.flatMap((one) => one.writers))].sort();
  return writers.flatMap((writer) => {
    const own = cases.filter((one) => one.writers.includes(writer));
    if (own.length < least) return [];
    const scores = own.map(({ risk }) => risk);
    const labels = own.map(({ isRight }) => Number(!isRight));
    return {
      writer,
      queries: own.length,
      wrong: labels.reduce((sum, label) => sum + label, 0) / own.length,
      auc: auc(scores, labels),
      ece: ece({ scores, labels }),
      meanRisk: scores.reduce((sum, score) => sum + score, 0) / own.length,
    };
  });
}

function shareOf<Item>(items: readonly Item[], test: (item: Item) => boolean): number {
  return items.length === 0 ? Number.NaN : items.filter(test).length / items.length;
}

// The report as text for people, and as figures by name.

export interface RiskReport {
  readonly sets: readonly RiskFigures[];
  readonly writers: readonly WriterFigures[];
}

export function renderRisk({ sets, writers }: RiskReport): string {
  const head = ['', 'queries', 'wrong', 'AUC', 'ECE', 'within a question', 'right marked', 'wrong marked'];
  const whole = sets.map((set) => [
    ...[set.name, String(set.queries), percent(set.wrong)],
    ...[`${share(set.auc.value)} [${share(set.auc.low)}, ${share(set.auc.high)}]`, share(set.ece)],
    ...[share(set.withinQuestion), percent(set.rightMarked), percent(set.wrongMarked)],
  ]);
  const targets = sets.flatMap((set) => set.targets.map((one) => targetRow(set, one)));
  const parts = sets.map((set) => [
    ...[set.name, `${share(set.topWrong)} of ${set.topOf}`, String(set.keywordMarks)],
  ]);
  const marks = MARK_LIMITS.map((from, at) => [
    share(from),
    ...sets.flatMap((set) => [
      percent(set.marks[at]?.rightMarked ?? Number.NaN),
      percent(set.marks[at]?.wrongMarked ?? Number.NaN),
    ]),
  ]);
  const marked = sets.flatMap(({ name }) => [`${name}: right`, 'wrong']);
  const byWriter = writers.map((one) => [
    ...[one.writer, String(one.queries), percent(one.wrong), percent(one.meanRisk)],
    ...[share(one.auc), share(one.ece)],
  ]);
  return [
    alignRows([head, ...whole]),
    alignRows([['at a target of', '', 'pass', 'of them wrong', '95 %'], ...targets]),
    alignRows([['', 'the first part is wrong', 'marks on keywords'], ...parts]),
    alignRows([['marked from a risk of', ...marked], ...marks]),
    alignRows([['by writer', 'queries', 'wrong', 'risk told', 'AUC', 'ECE'], ...byWriter]),
  ].join('\n\n');
}

function targetRow({ name }: RiskFigures, { target, coverage, wrong, interval }: TargetFigures): string[] {
  return [
    ...[share(target), name, percent(coverage), Number.isNaN(wrong) ? 'none passes' : percent(wrong)],
    Number.isNaN(wrong) ? '' : `${percent(interval.low)}–${percent(interval.high)}`,
  ];
}

/** By name, for a machine: `BIRD dev, three databases: auc`. */
export function riskMetrics({ sets, writers }: RiskReport): Readonly<Record<string, number>> {
  const figures = sets.flatMap((set): [string, number][] => [
    ...Object.entries(set).flatMap(([name, value]): [string, number][] =>
      typeof value === 'number' ? [[`${set.name}: ${name}`, value]] : [],
    ),
    [`${set.name}: auc`, set.auc.value],
    ...set.targets.flatMap(({ target, coverage, wrong }): [string, number][] => [
      [`${set.name}: coverage at ${target}`, coverage],
      [`${set.name}: wrong at ${target}`, wrong],
    ]),
    ...set.marks.flatMap(({ from, rightMarked, wrongMarked }): [string, number][] => [
      [`${set.name}: right marked from ${from}`, rightMarked],
      [`${set.name}: wrong marked from ${from}`, wrongMarked],
    ]),
  ]);
  const ofWriters = writers.flatMap((one): [string, number][] => [
    [`writer ${one.writer}: auc`, one.auc],
    [`writer ${one.writer}: ece`, one.ece],
  ]);
  return Object.fromEntries([...figures, ...ofWriters].filter(([, value]) => !Number.isNaN(value)));
}

function share(value: number): string {
  return value.toFixed(3).replace(/^0/, '');
}

function percent(value: number): string {
  return `${(100 * value).toFixed(1)} %`;
}
