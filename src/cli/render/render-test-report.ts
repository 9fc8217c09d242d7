/** What came of a run of tests, for people: every case that is not as it should be, then the figures. */

import {
  type CaseResult,
  isBad,
  type Problem,
  type RowDifference,
  type ShareFigure,
  type TestRun,
  type TestSummary,
  type TurnResult,
} from '../../lab/testing/index.ts';
import { escapeControl, escapeControlKeepingLines } from '../../lib/index.ts';
import type { Style } from './layout/text-layout.ts';
import { counted, renderTable } from './layout/text-layout.ts';

export interface TestLayout {
  readonly style: Style;
  readonly width?: number;
  /** The command that replays, without the id. */
  readonly replayCommand: string;
}

export interface TestReport {
  readonly run: TestRun;
  readonly summary: TestSummary;
  /** Why the run does not pass. */
  readonly faults: readonly string[];
}

/** Failures in full, cases known to fail and skipped ones in a line each, then counts and figures. */
export function renderTestReport({ run, summary, faults }: TestReport, layout: TestLayout): string {
  const { style } = layout;
  const bad = run.results.filter(isBad).map((result) => renderTestCase(result, layout));
  const noted = run.results.flatMap((result) => notedLine(result, style));
  const verdict =
    faults.length === 0
      ? style.green('All as expected.')
      : faults.map((fault) => `${style.red('✗')} ${escapeControl(fault)}`).join('\n');
  const blocks = [...bad, noted.join('\n'), countsLine(summary), renderFigures(summary, style), verdict];
  return `${blocks.filter(Boolean).join('\n\n')}\n`;
}

const TITLES = { failed: 'FAILED', flaky: 'FLAKY', error: 'ERROR', 'unexpected-pass': 'PASSES' } as const;

/** One case that is not as it should be: what was due, what came, what differs, the SQL, and how to replay it. */
function renderTestCase({ tested, status, runs }: CaseResult, layout: TestLayout): string {
  const { style } = layout;
  const title = status in TITLES ? TITLES[status as keyof typeof TITLES] : status;
  const head = `${style.red(title)} ${style.bold(escapeControl(`${tested.file}:${tested.line} ${tested.id}`))}`;
  const right = runs.filter(({ isRight }) => isRight).length;
  const draws =
    runs.length > 1 ? [`  right in ${right} of ${runs.length} draws; the first that is not:`] : [];
  if (status === 'unexpected-pass')
    return `${head}\n  known to fail (${escapeControl(tested.knownFailure ?? '')}), and passes: remove knownFailure`;
  const wrong = runs.find(({ isRight }) => !isRight);
  const turns = (wrong?.turns ?? []).map((turn, at, all) => turnLines(turn, at === all.length - 1, layout));
  return [head, ...draws, ...turns.flat()].join('\n');
}

function turnLines(turn: TurnResult, isLast: boolean, layout: TestLayout): readonly string[] {
  const { style, replayCommand } = layout;
  const says = `  ${style.dim('›')} ${escapeControl(turn.says)}`;
  if (!isLast) return [says];
  return [
    says,
    ...turn.problems.flatMap((problem) => problemLines(problem, layout)),
    ...(turn.said === undefined ? [] : [`  said: ${escapeControl(turn.said)}`]),
    ...(turn.sql === undefined ? [] : ['  the SQL that came:', ...indented(turn.sql)]),
    ...(turn.recordId === undefined ? [] : [style.dim(`  ${replayCommand} ${turn.recordId}`)]),
  ];
}

function problemLines({ text, difference }: Problem, layout: TestLayout): readonly string[] {
  const line = `  ${escapeControl(text)}`;
  return difference === undefined ? [line] : [line, ...differenceLines(difference, layout)];
}

