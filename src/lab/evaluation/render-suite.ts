/** The report of a run as text for people, and as the one line for programs. */
import { type Share, shareRow, shareText } from '../metrics/shares.ts';
import { alignRows } from './align-rows.ts';
import { CASE_VERDICTS, type CaseRecord } from './case-record.ts';
import {
  calibrationFigures,
  computeShares,
  type Metrics,
  surelyWrong,
  type ToldAnswer,
  toldAnswers,
} from './compute-metrics.ts';
import type { SuiteReport } from './run-suite.ts';
import { isUnasked, type RunRecord } from './runs/run-record.ts';
import type { RunReport } from './runs/run-recorded.ts';

/** The contract of every suite: what `--output json` prints as its last line. */
export interface SuiteSummary {
  readonly suite: string;
  readonly cases: number;
  readonly metrics: SuiteReport['metrics'];
  readonly seconds: number;
}

/** Takes the summary out of a report. */
export function summariseSuite({ suite, cases, metrics, seconds }: SuiteReport): SuiteSummary {
  return { suite, cases, metrics, seconds };
}

/** The report as aligned plain text: figures with intervals, verdicts, and shares per group of cases. */
export function renderSuite(report: SuiteReport): string {
  const { suite, cases, seconds, records, excluded, isComplete } = report;
  const [{ model, arm } = {}] = records;
  const asked = model === undefined ? '' : ` with ${model}${arm === 'plain' ? ' alone' : ''}`;
  const title = `${suite}${asked}: ${cases} cases in ${seconds} s${isComplete ? '' : ' (stopped before the end)'}`;
  const notes = [
    excluded.cases > 0 ? `${excluded.cases} more cases are excluded: ${excluded.why}` : '',
    renderNotRecorded(records),
    renderUnrated(records),
    `every case: ${report.file}`,
    isComplete ? '' : `go on with the same command and: --resume ${report.file}`,
  ];
  const groups = [
    renderGroup(
      'category',
      groupBy(records, ({ category }) => category),
    ),
    renderGroup(
      'hardness',
      groupBy(records, ({ hardness }) => hardness),
    ),
    renderGroup('tag', groupByTag(records)),
    renderGroup(
      'database',
      groupBy(records, ({ database }) => database),
    ),
  ];
  return [
    title,
    renderFigures(report),
    renderCalibration(toldAnswers(records)),
    renderVerdicts(records),
    renderErrors(records),
    ...groups,
    notes.filter(Boolean).join('\n'),
  ]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n');
}

const PERCENT_NAMES: Readonly<Record<string, string>> = {
  outcomeAccuracy: 'right outcome',
  executionAccuracy: 'execution accuracy',
  executionAccuracyOpenHalf: '  open half (even)',
  executionAccuracyClosedHalf: '  closed half (odd)',
  coverage: 'coverage',
  accuracyAnswered: 'accuracy among answered',
  accuracySurestHalf: 'accuracy among the surest half',
  distinct4: 'right within 4 readings',
  forcedAnswerRate: 'forced answers',
  falseRefusalRate: 'false refusals',
  wrongUnmarked: 'wrong answers without a mark',
  rubricGood: 'rated 4 or 5 by the judge',
  rubricAgreement: '  a 5 where results are equal',
  rightReasonRate: 'right reason of refusals',
};

/** Of a question, but for the cost, which is of all of them. */
const MODEL_NAMES: Readonly<Record<string, readonly [string, number]>> = {
  calls: ['calls of the model a {item}', 2],
  promptTokens: ['prompt tokens a {item}', 0],
  cachedTokens: ['  of them cached by the service', 0],
  completionTokens: ['reply tokens a {item}', 0],
  cost: ['cost of the run in US dollars', 4],
  lookUps: ['look-ups a {item}', 2],
  databaseQueries: ['  queries of the database', 2],
  plans: ['  plans of the database', 2],
  valueSearches: ['  searches for values', 2],
  vectorSearches: ['  searches by vectors', 2],
};

