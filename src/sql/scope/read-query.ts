/** Reads a query of any form with everything inside it; gives the columns it shows. */
import { child, childrenIn, type SqlNode } from '../tree/node.ts';
import { ANY_COLUMNS, createColumns, joinOpenness } from './columns.ts';
import { uniteLineages } from './lineage.ts';
import { openScope } from './open-scope.ts';
import { readPivotQuery } from './read-pivot-query.ts';
import { readEnd, readSelect } from './read-select.ts';
import { readValues } from './read-values.ts';
import { provideColumns, readWith, scopeOfQuery } from './read-with.ts';
import { emptyLevel, type Frame, type Level, openLevel, type Reading, takeSteps } from './reading.ts';
import type { Columns, Output, Scope } from './scope.ts';

export function readQuery(reading: Reading, query: SqlNode, frame: Frame): Columns {
  takeSteps(reading, 1);
  switch (query.type) {
    case 'Select':
      return readSelect(reading, query, frame);
    case 'Union':
    case 'Intersect':
    case 'Except':
      return readSetOperation(reading, query, frame);
    case 'Values':
      return readValues(reading, query, frame);
    case 'Pivot':
      return readPivotQuery(reading, query, frame);
    case 'Subquery':
      return readBrackets(reading, query, frame);
    default:
      // INSERT … RETURNING as a CTE: nobody reads inside.
      return ANY_COLUMNS;
  }
}

function readSetOperation(reading: Reading, query: SqlNode, frame: Frame): Columns {
  const scope = openScope(reading, query, frame);
  const ctes = readWith(reading, query, { parent: scope, outer: frame.outer, ctes: frame.ctes });
  const inner: Frame = { ...frame, kind: 'branch', parent: scope, ctes };
  const first = readBranch(reading, child(query, 'this'), inner);
  if (frame.recursive !== undefined) provideColumns(frame.recursive, first);
  const second = readBranch(reading, child(query, 'expression'), { ...inner, recursive: undefined });
  takeSteps(reading, first.list.length + second.list.length);
  scope.outputs =
    query.flags.byName === undefined ? uniteByPlace(first, second) : uniteByName(query, first, second);
  const level = emptyLevel(scope, orderOuter(reading, query, frame), { clause: 'outputs' });
  const names = reading.rules.orderSeesAllBranches ? [scope.outputs, second] : [scope.outputs];
  for (const { list } of names) addAliases(level.aliases, list);
  readEnd(reading, query, { level, ctes });
  return scope.outputs;
}

/** What ORDER BY of a set operation sees besides the output columns. */
function orderOuter(reading: Reading, query: SqlNode, { outer }: Frame): Level | undefined {
  if (!reading.rules.orderRepeatsExpressions) return outer;
  let first: SqlNode | undefined = query;
  while (first !== undefined && first.type !== 'Select') first = child(first, 'this');
  const scope = first && reading.scopes[first.id];
  return scope === undefined ? outer : openLevel(scope, outer);
}

function readBranch(reading: Reading, branch: SqlNode | undefined, frame: Frame): Columns {
  return branch === undefined ? ANY_COLUMNS : readQuery(reading, branch, frame);
}

function addAliases(aliases: Map<string, Output>, list: readonly Output[]): void {
  for (const output of list) {
    if (output.key !== undefined && !aliases.has(output.key)) aliases.set(output.key, output);
  }
}

/** Names of the first branch, lineage of both. */
function uniteByPlace(first: Columns, second: Columns): Columns {
  const list = first.list.map((output, index) => uniteOutputs(output, second.list[index]));
  return createColumns(list, first.openness);
}

/**
 * UNION BY NAME: columns of both that share a name are one. CORRESPONDING and BigQuery's INNER and LEFT leave out those
 * that one branch has alone, and a list all that it does not name.
 */
function uniteByName(query: SqlNode, first: Columns, second: Columns): Columns {
  const { byName } = query.flags;
  const both = first.list.map((output) => uniteOutputs(output, second.byKey.get(output.key ?? '')));
  const rest = second.list.filter((output) => !first.byKey.has(output.key ?? ''));
  const openness = joinOpenness([first, second]);
  const isShown = ({ key }: Output): boolean =>
    byName !== 'common' || openness !== 'none' || (key !== undefined && second.byKey.has(key));
  const shown = [...both.filter(isShown), ...(byName === 'true' ? rest : [])];
  const listed = new Set(childrenIn(query, 'using').map(({ value = '' }) => value.toLowerCase()));
  if (listed.size === 0) return createColumns(shown, openness);
  return createColumns(
    shown.filter(({ key }) => key !== undefined && listed.has(key)),
    openness,
  );
}

function uniteOutputs(a: Output, b: Output | undefined): Output {
  if (b === undefined) return a;
  const lineage = uniteLineages([a.lineage, b.lineage]);
  return { name: a.name, key: a.key, lineage, origin: { kind: 'outputs', outputs: [a, b] } };
}

/** Brackets around a query may have a WITH, ORDER BY and LIMIT of their own. */
function readBrackets(reading: Reading, query: SqlNode, frame: Frame): Columns {
  const inner = child(query, 'this');
  if (inner === undefined) return ANY_COLUMNS;
  const ctes = readWith(reading, query, frame);
  const columns = readQuery(reading, inner, { ...frame, ctes });
  const scope = scopeOfQuery(reading, inner);
  if (scope !== undefined && query.children.length > 1)
    readBracketsEnd(reading, query, { scope, columns, frame });
  return columns;
}

interface BracketsEnd {
  readonly scope: Scope;
  readonly columns: Columns;
  readonly frame: Frame;
}

function readBracketsEnd(reading: Reading, query: SqlNode, { scope, columns, frame }: BracketsEnd): void {
  const level = emptyLevel(scope, frame.outer, { clause: 'outputs' });
  addAliases(level.aliases, columns.list);
  readEnd(reading, query, { level, ctes: frame.ctes });
}
