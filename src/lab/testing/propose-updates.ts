/** What `--update` would write: the SQL, or the rows, that came where a case is due an answer. */

import { readFile } from 'node:fs/promises';
import { isMap, isScalar, parseDocument, stringify, type YAMLMap } from 'yaml';
import { CandorError } from '../../errors.ts';
import type { Session } from '../../session/index.ts';
import type { Cell } from '../../sql/dialects/cell.ts';
import { formatSql } from '../../sql/index.ts';
import { writeWhole } from '../../store/index.ts';
import { dueOf, type QuestionRow } from '../corpus/question-row.ts';
import { parseQuestionRows } from '../corpus/read-question-file.ts';
import { runQuery } from '../evaluation/comparators/run-query.ts';
import type { CaseResult, TestCase, TurnResult } from './test-result.ts';

export interface Update {
  readonly tested: TestCase;
  /** Place of the turn in its case. */
  readonly turn: number;
  readonly sql: string;
  /** Where the case holds rows: those that came, to take their place. */
  readonly rows?: readonly (readonly Cell[])[];
  readonly before?: string;
  /** The turn that it is about, with what differs. */
  readonly result: TurnResult;
}

/** More rows are no example that a person reads. */
const MOST_ROWS = 100;

/** Cases whose rows came out otherwise, and cases that expect an answer without saying which. */
export async function proposeUpdates(
  results: readonly CaseResult[],
  session: Pick<Session, 'database' | 'config'>,
  signal: AbortSignal,
): Promise<readonly Update[]> {
  const updates: Update[] = [];
  for (const { tested, status, runs } of results) {
    if (status !== 'failed' && status !== 'passed') continue;
    for (const [turn, result] of (runs[0]?.turns ?? []).entries()) {
      const update = await proposeUpdate({ tested, turn, result }, session, signal);
      if (update !== undefined) updates.push(update);
    }
  }
  return updates;
}

async function proposeUpdate(
  { tested, turn, result }: Pick<Update, 'tested' | 'turn' | 'result'>,
  { database, config }: Pick<Session, 'database' | 'config'>,
  signal: AbortSignal,
): Promise<Update | undefined> {
  const expect = tested.turns[turn]?.expect;
  if (expect?.kind !== 'answered' || result.sql === undefined) return undefined;
  const { sql, mustContain, mustNotContain } = expect;
  const isOpen = (sql ?? expect.result ?? mustContain ?? mustNotContain) === undefined;
  const isOtherwise = result.problems.some(({ what }) => what === 'rows' || what === 'expected-sql');
  if (!isOpen && !isOtherwise) return undefined;
  const update = {
    ...{ tested, turn, result },
    sql: formatSql(result.sql, database.dialect).text,
    ...(sql !== undefined && { before: sql }),
  };
  if (expect.result === undefined) return update;
  const limits = { rows: MOST_ROWS, bytes: config.limits.bytes, timeoutMs: config.limits.timeoutMs };
  const ran = await runQuery(result.sql, { database, limits, signal });
  return ran.ok && ran.result.rows.every((row) => row.every(isWritable))
    ? { ...update, rows: ran.result.rows }
    : undefined;
}

/** What a YAML file can hold and give back as it was. */
function isWritable(cell: Cell): boolean {
  return typeof cell !== 'bigint' && !(cell instanceof Uint8Array) && !Number.isNaN(cell);
}

// Edits question files in place: only the value of one key changes, comments and layout stay.

/** Writes updates into their files, each file whole or not at all. Throws `test.not-updated`. */
export async function writeUpdates(updates: readonly Update[]): Promise<void> {
  for (const path of new Set(updates.map(({ tested }) => tested.path))) {
    const ofFile = updates.filter(({ tested }) => tested.path === path);
    let text = await readFile(path, 'utf8');
    for (const update of ofFile) text = applyUpdate(text, update);
    await writeWhole(path, text);
  }
}

/** The text of a file with one update in it; read again to be sure that nothing else has changed. */
export function applyUpdate(text: string, update: Update): string {
  const { tested, turn, rows } = update;
  const before = rowsOf(text, tested.file);
  const at = before.findIndex(({ id }) => id === tested.id);
  const row = before[at];
  if (row === undefined) throw notUpdated(update);
  const { entry, ends } = placeOf(row, turn, at);
  const sql = isOneLine(text, entry) ? (update.result.sql ?? update.sql) : update.sql;
  const isSqlDue = ends.sql !== undefined || ends.result === undefined;
  let edited = isSqlDue ? setKey(text, entry, 'sql', sql) : text;
  if (ends.result !== undefined && rows !== undefined) edited = setKey(edited, entry, 'result', rows);
  const due = { ...(isSqlDue && { sql }), ...(ends.result !== undefined && { result: rows }) };
  const after = rowsOf(edited, tested.file);
  const isAsMeant = after.every((other, place) =>
    place === at
      ? sameText(dueAt(other, turn), { ...dueAt(row, turn), ...due }) &&
        sameText(withoutDue(other, turn), withoutDue(row, turn))
      : sameText(other, before[place]),
  );
  if (after.length !== before.length || !isAsMeant) throw notUpdated(update);
  return edited;
}

