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
  const declared = innermostCte(reference, (name.value ?? '').toLowerCase());
  if (declared === undefined) return false;
  const { cte, identifier } = declared;
  if (!isSameCteName(name, identifier, tree.dialect)) return false;
  if (!isInside(reference, cte)) return true;
  const body = withoutBrackets(child(cte, 'this'));
  const last = body && SET_OPERATIONS.has(body.type) ? lastOperand(body) : undefined;
  return last !== undefined && isInside(reference, last);
}

interface DeclaredCte {
  readonly cte: SqlNode;
  /** Its name. */
  readonly identifier: SqlNode;
}

/** The CTE of that name, in any letters, that is declared around or before a place, from the inside outwards. */
function innermostCte(place: SqlNode, key: string): DeclaredCte | undefined {
  for (let query = place.parent; query !== undefined; query = query.parent) {
    const declared = (child(query, 'with')?.children ?? []).flatMap(toDeclared);
    const named = declared.filter(
      ({ cte, identifier }) => (identifier.value ?? '').toLowerCase() === key && isBefore(cte, place),
    );
    const last = named.at(-1);
    if (last !== undefined) return last;
  }
  return undefined;
}

function toDeclared(cte: SqlNode): readonly DeclaredCte[] {
  const alias = child(cte, 'alias');
  const identifier = alias?.type === 'Identifier' ? alias : alias && child(alias, 'this');
  return identifier === undefined ? [] : [{ cte, identifier }];
}

function isBefore(cte: SqlNode, place: SqlNode): boolean {
  return cte.start <= place.start;
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
