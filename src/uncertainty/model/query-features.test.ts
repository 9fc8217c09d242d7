import { describe, expect, it } from 'vitest';
import { ASKED_GROUPS, FEATURE_GROUP_NAMES, featureSpace } from '../features/feature-space.ts';
import { queryFeatures } from './query-features.ts';

const space = featureSpace(ASKED_GROUPS);
const first = Float64Array.from(space.features, (_, column) => column);

describe('features of a whole query', () => {
  const { names, read } = queryFeatures(space);
  const row = read(['Select', 'Column', 'Column', 'Literal', 'Where'], [0.1, 0.2, 0.4, 0.5, 0], first);
  const of = (name: string): number => row[names.indexOf(name)] ?? Number.NaN;

  it.each([
    // 1 − 0.8 · 0.6 · 0.5
    ['any_leaf_wrong', 0.76],
    ['highest', 0.5],
    ['second_highest', 0.4],
    ['mean', 0.24],
    ['expected_errors', 1.2],
    ['nodes', 5],
    ['highest_Column', 0.4],
    ['mean_Column', 0.3],
    ['highest_Select', 0.1],
    ['count_Where', 1],
    ['count_Join', 0],
  ])('%s is %d', (name, expected) => expect(of(name)).toBeCloseTo(expected, 12));

  it('do not know of types that the query lacks', () => expect(of('highest_Join')).toBeNaN());

  it('have what is the same for all nodes as it stands in the row of the root', () => {
    const taken = names.slice(names.indexOf('mean_Select') + 1).filter((name) => !name.startsWith('count_'));
    expect(taken).toContain('query_node_count');
    expect(taken).toContain('link_missing');
    expect(taken).toContain('unused_hint_texts');
    for (const name of ['n_children', 'n_siblings', 'link_column']) expect(taken).not.toContain(name);
    for (const name of taken) expect(of(name)).toBe(space.features.findIndex((one) => one.name === name));
  });

  it('have a fixed length and no name twice, in any space', () => {
    for (const groups of [FEATURE_GROUP_NAMES, ASKED_GROUPS, ['structure'] as const]) {
      const own = featureSpace(groups);
      const whole = queryFeatures(own);
      expect(new Set(whole.names).size).toBe(whole.names.length);
      const empty = whole.read([], [], new Float64Array(own.features.length));
      expect(empty).toHaveLength(whole.names.length);
      expect(empty[0]).toBe(0);
    }
  });
});