function rowsOf(text: string, path: string): readonly QuestionRow[] {
  return parseQuestionRows(text, path).map(({ row }) => row);
}

function dueAt(row: QuestionRow, turn: number): Readonly<Record<string, unknown>> {
  return { ...dueOf(row.turns?.[turn] ?? row) };
}

function withoutDue(row: QuestionRow, turn: number): unknown {
  const bare = <Said extends object>(said: Said): object => ({
    ...said,
    sql: null,
    orderMatters: null,
    expect: null,
  });
  return row.turns === undefined
    ? bare(row)
    : { ...row, turns: row.turns.map((said, at) => (at === turn ? bare(said) : said)) };
}

/** Texts of a block end with a line break that says nothing. */
function sameText(one: unknown, other: unknown): boolean {
  const flat = (value: unknown): string =>
    JSON.stringify(sortKeys(value), (_, each: unknown) => (typeof each === 'string' ? each.trimEnd() : each));
  return flat(one) === flat(other);
}

function sortKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function notUpdated({ tested }: Update): CandorError {
  return new CandorError('test.not-updated', `${tested.file}:${tested.line}: ${tested.id} was not updated.`);
}

/** Where the outcome that is due stands: in the entry or turn itself, or in its `expect`. */
function placeOf(row: QuestionRow, turn: number, at: number) {
  const said = row.turns?.[turn] ?? row;
  const path: (string | number)[] = row.turns === undefined ? [at] : [at, 'turns', turn];
  const { expect } = said;
  const ends = expect?.kind === 'answered' ? expect : { sql: said.sql, result: undefined };
  return { entry: expect === undefined ? path : [...path, 'expect'], ends };
}

/** Inside braces, and before a comment on the same line, there is no room for a block. */
function isOneLine(text: string, path: readonly (string | number)[]): boolean {
  const map = parseDocument(text).getIn(path, true);
  return isMap(map) && (map.flow === true || hasCommentBehind(text, valueAt(map, 'sql')));
}

function hasCommentBehind(text: string, node: unknown): boolean {
  const end = rangeOf(node)?.[1];
  return end !== undefined && /^[ \t]+#/.test(text.slice(end)) && text[end - 1] !== '\n';
}

function valueAt(map: YAMLMap, key: string): unknown {
  return map.items.find((item) => isScalar(item.key) && item.key.value === key)?.value;
}

type Value = string | NonNullable<Update['rows']>;

/** Sets one key of the map at a path. */
function setKey(text: string, path: readonly (string | number)[], key: string, value: Value): string {
  const map = parseDocument(text).getIn(path, true);
  if (!isMap(map)) return text;
  const old = valueAt(map, key);
  const indent = columnOf(text, startOf(map.items[0]?.key));
  const isFlow = map.flow === true || hasCommentBehind(text, old);
  const written = write(value, { isFlow, indent });
  const [start, end] = rangeOf(old) ?? [];
  if (start === undefined || end === undefined) return addKey(text, map, `${key}: ${written}`, indent);
  // A block ends behind its line break, which stays.
  const isBlock = text.slice(start, end).endsWith('\n');
  return `${text.slice(0, start)}${written}${isBlock ? '\n' : ''}${text.slice(end)}`;
}

function addKey(text: string, map: YAMLMap, line: string, indent: number): string {
  const end = rangeOf(map.flow === true ? map : map.items.at(-1)?.value)?.[1] ?? text.length;
  if (map.flow === true) return `${text.slice(0, end - 1).trimEnd()}, ${line} ${text.slice(end - 1)}`;
  const lineEnd = text[end - 1] === '\n' ? end : text.indexOf('\n', end) + 1;
  const [before, after] = lineEnd > 0 ? [text.slice(0, lineEnd), text.slice(lineEnd)] : [`${text}\n`, ''];
  return `${before}${' '.repeat(indent)}${line}\n${after}`;
}

/** SQL of several lines as a block; everything else on one line, as YAML and JSON both read it. */
function write(value: Value, { isFlow, indent }: { isFlow: boolean; indent: number }): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  if (isFlow) return JSON.stringify(value);
  if (!value.includes('\n')) return stringify(value, { lineWidth: 0 }).trimEnd();
  const inner = ' '.repeat(indent + 2);
  return `|\n${value
    .split('\n')
    .map((line) => (line === '' ? '' : inner + line))
    .join('\n')}`;
}

function startOf(node: unknown): number {
  return rangeOf(node)?.[0] ?? 0;
}

function rangeOf(node: unknown): readonly number[] | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node)) return undefined;
  return Array.isArray(node.range) ? node.range : undefined;
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}
