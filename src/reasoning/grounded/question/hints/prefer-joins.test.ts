import { describe, expect, it } from 'vitest';
import { SMALL_CATALOG } from '../../../../../test/fixtures/grounded/small-catalog.ts';
import { emptySemanticModel } from '../../../../knowledge/semantic/index.ts';
import { buildKnowledge } from '../../knowledge/knowledge.ts';
import { preferJoins } from './apply-hint.ts';
import { readHint } from './read-hint.ts';

/** A second key from songs to singers: a song also has an age of its own to join by. */
const second = {
  fromTable: 'songs',
  fromColumns: ['songs.seconds'],
  toTable: 'singers',
  toColumns: ['singers.age'],
  source: 'declared' as const,
};
const catalog = { ...SMALL_CATALOG, foreignKeys: [...SMALL_CATALOG.foreignKeys, second] };
const knowledge = buildKnowledge(catalog, emptySemanticModel, { lookup: () => [] });

describe('preferJoins', () => {
  it.each([
    {
      hint: 'voice refers to singers.name where songs.singer_id = singers.singer_id',
      keys: ['songs.singer_id'],
    },
    { hint: 'voice refers to singers.name where seconds = singers.age', keys: ['songs.seconds'] },
    { hint: 'voice refers to singers.name', keys: ['songs.singer_id', 'songs.seconds'] },
  ])('keeps the keys that “$hint” names', ({ hint, keys }) => {
    const { definitions } = readHint(hint, knowledge, { now: new Date('2024-10-01T12:00:00Z') });
    const graph = preferJoins(knowledge.graph, definitions);
    expect(graph.edges('songs').flatMap((edge) => edge.fromColumns)).toEqual(keys);
    // Other tables keep theirs.
    expect(graph.edges('pets')).toEqual(knowledge.graph.edges('pets'));
  });
});