/** What the model took of an item, a line each; none without a model. */
function modelRows(metrics: Metrics, item: string): readonly (readonly string[])[] {
  return Object.entries(MODEL_NAMES).flatMap(([name, [title, digits]]) => {
    const value = metrics[name];
    if (value === undefined) return [];
    const p95 = metrics[`${name}P95`];
    const note = p95 === undefined ? '' : `p95 ${Number(p95.toFixed(1))}`;
    return [[title.replace('{item}', item), value.toFixed(digits), '', note]];
  });
}

const RECALL_NAMES = { tableRecall: 'recall of tables', columnRecall: 'recall of columns' } as const;

function recallRows(metrics: Metrics): readonly (readonly string[])[] {
  return Object.entries(RECALL_NAMES).flatMap(([name, title]) => {
    const value = metrics[name];
    return value === undefined ? [] : [[title, `${value.toFixed(1)} %`, '', 'of the nearest gold']];
  });
}

const AUC_NAMES: Readonly<Record<string, string>> = {
  probabilityAuc: 'wrong answers by probability, AUC',
  riskAuc: 'wrong answers by risk, AUC',
};

function renderFigures({ metrics, records }: SuiteReport): string {
  const shares = computeShares(records);
  const figure = (name: string): string => (metrics[name] ?? 0).toFixed(1);
  const interval = (name: string): string => `${figure(`${name}Low`)}–${figure(`${name}High`)}`;
  const percents = Object.entries(PERCENT_NAMES)
    .filter(([name]) => metrics[name] !== undefined)
    .map(([name, title]) => {
      const share = shares[name];
      if (share !== undefined) return shareRow(title, share);
      return [title, `${figure(name)} %`, interval(name), ''];
    });
  const times = ['p50Ms', 'p95Ms'].map((name) => [
    `question → SQL ${name.slice(0, 3)}`,
    `${figure(name)} ms`,
    interval(name),
    '',
  ]);
  const aucs = Object.entries(AUC_NAMES).flatMap(([name, title]) => {
    const auc = (of: string): string => (metrics[of] ?? 0).toFixed(3).replace(/^0/, '');
    return metrics[name] === undefined
      ? []
      : [[title, auc(name), `${auc(`${name}Low`)}–${auc(`${name}High`)}`, '']];
  });
  return alignRows([
    ['', 'figure', '95 % interval', ''],
    ...percents,
    ...recallRows(metrics),
    ...aucs,
    ...times,
    ...modelRows(metrics, 'question'),
  ]);
}

function renderVerdicts(records: readonly CaseRecord[]): string {
  const counts = CASE_VERDICTS.map((verdict) => ({
    verdict,
    count: records.filter((record) => record.verdict === verdict).length,
  }));
  return counts
    .filter(({ count }) => count > 0)
    .map(({ verdict, count }) => `${count} ${verdict}`)
    .join(', ');
}

/** Why a judge said nothing, where it was asked. */
function renderUnrated(records: readonly CaseRecord[]): string {
  const codes = records.flatMap(({ rubric }) =>
    rubric !== undefined && 'failed' in rubric ? rubric.failed : [],
  );
  if (codes.length === 0) return '';
  return `${codes.length} were not rated by the judge: ${[...new Set(codes)].join(', ')}`;
}

/** Cases that a recording could not answer, all of them by name: their prompts are new. */
function renderNotRecorded(records: readonly CaseRecord[]): string {
  const ids = records.filter(({ verdict }) => verdict === 'not-recorded').map(({ id }) => id);
  return ids.length === 0 ? '' : `${ids.length} have a prompt that was not recorded: ${ids.join(', ')}`;
}

const ERRORS_SHOWN = 5;

/** The most frequent failures, so that one broken database does not look like many hard questions. */
function renderErrors(records: readonly CaseRecord[]): string {
  const counts = new Map<string, number>();
  for (const { error, verdict } of records) {
    if (error === undefined || verdict === 'not-recorded') continue;
    const line = `${error.code}: ${error.message.split('\n')[0]}`;
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, ERRORS_SHOWN)
    .map(([line, count]) => `${count} × ${line}`)
    .join('\n');
}

type Groups = ReadonlyMap<string, readonly CaseRecord[]>;

function groupBy(records: readonly CaseRecord[], key: (record: CaseRecord) => string | undefined): Groups {
  const groups = new Map<string, CaseRecord[]>();
  for (const record of records) {
    const name = key(record);
    if (name !== undefined) groups.set(name, [...(groups.get(name) ?? []), record]);
  }
  return groups;
}

