/** Which of the names that a query makes itself it also uses. */

import type { ReadQuery } from '../../faults/index.ts';
import type { Reference, Scope, Source } from '../../sql/index.ts';

type Output = Scope['outputs']['list'][number];

export interface NamesInUse {
  /** 1 for entries of FROM that a qualifier names; by the id of their node. */
  readonly sources: Uint8Array;
  /** Items of select lists that are named elsewhere in their query or outside of it. */
  readonly outputs: ReadonlySet<Output>;
  /** Lower-case names of common table expressions that some FROM reads. */
  readonly ctes: ReadonlySet<string>;
}

export function namesInUse({ tree, scopes }: ReadQuery): NamesInUse {
  const sources = new Uint8Array(tree.nodes.length);
  const outputs = new Set<Output>();
  for (const { id, type, children } of tree.nodes) {
    const reference = scopes.references[id];
    if (reference === undefined) continue;
    if (reference.kind === 'alias' || reference.kind === 'column') outputs.add(reference.output);
    const isNamed = (type === 'Column' && children.length > 1) || reference.kind === 'row';
    if (isNamed) for (const source of sourcesOf(reference)) sources[source.node.id] = 1;
  }
  return { sources, outputs, ctes: readCtes(scopes.all) };
}

/** The sources that a name speaks of, or is looked for in. */
function sourcesOf(reference: Reference): readonly Source[] {
  switch (reference.kind) {
    case 'star':
      return reference.sources;
    case 'open':
      return reference.candidates;
    case 'ambiguous':
      return reference.candidates.flatMap(({ source }) => source ?? []);
    case 'column':
    case 'unknown':
    case 'hidden':
    case 'row':
      return reference.source === undefined ? [] : [reference.source];
    default:
      return [];
  }
}

function readCtes(all: readonly Scope[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { sources } of all) {
    for (const { kind, node } of sources) {
      const name = kind === 'cte' ? node.children.find(({ role }) => role === 'this')?.value : undefined;
      if (name !== undefined) names.add(name.toLowerCase());
    }
  }
  return names;
}
