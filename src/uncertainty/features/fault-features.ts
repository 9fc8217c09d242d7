/** What the checks know: certain faults of the node, and how many of each kind the whole query has. */
import { type CertainFault, certainFaults } from '../../faults/index.ts';
import type { ReadQuery } from '../../faults/reading/index.ts';
import type { Feature, FeatureGroup, FeatureSources, NodeReader } from './feature.ts';

const FAULT_FEATURES = [
  {
    name: 'fault_here',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'a certain fault is of this node',
  },
  {
    name: 'faults_refused',
    kind: 'count',
    unit: 'faults',
    about: 'certain faults of the query that its engine refuses',
  },
  {
    name: 'faults_spelling',
    kind: 'count',
    unit: 'literals',
    about: 'literals of the query that their columns have in another spelling',
  },
  {
    name: 'faults_absent',
    kind: 'count',
    unit: 'literals',
    about: 'literals of the query that their columns do not have',
  },
  {
    name: 'faults_joins',
    kind: 'count',
    unit: 'joins',
    about: 'joins of the query beside the declared key',
  },
  {
    name: 'faults_types',
    kind: 'count',
    unit: 'faults',
    about: 'comparisons of the query between types that do not fit',
  },
  { name: 'faults_others', kind: 'count', unit: 'faults', about: 'certain faults of any other kind' },
] as const satisfies readonly Feature[];

export const faultFeatures: FeatureGroup = { name: 'fault', features: FAULT_FEATURES, open };

/** The column of each count, after that of the node itself. */
const PLACES = { refused: 1, spelling: 2, absent: 3, joins: 4, types: 5, others: 6 } as const;

function open(query: ReadQuery, { schema }: FeatureSources): NodeReader {
  const faults = certainFaults(query, schema);
  const faulty = new Set(faults.map(({ node }) => node));
  const counts = new Array<number>(FAULT_FEATURES.length).fill(0);
  for (const fault of faults) {
    const place = PLACES[countedUnder(fault)];
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return ({ id }, into, at) => {
    into[at] = Number(faulty.has(id));
    for (let index = 1; index < counts.length; index += 1) into[at + index] = counts[index] ?? 0;
  };
}

function countedUnder({ kind, isRefused, isSpelling }: CertainFault): keyof typeof PLACES {
  if (isRefused) return 'refused';
  if (isSpelling) return 'spelling';
  if (kind === 'unseen-literal') return 'absent';
  if (kind === 'wrong-join') return 'joins';
  return kind === 'type-clash' ? 'types' : 'others';
}
