import { describe, expect, it } from 'vitest';
import { ALBUMS } from '../../../test/fixtures/uncertainty/albums-catalog.ts';
import { askedOf } from '../../../test/fixtures/uncertainty/asked.ts';
import { queryOf, rowOf } from '../../../test/fixtures/uncertainty/read-features.ts';
import { prepareSchemaFacts } from '../../faults/index.ts';
import {
  ASKED_GROUPS,
  FEATURE_GROUP_NAMES,
  featureSpace,
  PUBLISHED_GROUPS,
  readFeatures,
} from './feature-space.ts';

const query = queryOf("SELECT Name FROM artist WHERE Name = 'Abba'", ALBUMS);
const sources = {
  schema: prepareSchemaFacts(ALBUMS),
  asked: askedOf(ALBUMS, { text: 'Who is Abba?' }, { artist: 0.9, 'artist.name': 0.8 }),
  others: [queryOf('SELECT id FROM artist', ALBUMS)],
};

describe('spaces of features', () => {
  it('of the paper have its 72, in the order of the specification', () => {
    const { features } = featureSpace(PUBLISHED_GROUPS);
    expect(features).toHaveLength(72);
    expect([features[0]?.name, features[16]?.name, features[71]?.name]).toEqual([
      'node_type',
      'is_identifier_valid',
      'function_known',
    ]);
  });

  it('have no name twice, and say of each what it is', () => {
    const { features } = featureSpace(FEATURE_GROUP_NAMES);
    expect(new Set(features.map(({ name }) => name)).size).toBe(features.length);
    for (const { name, about, unit } of features)
      expect(`${name} ${about} ${unit}`).toMatch(/^[a-z_0-9]+ \S.* \S/);
  });

  it('know where a group begins', () => {
    const { features, startOf, groups } = featureSpace(ASKED_GROUPS);
    for (const group of groups) expect(features[startOf(group.name)]).toBe(group.features[0]);
    expect(startOf('agreement')).toBe(-1);
  });

  it('put the values of all nodes side by side, as every group writes them', () => {
    const space = featureSpace(FEATURE_GROUP_NAMES);
    const values = readFeatures(query, sources, space);
    const width = space.features.length;
    expect(values).toHaveLength(query.tree.nodes.length * width);
    for (const node of query.tree.nodes) {
      const row = space.groups.flatMap((group) => rowOf(group, query, node, sources));
      expect(values.slice(node.id * width, (node.id + 1) * width)).toEqual(row);
    }
  });
});

describe('what only a person can tell', () => {
  // Groups that see nothing but what their sources give cannot know the gold; two reads of the same agree.
  it('is in none of the values: they hang on the query and the sources alone', () => {
    const space = featureSpace(FEATURE_GROUP_NAMES);
    const again = queryOf(query.tree.text, ALBUMS);
    expect(readFeatures(again, sources, space)).toEqual(readFeatures(query, sources, space));
  });
});
