/** What other candidates for the same question say. */
import type { ReadQuery } from '../read-query.ts';
import { type NodeKeys, nodeKeys } from './agreement/node-keys.ts';
import type { Feature, FeatureGroup, FeatureValue, NodeReader } from './feature.ts';
import type { FeatureSources } from './feature-sources.ts';
import { nodeSubjects } from './node-subjects.ts';

const FEW = 0.34;
const few = (text: string) => (value: FeatureValue) =>
  typeof value === 'number' && value < FEW ? text : undefined;

const AGREEMENT_FEATURES = [
  { name: 'n_others', kind: 'count', unit: 'queries', about: 'other candidates' },
  {
    name: 'others_say_it',
    kind: 'ratio',
    unit: 'share of queries',
    about: 'other candidates that have the same part anywhere',
    tell: few('most other candidates do not have it'),
  },
  {
    name: 'others_say_it_here',
    kind: 'ratio',
    unit: 'share of queries',
    about: 'other candidates that have the same part in the same clause',
    tell: few('most other candidates do not have it here'),
  },
  {
    name: 'others_use_it_so',
    kind: 'ratio',
    unit: 'share of queries',
    about:
      'other candidates that have the same part below the same kind of node, literals beside the same column',
    tell: few('most other candidates do not use it so'),
  },
  {
    name: 'others_rival',
    kind: 'ratio',
    unit: 'share of queries',
    about:
      'the commonest column, table or literal of the others that the query lacks, of the kind of the node',
    tell: (value) =>
      typeof value === 'number' && value > 1 - FEW ? 'most other candidates have another one' : undefined,
  },
  {
    name: 'others_say_around',
    kind: 'ratio',
    unit: 'share of queries',
    about: 'other candidates that have the node around it, with all that is below: the same condition',
  },
  {
    name: 'others_fill_otherwise',
    kind: 'ratio',
    unit: 'share of queries',
    about:
      'other candidates that lack the part and have another of its kind in its place: beside the same column',
    tell: (value) =>
      typeof value === 'number' && value > 1 - FEW
        ? 'most other candidates have another one in its place'
        : undefined,
  },
  {
    name: 'others_lowest_below',
    kind: 'ratio',
    unit: 'share of queries',
    about: 'the least common column, table or literal at or below the node',
  },
  {
    name: 'others_whole',
    kind: 'ratio',
    unit: 'share of queries',
    about: 'other candidates that are the same query',
    tell: (value) => (value === 0 ? 'no other candidate is the same query' : undefined),
  },
  { name: 'others_select', kind: 'ratio', unit: 'share of queries', about: 'others that show the same' },
  { name: 'others_from', kind: 'ratio', unit: 'share of queries', about: 'others that join the same' },
  { name: 'others_where', kind: 'ratio', unit: 'share of queries', about: 'others with the same conditions' },
  {
    name: 'others_order',
    kind: 'ratio',
    unit: 'share of queries',
    about: 'others of the same order and limit',
  },
  { name: 'others_group', kind: 'ratio', unit: 'share of queries', about: 'others of the same groups' },
  {
    name: 'others_tables',
    kind: 'ratio',
    unit: 'share of queries',
    about: 'others that use the same tables',
  },
  {
    name: 'others_columns',
    kind: 'ratio',
    unit: 'share of queries',
    about: 'others that use the same columns',
  },
  {
    name: 'others_largest',
    kind: 'ratio',
    unit: 'share of queries',
    about: 'the largest group of equal queries among all candidates',
  },
  {
    name: 'others_different',
    kind: 'ratio',
    unit: 'share of queries',
    about: 'different queries among all candidates',
  },
] as const satisfies readonly Feature[];

export const agreementFeatures: FeatureGroup = { name: 'agreement', features: AGREEMENT_FEATURES, open };

const WIDTH = AGREEMENT_FEATURES.length;

