/** Tells sources of one base apart: `p`, `p#2`. */
import { child, type SqlNode, walk } from '../tree/node.ts';
import type { Source } from './names.ts';

/**
 * Numbers them by how they are used, not by alias nor place, so that `FROM p AS a JOIN p AS b` and
 * `FROM p AS b JOIN p AS a` number alike. Where their use is the same too, the place decides.
 */
export function labelSources(sources: readonly Source[], select: SqlNode): void {
  if (new Set(sources.map(({ base }) => base)).size === sources.length) return;
  const groups = new Map<string, Source[]>();
  for (const source of sources) {
    const group = groups.get(source.base);
    if (group === undefined) groups.set(source.base, [source]);
    else group.push(source);
  }
  const uses = readUses(select);
  for (const group of groups.values()) {
    if (group.length < 2) continue;
    const signs = new Map(group.map((source) => [source, signOf(source, uses)]));
    const ordered = group.toSorted((one, other) => compare(signs.get(one) ?? '', signs.get(other) ?? ''));
    ordered.forEach((source, index) => {
      source.isShared = true;
      if (index > 0) source.label = `${source.base}#${index + 1}`;
    });
  }
}

/** For each qualifier, where which of its columns stand. */
function readUses(select: SqlNode): ReadonlyMap<string, readonly string[]> {
  const uses = new Map<string, string[]>();
  for (const clause of select.children) {
    for (const node of walk(clause)) {
      const qualifier = node.type === 'Column' ? child(node, 'table')?.value?.toLowerCase() : undefined;
      if (qualifier === undefined) continue;
      const use = `${CLAUSES[clause.role] ?? clause.role} ${child(node, 'this')?.value?.toLowerCase()}`;
      const known = uses.get(qualifier);
      if (known === undefined) uses.set(qualifier, [use]);
      else known.push(use);
    }
  }
  return uses;
}

/** A condition may stand in any of these. */
const CLAUSES: Readonly<Record<string, string>> = { from: 'where', joins: 'where' };

function signOf({ name, query }: Source, uses: ReadonlyMap<string, readonly string[]>): string {
  return query?.key ?? [...(uses.get(name ?? '') ?? [])].sort().join(', ');
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