function groupByTag(records: readonly CaseRecord[]): Groups {
  const tags = new Set(records.flatMap((record) => record.tags));
  return new Map([...tags].map((tag) => [tag, records.filter((record) => record.tags.includes(tag))]));
}

/** One group tells nothing that the figures above do not. */
function renderGroup(title: string, groups: Groups): string {
  if (groups.size < 2) return '';
  const rows = [...groups].map(([name, records]) => {
    const shares = computeShares(records);
    return [
      name,
      String(records.length),
      shareText(shares.outcomeAccuracy),
      shareText(shares.executionAccuracy),
      shareText(shares.coverage),
      shareText(shares.accuracyAnswered),
    ];
  });
  return alignRows([[title, 'cases', 'right', 'execution', 'coverage', 'among answered'], ...rows]);
}

const QUESTION_SHOWN = 90;

/** Whether the risk that was told came true, and the wrong answers that were told to be surest; nothing where none has a risk. */
export function renderCalibration(told: readonly ToldAnswer[]): string {
  const { riskTold, riskWrong, riskEce } = calibrationFigures(told);
  if (riskTold === undefined || riskWrong === undefined || riskEce === undefined) return '';
  const [mean, wrong] = [riskTold, riskWrong].map((percent) => percent.toFixed(1));
  const said = `risk told: ${mean} % in the mean; wrong: ${wrong} % of ${told.length} answers; ECE ${riskEce.toFixed(3).replace(/^0/, '')}`;
  const worst = surelyWrong(told).map(({ id, question, risk }) => [
    risk.toFixed(2),
    id,
    question.replace(/\s+/g, ' ').slice(0, QUESTION_SHOWN),
  ]);
  return worst.length === 0
    ? said
    : `${said}\n\n${alignRows([['risk', 'surest that are wrong', ''], ...worst])}`;
}

/** What every report of a run says beside its figures. */
export function runTitle(
  { suite, records, seconds, isComplete }: RunReport<RunRecord>,
  what: string,
): string {
  const model = records[0]?.model;
  const asked = model === undefined ? '' : ` with ${model}`;
  return `${suite}${asked}: ${what} in ${seconds} s${isComplete ? '' : ' (stopped before the end)'}`;
}

/** A line for each share and for what the model took of an item, with a head. */
export function figureRows(
  shares: Readonly<Record<string, Share>>,
  titles: Readonly<Record<string, string>>,
  { metrics, item }: { readonly metrics: Metrics; readonly item: string },
): readonly (readonly string[])[] {
  return [
    ['', 'figure', '95 % interval', ''],
    ...Object.entries(shares).map(([name, share]) => shareRow(titles[name] ?? name, share)),
    ...modelRows(metrics, item),
  ];
}

/** `2 right, 1 wrong`: how often each verdict came, in the order of `verdicts`. */
export function verdictCounts<Verdict extends string>(
  judged: readonly { readonly verdict: Verdict }[],
  verdicts: readonly Verdict[],
): string {
  return verdicts
    .map((verdict) => ({ verdict, count: judged.filter((one) => one.verdict === verdict).length }))
    .filter(({ count }) => count > 0)
    .map(({ verdict, count }) => `${count} ${verdict}`)
    .join(', ');
}

/** Which cases could not be asked, where every case is written, and how a stopped run goes on. */
export function runNotes({ records, file, isComplete }: RunReport<RunRecord>, item: string): string {
  const unasked = records.filter(({ error }) => isUnasked(error));
  const changed = unasked.filter(({ error }) => error?.code === 'model.not-recorded').map(({ id }) => id);
  const failed = unasked.filter(({ error }) => error?.code !== 'model.not-recorded');
  const notes = [
    changed.length === 0
      ? ''
      : `${changed.length} have a prompt that was not recorded: ${changed.join(', ')}`,
    ...failed.map(({ id, error }) => `${id} could not be asked: ${error?.message.split('\n')[0]}`),
    `every ${item}: ${file}`,
    isComplete ? '' : `go on with the same command and: --resume ${file}`,
  ];
  return notes.filter((note) => note !== '').join('\n');
}