function differenceLines(difference: RowDifference, { style, width }: TestLayout): readonly string[] {
  const { expected, actual, missing, extra, columns } = difference;
  const size = ({ rows, columns: wide }: typeof expected): string =>
    `${counted(rows, 'row')} of ${counted(wide, 'column')}`;
  const table = (what: string, { count, rows }: typeof missing, names: readonly string[]): string[] => {
    if (count === 0) return [];
    const head = `    ${what}: ${counted(count, 'row')}${count > rows.length ? `, the first ${rows.length}` : ''}`;
    return [
      head,
      renderTable(names, rows, { style, indent: '      ', ...(width !== undefined && { width }) }),
    ];
  };
  const isAligned = columns.length === expected.columns;
  const expectedNames = isAligned
    ? columns
    : Array.from({ length: expected.columns }, (_, at) => `${at + 1}`);
  return [
    `    expected ${size(expected)}, came ${size(actual)}`,
    ...table('expected and did not come', missing, expectedNames),
    ...table('came and was not expected', extra, columns),
  ];
}

function indented(sql: string): readonly string[] {
  return escapeControlKeepingLines(sql)
    .split('\n')
    .map((line) => `    ${line}`);
}

function notedLine({ tested, status }: CaseResult, style: Style): readonly string[] {
  if (status !== 'known' && status !== 'skipped') return [];
  const why = status === 'known' ? `known to fail: ${tested.knownFailure}` : `skipped: ${tested.skip}`;
  return [style.dim(escapeControl(`${tested.file}:${tested.line} ${tested.id}, ${why}`))];
}

const COUNT_WORDS = [
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['flaky', 'flaky'],
  ['error', 'in error'],
  ['unexpected-pass', 'known to fail that pass'],
  ['known', 'known to fail'],
  ['skipped', 'skipped'],
  ['not-asked', 'not asked'],
] as const;

function countsLine({ cases, counts, seconds }: TestSummary): string {
  const parts = COUNT_WORDS.filter(([status]) => counts[status] > 0).map(
    ([status, word]) => `${counts[status]} ${word}`,
  );
  return `${counted(cases, 'case')} in ${seconds} s: ${parts.join(', ')}`;
}

function renderFigures(summary: TestSummary, style: Style): string {
  const { thinkMs, tokens, cost } = summary;
  const rows = [
    shareRow('accuracy', summary.accuracy),
    shareRow('forced answers', summary.forcedAnswers),
    shareRow('over-abstention', summary.overAbstention),
    shareRow('right reason', summary.rightReason),
    ...(thinkMs === undefined
      ? []
      : [
          ['question → outcome p50', `${thinkMs.p50} ms`, '', ''],
          ['question → outcome p95', `${thinkMs.p95} ms`, '', ''],
        ]),
    ...(tokens === 0
      ? []
      : [
          ['tokens', String(tokens), '', ''],
          ['cost', cost === undefined ? 'unknown' : `$${cost.toFixed(4)}`, '', ''],
        ]),
    ...spreadRows(summary.perTurn),
  ];
  return renderTable(['', 'figure', '95 % interval', ''], rows, { style });
}

const SPREAD_TITLES = {
  calls: 'calls of the model a turn',
  promptTokens: 'prompt tokens a turn',
  cachedTokens: '  of them cached',
  lookUps: 'look-ups a turn',
} as const;

function spreadRows(perTurn: TestSummary['perTurn']): readonly string[][] {
  return (Object.keys(SPREAD_TITLES) as (keyof typeof SPREAD_TITLES)[]).flatMap((name) => {
    const spread = perTurn[name];
    if (spread === undefined) return [];
    return [
      [
        SPREAD_TITLES[name],
        String(Number(spread.mean.toFixed(2))),
        '',
        `p95 ${Number(spread.p95.toFixed(1))}`,
      ],
    ];
  });
}

function shareRow(name: string, { hits, total, share, interval }: ShareFigure): string[] {
  if (share === undefined || interval === undefined) return [name, '–', '', 'no such case'];
  const percent = (value: number): string => (100 * value).toFixed(1);
  return [
    name,
    `${percent(share)} %`,
    `${percent(interval.low)}–${percent(interval.high)}`,
    `${hits} of ${total}`,
  ];
}
