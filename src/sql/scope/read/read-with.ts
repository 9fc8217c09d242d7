/** WITH: the chain of common table expressions, each read once, a recursive one until its lineage stands still. */
import { child, childrenIn, type SqlNode } from '../../tree/node.ts';
import { ANY_COLUMNS, createColumns, createOutput, renameColumns } from '../state/columns.ts';
import { isSameLineage } from '../state/lineage.ts';
import { columnNames, readAlias } from '../state/names.ts';
import { type Cte, type CteClause, type Level, type Reading, takeSteps } from '../state/reading.ts';
import type { Columns, Scope } from '../state/scope.ts';

const SET_OPERATIONS: ReadonlySet<string> = new Set(['Union', 'Intersect', 'Except']);
/** A recursive CTE is read again until its lineage is complete; columns that change places may need a few rounds. */
const MAX_ROUNDS = 5;

interface WithFrame {
  readonly parent: Scope | undefined;
  readonly outer: Level | undefined;
  readonly ctes: Cte | undefined;
}

/** Reads the WITH of a query, when it has one; gives the chain its body can name. */
export function readWith(reading: Reading, query: SqlNode, frame: WithFrame): Cte | undefined {
  const clause = child(query, 'with');
  if (clause === undefined) return frame.ctes;
  const isRecursive = clause.flags.recursive !== undefined || !reading.rules.recursionNeedsKeyword;
  const seesLater = clause.flags.recursive !== undefined || reading.rules.cteSeesLater;
  const created: Cte[] = [];
  let last = frame.ctes;
  const own: CteClause = { byKey: new Map(), outer: frame.ctes };
  for (const node of clause.children) {
    last = createCte(node, { next: last, clause: own, index: created.length });
    created.push(last);
  }
  for (const cte of created) {
    const isSelfNaming = isRecursive && isSetOperation(child(cte.node, 'this'));
    const visible = seesLater ? last : isSelfNaming ? cte : cte.next;
    cte.frame = {
      kind: 'cte',
      parent: frame.parent,
      outer: frame.outer,
      ctes: visible,
      recursive: isSelfNaming ? cte : undefined,
    };
  }
  for (const cte of created) if (cte.state === 'unread') readCte(reading, cte);
  return last;
}

/** Only a set operation has a first branch to begin a recursion with. */
function isSetOperation(query: SqlNode | undefined): boolean {
  const inner = withoutQueryBrackets(query);
  return inner !== undefined && SET_OPERATIONS.has(inner.type);
}

function createCte(node: SqlNode, place: Pick<Cte, 'next' | 'clause' | 'index'>): Cte {
  const alias = readAlias(node);
  const cte: Cte = {
    ...place,
    key: (alias.name ?? '').toLowerCase(),
    name: alias.name ?? '',
    node,
    columnNames: columnNames(alias),
    state: 'unread',
    columns: undefined,
    isNamedInside: false,
    scope: undefined,
    frame: undefined,
  };
  const { byKey } = place.clause;
  const same = byKey.get(cte.key);
  if (same === undefined) byKey.set(cte.key, [cte]);
  else same.push(cte);
  return cte;
}

function readCte(reading: Reading, cte: Cte): void {
  const body = child(cte.node, 'this');
  cte.state = 'reading';
  const columns = body === undefined || cte.frame === undefined ? ANY_COLUMNS : readBody(reading, cte, body);
  const more = childrenIn(cte.node, 'columns').map(({ value = '' }) => createOutput(value));
  cte.columns = more.length === 0 ? columns : createColumns([...columns.list, ...more], columns.openness);
  cte.scope = body && scopeOfQuery(reading, body);
  cte.state = 'read';
}

function readBody(reading: Reading, cte: Cte, body: SqlNode): Columns {
  const read = (): Columns =>
    cte.frame === undefined
      ? ANY_COLUMNS
      : renameColumns(reading.readQuery(reading, body, cte.frame), cte.columnNames);
  let columns = read();
  for (let round = 1; round < MAX_ROUNDS && isGrown(cte, columns); round += 1) {
    cte.columns = columns;
    columns = read();
  }
  return columns;
}

/** The columns that the recursive branch was read with lacked something that they turned out to have. */
function isGrown({ columns: before, isNamedInside }: Cte, after: Columns): boolean {
  if (before === undefined || !isNamedInside) return false;
  return after.list.some((output, index) => {
    const earlier = before.list[index];
    return earlier !== undefined && !isSameLineage(earlier.lineage, output.lineage);
  });
}

/** The scope of a query through the brackets around it. */
export function scopeOfQuery(reading: Reading, query: SqlNode): Scope | undefined {
  const inner = withoutQueryBrackets(query);
  return inner && reading.scopes[inner.id];
}

function withoutQueryBrackets(query: SqlNode | undefined): SqlNode | undefined {
  let at = query;
  while (at?.type === 'Subquery') at = child(at, 'this');
  return at;
}

/** The CTE that a name means at a place, innermost first; one that is just being read only if it is recursive. */
export function findCte(reading: Reading, ctes: Cte | undefined, key: string): Cte | undefined {
  for (let from = ctes; from !== undefined; from = from.clause.outer) {
    const same = from.clause.byKey.get(key) ?? [];
    // The last of a name is nearest; those behind the place where the look begins are not in sight.
    for (let index = lastUpTo(same, from.index); index >= 0; index -= 1) {
      takeSteps(reading, 1);
      const cte = same[index] as Cte;
      if (cte.state === 'unread') readCte(reading, cte);
      if (cte.columns === undefined) continue;
      cte.isNamedInside ||= cte.state === 'reading';
      return cte;
    }
  }
  return undefined;
}

/** The place of the last in a list that stands at `index` of its WITH or before. */
function lastUpTo(same: readonly Cte[], index: number): number {
  let at = same.length - 1;
  while (at >= 0 && (same[at] as Cte).index > index) at -= 1;
  return at;
}

/** While the recursive branch is read, the first branch says which columns there are. */
export function provideColumns(cte: Cte, columns: Columns): void {
  if (cte.state === 'reading' && cte.columns === undefined) {
    cte.columns = renameColumns(columns, cte.columnNames);
  }
}
