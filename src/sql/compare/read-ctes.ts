/** WITH: its queries, and the names they may be called by further on. */
import { child, childrenIn, type SqlNode } from '../tree/node.ts';
import type { CteName, Keying } from './keying.ts';
import type { NormalCte } from './normal-form.ts';
import { outputsOf, renamed } from './outputs.ts';

export interface CtesRead {
  readonly ctes: readonly NormalCte[];
  /** With their names added. */
  readonly keying: Keying;
}

export function readCtes(outer: Keying, clause: SqlNode | undefined): CtesRead {
  if (clause === undefined) return { ctes: [], keying: outer };
  const names = new Map<string, CteName>(outer.ctes);
  const isRecursive = clause.flags.recursive !== undefined || !outer.rules.recursionNeedsKeyword;
  const ctes: NormalCte[] = [];
  for (const node of childrenIn(clause, 'expressions')) {
    const alias = child(node, 'alias');
    const body = child(node, 'this');
    const name = alias && child(alias, 'this')?.value?.toLowerCase();
    if (alias === undefined || body === undefined || name === undefined) continue;
    // Numbered through all that are seen here, so that an inner WITH never reuses the number of an outer one.
    const label = `$${outer.ctes.size + ctes.length + 1}`;
    const own = isRecursive ? new Map(names).set(name, { label, outputs: undefined }) : names;
    const query = outer.readQuery({ ...outer, ctes: own }, body);
    names.set(name, { label, outputs: renamed(outputsOf(query), alias) });
    ctes.push({ node, label, query });
  }
  return { ctes, keying: { ...outer, ctes: names } };
}
