/** FROM in canonical form: its relations under labels that no alias changes, and the conditions of its joins. */
import { child, type SqlNode } from '../tree/node.ts';
import { conjuncts } from './conjuncts.ts';
import { createSource } from './create-source.ts';
import { identifierKey } from './identifier-key.ts';
import type { Keying } from './keying.ts';
import { labelSources } from './label-sources.ts';
import type { NormalQuery, Part, SourcePart } from './normal-form.ts';
import { relationKey } from './relation-key.ts';
import { type Relation, relations } from './relations.ts';

export interface SourcesRead {
  readonly sources: readonly SourcePart[];
  /** Conditions of inner joins. */
  readonly on: readonly Part[];
}

/** Adds the sources of a SELECT to its names. */
export function readSources(keying: Keying, select: SqlNode): SourcesRead {
  const list = relations(select);
  const { names } = keying;
  const queries: (NormalQuery | undefined)[] = [];
  for (const relation of list) {
    const query = readDerived(keying, relation.node);
    queries.push(query);
    names.sources.push(createSource(keying, relation, query));
  }
  labelSources(names.sources, select);
  const on: Part[] = [];
  const sources = list.map((relation, index) => {
    const conditions = readConditions(keying, relation, index);
    if (relation.join === 'inner') on.push(...conditions);
    const query = queries[index];
    return {
      key: relationKey(keying, relation.node, names.sources[index]),
      node: relation.place,
      relation: relation.node,
      join: relation.join,
      on: relation.join === 'inner' ? [] : conditions,
      query,
    };
  });
  return { sources, on };
}

/** The query of `(SELECT …) AS x` and of LATERAL (SELECT …), which sees the sources before it. */
function readDerived(keying: Keying, relation: SqlNode): NormalQuery | undefined {
  const node = relation.type === 'Lateral' ? child(relation, 'this') : relation;
  return node?.type === 'Subquery' || node?.type === 'Values' ? keying.readQuery(keying, node) : undefined;
}

function readConditions(keying: Keying, { on, using }: Relation, index: number): readonly Part[] {
  return [
    ...on.flatMap((condition) => conjuncts(keying, condition)),
    ...using.map((name) => ({ key: usingKey(keying, name, index), node: name })),
  ];
}

/** `a JOIN b USING (x)` is `ON a.x = b.x`; after several relations only a schema could tell which one has x. */
function usingKey({ names, fold }: Keying, { value = '' }: SqlNode, index: number): string {
  const [left, right] = [names.sources[0], names.sources[index]];
  const name = identifierKey(value);
  if (index !== 1 || left === undefined || right === undefined) return fold(`${right?.label} using ${name}`);
  return fold([`${left.label}.${name}`, `${right.label}.${name}`].sort().join(' = '));
}