function open(query: ReadQuery, { others = [] }: FeatureSources): NodeReader {
  if (others.length === 0)
    return (_, into, at) => {
      for (let index = 0; index < WIDTH; index += 1) into[at + index] = index === 0 ? 0 : Number.NaN;
    };
  const own = nodeKeys(query);
  const keys = others.map(nodeKeys);
  const shareOf = (test: (other: NodeKeys) => boolean): number => keys.filter(test).length / keys.length;
  const whole = ofWholeQuery(query, others, own, shareOf);
  const rivals = rivalsOf(query, others);
  const { nodes } = query.tree;
  const shares = nodes.map(({ id, parent }) => [
    shareOf(({ all }) => all.has(own.keys[id] ?? '')),
    shareOf(({ allPlaced }) => allPlaced.has(own.placed[id] ?? '')),
    shareOf(({ allSlots }) => allSlots.has(own.slots[id] ?? '')),
    parent === undefined ? 1 : shareOf(({ all }) => all.has(own.keys[parent.id] ?? '')),
    shareOf(({ all, places }) => !all.has(own.keys[id] ?? '') && places.has(own.placeOf[id] ?? '')),
  ]);
  const lowest = lowestBelow(query, shares);
  return ({ id, type }, into, at) => {
    const [anywhere = 0, here = 0, so = 0, around = 0, otherwise = 0] = shares[id] ?? [];
    into[at] = others.length;
    into[at + 1] = anywhere;
    into[at + 2] = here;
    into[at + 3] = so;
    into[at + 4] = rivals.get(type) ?? Number.NaN;
    into[at + 5] = around;
    into[at + 6] = otherwise;
    into[at + 7] = lowest[id] ?? Number.NaN;
    for (let index = 0; index < whole.length; index += 1) into[at + 8 + index] = whole[index] ?? Number.NaN;
  };
}

function ofWholeQuery(
  query: ReadQuery,
  others: readonly ReadQuery[],
  own: NodeKeys,
  shareOf: (test: (other: NodeKeys) => boolean) => number,
): readonly number[] {
  const clause = (...names: readonly string[]): number =>
    shareOf(({ clauses }) => names.every((name) => clauses.get(name) === own.clauses.get(name)));
  const used = (one: ReadQuery, of: 'usedTables' | 'usedColumns'): string =>
    [...nodeSubjects(one)[of]].sort().join();
  const sameUse = (of: 'usedTables' | 'usedColumns'): number => {
    const mine = used(query, of);
    return others.filter((other) => used(other, of) === mine).length / others.length;
  };
  const counts = new Map<string, number>();
  for (const { whole } of [own, ...others.map(nodeKeys)]) counts.set(whole, (counts.get(whole) ?? 0) + 1);
  const total = others.length + 1;
  return [
    shareOf(({ whole }) => whole === own.whole),
    clause('expressions', 'distinct'),
    clause('from'),
    clause('where'),
    clause('order', 'limit'),
    clause('group', 'having'),
    sameUse('usedTables'),
    sameUse('usedColumns'),
    Math.max(...counts.values()) / total,
    counts.size / total,
  ];
}

const COMPARED: ReadonlySet<string> = new Set(['Column', 'Table', 'Literal']);

/** By type of node: the share of the others that have the commonest part which the query lacks. */
function rivalsOf(query: ReadQuery, others: readonly ReadQuery[]): ReadonlyMap<string, number> {
  const { all } = nodeKeys(query);
  const counts = new Map<string, { readonly type: string; count: number }>();
  for (const other of others) {
    const { keys } = nodeKeys(other);
    const seen = new Set<string>();
    for (const { id, type } of other.tree.nodes) {
      const key = keys[id] ?? '';
      if (!COMPARED.has(type) || all.has(key) || seen.has(key)) continue;
      seen.add(key);
      const known = counts.get(key);
      if (known === undefined) counts.set(key, { type, count: 1 });
      else known.count += 1;
    }
  }
  const best = new Map<string, number>([...COMPARED].map((type) => [type, 0]));
  for (const { type, count } of counts.values())
    best.set(type, Math.max(best.get(type) ?? 0, count / others.length));
  best.set('Identifier', Math.max(best.get('Column') ?? 0, best.get('Table') ?? 0));
  return best;
}

function lowestBelow(
  { tree: { nodes } }: ReadQuery,
  shares: readonly (readonly number[])[],
): readonly number[] {
  const lowest = new Array<number>(nodes.length).fill(1);
  for (let id = nodes.length - 1; id >= 0; id -= 1) {
    const node = nodes[id];
    if (node === undefined) continue;
    const own = COMPARED.has(node.type) ? (shares[id]?.[0] ?? 1) : 1;
    lowest[id] = Math.min(lowest[id] ?? 1, own);
    const parent = node.parent?.id;
    if (parent !== undefined) lowest[parent] = Math.min(lowest[parent] ?? 1, lowest[id] ?? 1);
  }
  return lowest;
}
