import { child, type SqlNode, type SqlTree } from '../tree/node.ts';
import { isSameCteName } from './name-case.ts';

const SET_OPERATIONS: ReadonlySet<string> = new Set(['Union', 'Intersect', 'Except']);

/**
 * Whether a name that was resolved to a CTE means that CTE to every engine, and never a table of the same name. In
 * doubt stand a name in other letters than the CTE's own (`WITH "T" … FROM t`), one before the CTE is declared, and one
 * inside the CTE itself but in its recursive branch.
 */
export function isCertainCte(tree: SqlTree, reference: SqlNode): boolean {
  const name = child(reference, 'this') ?? reference;
  const declared = innermostCte(tree, reference, (name.value ?? '').toLowerCase());
  if (declared === undefined) return false;
  const { cte, identifier } = declared;
  if (!isSameCteName(name, identifier, tree.dialect)) return false;
  if (!isInside(reference, cte)) return true;
  const body = withoutBrackets(child(cte, 'this'));
  if (body === undefined || !SET_OPERATIONS.has(body.type)) return false;
  // SQLite takes every branch but the first for recursive, and knows no table behind the name in any of them.
  if (tree.dialect === 'sqlite') return isInside(reference, body) && !isInside(reference, firstBranch(body));
  const last = lastOperand(body);
  return last !== undefined && isInside(reference, last);
}

function firstBranch(operation: SqlNode): SqlNode {
  let at = operation;
  while (SET_OPERATIONS.has(at.type)) at = child(at, 'this') ?? at;
  return at;
}

interface DeclaredCte {
  readonly cte: SqlNode;
  /** Its name. */
  readonly identifier: SqlNode;
}

/** The CTEs that one query declares, by name in lower case, in the order of the text. */
type Declared = ReadonlyMap<string, readonly DeclaredCte[]>;

interface Declarations {
  /** By the id of the query. */
  readonly byQuery: ReadonlyMap<number, Declared>;
  /** By the id of a node: the nearest query above it that declares some. */
  readonly nearest: readonly (SqlNode | undefined)[];
}

const DECLARATIONS = new WeakMap<SqlTree, Declarations>();

/** Found once for a tree: a statement may name thousands of CTEs. */
function declarationsOf(tree: SqlTree): Declarations {
  const known = DECLARATIONS.get(tree);
  if (known !== undefined) return known;
  const byQuery = new Map<number, Declared>();
  const nearest: (SqlNode | undefined)[] = [];
  // Nodes come in preorder, so what stands above a node was looked at before.
  for (const { id, type, parent, children } of tree.nodes) {
    nearest[id] = parent && (byQuery.has(parent.id) ? parent : nearest[parent.id]);
    if (type === 'CTE' || children.length === 0) continue;
    const clause = children.find(({ role }) => role === 'with');
    if (clause !== undefined) byQuery.set(id, declaredIn(clause));
  }
  const found = { byQuery, nearest };
  DECLARATIONS.set(tree, found);
  return found;
}

function declaredIn(clause: SqlNode): Declared {
  const declared = new Map<string, DeclaredCte[]>();
  for (const { cte, identifier } of clause.children.flatMap(toDeclared)) {
    const key = (identifier.value ?? '').toLowerCase();
    const same = declared.get(key) ?? [];
    same.push({ cte, identifier });
    declared.set(key, same);
  }
  return declared;
}

/** The CTE of that name, in any letters, that is declared around or before a place, from the inside outwards. */
function innermostCte(tree: SqlTree, place: SqlNode, key: string): DeclaredCte | undefined {
  const { byQuery, nearest } = declarationsOf(tree);
  for (let query = nearest[place.id]; query !== undefined; query = nearest[query.id]) {
    const named = byQuery.get(query.id)?.get(key);
    const last = named && lastBefore(named, place.start);
    if (last !== undefined) return last;
  }
  return undefined;
}

/** The last of a list in the order of the text that begins at a place or before it. */
function lastBefore(named: readonly DeclaredCte[], start: number): DeclaredCte | undefined {
  let [from, to] = [0, named.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((named[middle] as DeclaredCte).cte.start <= start) from = middle + 1;
    else to = middle;
  }
  return named[from - 1];
}

function toDeclared(cte: SqlNode): readonly DeclaredCte[] {
  const alias = child(cte, 'alias');
  const identifier = alias?.type === 'Identifier' ? alias : alias && child(alias, 'this');
  return identifier === undefined ? [] : [{ cte, identifier }];
}

function isInside(place: SqlNode, around: SqlNode): boolean {
  for (let at: SqlNode | undefined = place; at !== undefined; at = at.parent) if (at === around) return true;
  return false;
}

function withoutBrackets(query: SqlNode | undefined): SqlNode | undefined {
  let at = query;
  while (at?.type === 'Subquery') at = child(at, 'this');
  return at;
}

function lastOperand(operation: SqlNode): SqlNode | undefined {
  return operation.children.find(({ role }) => role === 'expression');
}
