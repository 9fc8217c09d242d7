/** The report of a linking run as text for people, and as the one line for programs. */
import { alignRows } from '../evaluation/align-rows.ts';
import type { LinkReport } from './run-link-set.ts';
import type { Figure, LevelFigures, LinkFigures } from './score/link-metrics.ts';

/** What `--output json` prints as its last line. */
export interface LinkSummary {
  readonly suite: string;
  readonly mode: string;
  readonly cases: number;
  /** `fieldSrr`, `tableNsf`, … in per cent, with `…Low` and `…High`; `tokens`, `p95Ms`, `keptShare`, …. */
  readonly metrics: Readonly<Record<string, number>>;
  /** The same, without intervals, for each database and split. */
  readonly groups: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly leftOut: number;
  readonly flagged: number;
  readonly seconds: number;
}

export function summariseLinkReport(report: LinkReport): LinkSummary {
  const { set, mode, figures, byDatabase, bySplit, leftOut, flagged, seconds } = report;
  const groups = [...bySplit, ...byDatabase].map(([name, own]) => [name, flatten(own, false)] as const);
  return {
    suite: `link-${set}`,
    mode,
    cases: figures.cases,
    metrics: flatten(figures, true),
    groups: Object.fromEntries(groups),
    leftOut: leftOut.length,
    flagged: flagged.length,
    seconds,
  };
}

const LEVELS = ['field', 'table'] as const;
const MEASURES = ['srr', 'nsr', 'nsp', 'nsf'] as const;

function flatten(figures: LinkFigures, withIntervals: boolean): Record<string, number> {
  const metrics: Record<string, number> = {};
  for (const level of LEVELS) {
    const found = figures[level];
    if (found === undefined) continue;
    metrics[`${level}Cases`] = found.cases;
    for (const measure of MEASURES) {
      const name = `${level}${measure[0]!.toUpperCase()}${measure.slice(1)}`;
      const { value, low, high } = found[measure];
      metrics[name] = round(value);
      if (withIntervals) Object.assign(metrics, { [`${name}Low`]: round(low), [`${name}High`]: round(high) });
    }
  }
  const { cases, failed, tokens, p50Tokens, p50Ms, p95Ms, keptShare, keptTableShare } = figures;
  const others = { cases, failed, tokens, p50Tokens, p50Ms, p95Ms };
  for (const [name, value] of Object.entries(others)) metrics[name] = round(value);
  return { ...metrics, keptShare: round(100 * keptShare), keptTableShare: round(100 * keptTableShare) };
}

function round(value: number): number {
  return Number(value.toFixed(2));
}

/** Aligned plain text: both levels with intervals, then one line for each database. */
export function renderLinkReport(report: LinkReport): string {
  const { set, mode, figures, seconds, isComplete, file, leftOut, flagged } = report;
  const { cases, failed, tokens, p50Tokens, p50Ms, p95Ms, keptShare, keptTableShare } = figures;
  const title = `${set} by ${mode}: ${cases} questions in ${seconds} s${isComplete ? '' : ' (stopped before the end)'}`;
  const costs = [
    `${tokens.toFixed(0)} tokens a question (median ${p50Tokens.toFixed(0)}), p50 ${p50Ms.toFixed(1)} ms, p95 ${p95Ms.toFixed(1)} ms`,
    `kept ${percent(keptShare)} of the columns, ${percent(keptTableShare)} of the tables`,
    severalGolds(report),
    failed === 0 ? '' : `${failed} questions failed and count as linked to nothing`,
  ];
  const notes = [
    ...reasons('left out', leftOut),
    ...reasons('gold in doubt', flagged),
    `every question: ${file}`,
    isComplete ? '' : `go on with: candor eval link ${set} --mode ${mode} --resume ${file}`,
  ];
  return [
    title,
    renderLevels(figures),
    costs.filter(Boolean).join('\n'),
    renderGroups(report),
    notes.filter(Boolean).join('\n'),
  ]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n');
}

function severalGolds({ records }: LinkReport): string {
  const several = records.filter(({ golds = 1 }) => golds > 1).length;
  return several === 0 ? '' : `${several} questions have several right queries: the nearest counts`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function renderLevels(figures: LinkFigures): string {
  const rows = LEVELS.flatMap((level) => {
    const found = figures[level];
    return found === undefined
      ? []
      : [[level, String(found.cases), ...MEASURES.map((name) => show(found[name]))]];
  });
  return alignRows([['', 'questions', 'SRR', 'NSR', 'NSP', 'NSF'], ...rows]);
}

function show({ value, low, high }: Figure): string {
  return `${value.toFixed(2)} (${low.toFixed(1)}–${high.toFixed(1)})`;
}

/** A warehouse has tens of databases: intervals of each would hide the figures. */
function renderGroups({ byDatabase, bySplit }: LinkReport): string {
  if (byDatabase.size < 2) return '';
  const heads = ['fields', ...MEASURES.map((name) => name.toUpperCase())];
  const rows = [...bySplit, ...byDatabase].map(([name, figures]) => [
    name,
    String(figures.cases),
    ...level(figures.field),
    ...level(figures.table),
    figures.p95Ms.toFixed(1),
    (100 * figures.keptShare).toFixed(1),
  ]);
  const tables = ['tables', ...heads.slice(1)];
  return alignRows([['database', 'questions', ...heads, ...tables, 'p95 ms', 'kept %'], ...rows]);
}

function level(figures: LevelFigures | undefined): string[] {
  if (figures === undefined) return ['–', '', '', '', ''];
  return [String(figures.cases), ...MEASURES.map((name) => figures[name].value.toFixed(1))];
}

const REASONS_SHOWN = 5;

function reasons(title: string, list: LinkReport['leftOut']): string[] {
  if (list.length === 0) return [];
  const shown = list.slice(0, REASONS_SHOWN).map(({ id, because }) => `  ${id}: ${because.split('\n')[0]}`);
  const rest = list.length - shown.length;
  return [`${list.length} ${title}:`, ...shown, ...(rest > 0 ? [`  … and ${rest} more`] : [])];
}
