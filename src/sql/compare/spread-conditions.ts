/** Conditions in the clause they belong to: what links two tables to ON, what filters to WHERE. */
import { child, type SqlNode } from '../tree/node.ts';
import type { Keying } from './keying.ts';
import { findOwner, findSource, type Source } from './names.ts';
import type { Part, SourcePart } from './normal-form.ts';

interface Conditions {
  readonly sources: readonly SourcePart[];
  readonly on: readonly Part[];
  readonly where: readonly Part[];
}

/**
 * `FROM a, b WHERE a.x = b.x` is `FROM a JOIN b ON a.x = b.x`: for inner joins ON and WHERE are one filter. After a
 * right or full join they are not, so there everything stays as written.
 */
export function spreadConditions(
  { names, options }: Keying,
  { sources, on, where }: Conditions,
): Pick<Conditions, 'on' | 'where'> {
  const isMixed = sources.some(({ join }) => /right|full/.test(join));
  if (options.keepsJoins === true || isMixed || sources.length < 2) return { on, where };
  const linksNames = (node: SqlNode): boolean => {
    const [left, right] = node.type === 'EQ' ? node.children.map((side) => ownerOf(side)) : [];
    return left !== undefined && right !== undefined && left !== right && left.isInner && right.isInner;
  };
  const ownerOf = (side: SqlNode): Source | undefined => {
    if (side.type !== 'Column') return undefined;
    const qualifier = child(side, 'table')?.value?.toLowerCase();
    const name = child(side, 'this')?.value?.toLowerCase() ?? '';
    const found = qualifier === undefined ? findOwner(names, name) : findSource(names, qualifier);
    return found?.distance === 0 ? found.source : undefined;
  };
  const staysOn = ({ node }: Part) => isColumnPair(node);
  const moves = ({ node }: Part) => linksNames(node);
  return {
    on: [...on.filter(staysOn), ...where.filter(moves)],
    where: [...where.filter((part) => !moves(part)), ...on.filter((part) => !staysOn(part))],
  };
}

/** Equal columns, and USING, which is an Identifier here. */
function isColumnPair(node: SqlNode): boolean {
  if (node.type === 'Identifier') return true;
  return node.type === 'EQ' && node.children.every(({ type }) => type === 'Column');
}
