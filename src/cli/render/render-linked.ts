/** A linked schema for people: which tables and columns, why, what was left out; with `explain` the votes. */
import { escapeControl } from '../../lib/index.ts';
import type { LinkedItem, LinkedSchema } from '../../linking/index.ts';
import type { Style } from './layout/text-layout.ts';
import { counted, renderTable } from './layout/text-layout.ts';

export interface LinkedLayout {
  readonly style: Style;
  readonly width?: number;
  /** Adds hypotheses, votes, what refinement did and what it put aside. */
  readonly isExplained: boolean;
}

const MODES: Readonly<Record<LinkedSchema['mode'], string>> = {
  full: 'the whole schema',
  filter: 'a part of the schema, by what speaks for it',
  evilink: 'a part of the schema, by the votes of hypotheses',
  rankers: 'a part of the schema, by ranking',
};
const MOST_TABLES = 40;

export function renderLinked(linked: LinkedSchema, { style, width, isExplained }: LinkedLayout): string {
  const layout = { style, ...(width === undefined ? {} : { width }) };
  const section = (title: string, body: string): string => `${style.bold(title)}\n${body}`;
  const list = (lines: readonly string[]): string =>
    lines.map((line) => `  ${escapeControl(line)}`).join('\n');
  const parts = [
    `${style.bold(MODES[linked.mode])}: ${escapeControl(linked.why.join('; '))}`,
    linkedTable(linked, isExplained, layout),
  ];
  if (isExplained && linked.hypotheses.length > 0)
    parts.push(section('hypotheses', list(linked.hypotheses.map(({ id, summary }) => `${id}  ${summary}`))));
  if (isExplained && linked.turns.length > 0) parts.push(section('refinement', list(turnLines(linked))));
  if (isExplained && linked.discarded.length > 0)
    parts.push(section('put aside', list(linked.discarded.map((item) => `${item.id}: ${whyOf(item)}`))));
  if (linked.leftOut.length > 0) parts.push(section('left out', list(linked.leftOut)));
  if (linked.warnings.length > 0) parts.push(section('warnings', list(linked.warnings)));
  return `${parts.join('\n\n')}\n`;
}

function linkedTable(
  { items, catalog }: LinkedSchema,
  isExplained: boolean,
  layout: { readonly style: Style; readonly width?: number },
): string {
  const tables = items.filter(({ kind }) => kind === 'table').length;
  const shown = cutAfter(items, MOST_TABLES);
  const heads = ['table / column', ...(isExplained ? ['votes', 'bucket', 'score'] : []), 'because'];
  const names = namesOf(catalog);
  const rows = shown.map((item) => [
    item.kind === 'table'
      ? item.id
      : `  ${names.get(item.id) ?? item.id}${item.tier === 'maybe' ? ' ?' : ''}`,
    ...(isExplained ? votesOf(item) : []),
    whyOf(item),
  ]);
  if (rows.length === 0) return layout.style.dim('nothing of the schema speaks for the question');
  const hidden =
    items.filter(({ kind }) => kind === 'table').length - shown.filter(({ kind }) => kind === 'table').length;
  const note =
    hidden > 0
      ? `\n${layout.style.dim(`${counted(hidden, 'more table')}; --output json has all ${tables}`)}`
      : '';
  return `${renderTable(heads, rows, layout)}${note}`;
}

/** Items of the first so many tables. */
function cutAfter(items: readonly LinkedItem[], most: number): readonly LinkedItem[] {
  let tables = 0;
  return items.filter(({ kind }) => {
    if (kind === 'table') tables += 1;
    return tables <= most;
  });
}

/** Names of columns by id. */
function namesOf({ tables }: LinkedSchema['catalog']): ReadonlyMap<string, string> {
  return new Map(tables.flatMap(({ columns }) => columns.map(({ id, name }) => [id, name] as const)));
}

function votesOf({ votes, score, isAuto }: LinkedItem): readonly string[] {
  return [
    votes === undefined ? '' : `${votes.support}/${votes.paths}`,
    votes?.bucket ?? (isAuto ? 'join path' : ''),
    score === undefined ? '' : score.toFixed(2),
  ];
}

function whyOf({ because }: LinkedItem): string {
  return because.map(({ text }) => text).join('; ');
}

const LONGEST_RESULT = 160;

function turnLines({ turns }: LinkedSchema): readonly string[] {
  return turns.flatMap((results, turn) =>
    results.map(({ call, text }) => {
      const result = text.replace(/\s+/g, ' ').trim();
      return `${turn + 1}. ${call.tool}: ${result.length > LONGEST_RESULT ? `${result.slice(0, LONGEST_RESULT - 1)}…` : result}`;
    }),
  );
}
