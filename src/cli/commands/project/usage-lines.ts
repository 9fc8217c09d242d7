/** What was ingested of query logs, and what they say, as lines for people. */

import {
  type IngestedDays,
  type IngestedLog,
  type LiveIngested,
  type LogCounts,
  rejectedIn,
  type WindowUsage,
} from '../../../knowledge/usage/index.ts';
import { escapeControl } from '../../../lib/index.ts';
import { counted, renderTable, type Style } from '../../render/index.ts';

export interface Ingested {
  readonly logs: readonly IngestedLog[];
  readonly live?: LiveIngested;
  /** Of logs that engines hold. */
  readonly days: readonly IngestedDays[];
}

type Row = readonly (string | number | null)[];

/** One line for each log, and what was left out of it. */
export function renderIngested({ logs, live, days }: Ingested, style: Style): string {
  const heads = ['log', 'format', 'counted', 'failed', 'repeated', 'no reads', 'unknown tables', 'rejected'];
  const rows: Row[] = logs.map(({ path, format, counts }) => [
    escapeControl(path),
    format ?? 'empty',
    ...cellsOf(counts),
  ]);
  if (live !== undefined) rows.push(['(the server)', live.source, ...cellsOf(live.counts)]);
  for (const { log, counts } of days) rows.push([escapeControl(log), 'grouped', ...cellsOf(counts)]);
  const notes = logs.flatMap(({ path, readBytes, leftBytes, isShorter, counts }) => [
    ...(isShorter
      ? [`${escapeControl(path)} is shorter than what was read of it before: nothing was read`]
      : []),
    ...(leftBytes > 0 && !isShorter
      ? [
          `${escapeControl(path)}: the last ${counted(leftBytes, 'byte')} may not be written to their end, the next run reads them`,
        ]
      : []),
    ...(readBytes === 0 && leftBytes === 0 && !isShorter ? [`${escapeControl(path)}: nothing new`] : []),
    ...leftOutNotes(counts).map((note) => `${escapeControl(path)}: ${note}`),
  ]);
  if (live !== undefined) notes.push(...leftOutNotes(live.counts));
  for (const { log, readDays, knownDays, counts } of days) {
    notes.push(
      `${escapeControl(log)}: ${counted(readDays, 'new day')}, ${counted(knownDays, 'day')} read before`,
    );
    notes.push(...leftOutNotes(counts).map((note) => `${escapeControl(log)}: ${note}`));
  }
  if (live?.isCut) notes.push('the server remembers more than was read');
  return [renderTable(heads, rows, { style }), ...notes.map((note) => style.dim(note)), ''].join('\n');
}

function cellsOf(counts: LogCounts): Row {
  const { counted = 0, failed = 0, repeated = 0, notReading = 0, noRun = 0, unknownTables = 0 } = counts;
  return [counted, failed, repeated, notReading + noRun, unknownTables, rejectedIn(counts)];
}

function leftOutNotes({ otherDatabase = 0, tooOld = 0 }: LogCounts): string[] {
  return [
    ...(otherDatabase > 0 ? [`${otherDatabase} of other databases of the server were left out`] : []),
    ...(tooOld > 0 ? [`${tooOld} from before --since were left out`] : []),
  ];
}

export type UsageView = 'tables' | 'joins' | 'users' | 'examples';

export interface UsageLines {
  readonly heads: readonly string[];
  readonly rows: readonly Row[];
  /** What a row is. */
  readonly noun: string;
  readonly notes: readonly string[];
}

export function usageLines(usage: WindowUsage, view: UsageView): UsageLines {
  const notes = usage.serviceAccounts.map(
    ({ user, because }) => `${escapeControl(user)} is taken for a program and left out: ${because}`,
  );
  switch (view) {
    case 'tables':
      return { ...tableLines(usage), noun: 'table', notes: [...unknownNotes(usage), ...notes] };
    case 'joins':
      return { ...joinLines(usage), noun: 'join', notes };
    case 'users':
      return { ...userLines(usage), noun: 'user', notes };
    case 'examples':
      return { ...exampleLines(usage), noun: 'example', notes };
  }
}

function tableLines({ tables }: WindowUsage): Pick<UsageLines, 'heads' | 'rows'> {
  const rows = tables.map(({ tableId, popularity, users, runs, lastAt }) => [
    ...[tableId, Number(popularity.toFixed(2)), users, runs, lastAt],
  ]);
  return { heads: ['table', 'popularity', 'users', 'runs', 'last run'], rows };
}

function unknownNotes({ unknownTables }: WindowUsage): string[] {
  if (unknownTables.length === 0) return [];
  const names = unknownTables.slice(0, 5).map(({ name, runs }) => `${escapeControl(name)} (${runs})`);
  const more = unknownTables.length > 5 ? ' and others' : '';
  return [`statements also name tables that the catalog does not have: ${names.join(', ')}${more}`];
}

function joinLines({ joins }: WindowUsage): Pick<UsageLines, 'heads' | 'rows'> {
  const rows = joins.map(({ on, runs, users }) => [
    on.map(([left]) => left).join(', '),
    on.map(([, right]) => right).join(', '),
    ...[users, runs],
  ]);
  return { heads: ['columns', 'joined to', 'users', 'runs'], rows };
}

function userLines({ accesses }: WindowUsage): Pick<UsageLines, 'heads' | 'rows'> {
  const byUser = new Map<string, { tables: number; runs: number; most: string; mostRuns: number }>();
  for (const { user, tableId, runs } of accesses) {
    const known = byUser.get(user) ?? { tables: 0, runs: 0, most: tableId, mostRuns: 0 };
    const isMost = runs > known.mostRuns;
    byUser.set(user, {
      tables: known.tables + 1,
      runs: known.runs + runs,
      most: isMost ? tableId : known.most,
      mostRuns: isMost ? runs : known.mostRuns,
    });
  }
  const rows = [...byUser]
    .sort(([, a], [, b]) => b.runs - a.runs)
    .map(([user, { tables, runs, most }]) => [escapeControl(user), tables, runs, most]);
  return { heads: ['user', 'tables', 'reads of tables', 'most of all'], rows };
}

function exampleLines({ examples }: WindowUsage): Pick<UsageLines, 'heads' | 'rows'> {
  const rows = examples.map(({ runs, users, author, lastAt, sql, key }) => [
    ...[runs, users, escapeControl(author), lastAt, escapeControl(sql.replace(/\s+/g, ' ')), key],
  ]);
  return { heads: ['runs', 'users', 'mostly by', 'last run', 'statement', 'key'], rows };
}
