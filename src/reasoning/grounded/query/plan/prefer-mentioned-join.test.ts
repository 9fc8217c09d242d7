import { describe, expect, it } from 'vitest';
import { SMALL_CATALOG } from '../../../../../test/fixtures/grounded/small-catalog.ts';
import { tokenise } from '../../question/read/tokenise.ts';
import { buildSchemaGraph } from '../graph/schema-graph.ts';
import { preferMentionedJoin } from './prefer-mentioned-join.ts';

/** A song refers to singers twice: by who sings it, and by the year, which stands for the writer here. */
const GRAPH = buildSchemaGraph({
  ...SMALL_CATALOG,
  foreignKeys: [
    ...SMALL_CATALOG.foreignKeys,
    {
      fromTable: 'songs',
      fromColumns: ['songs.release_year'],
      toTable: 'singers',
      toColumns: ['singers.singer_id'],
      source: 'declared',
    },
  ],
});

function keysFor(question: string): string[] {
  const graph = preferMentionedJoin(GRAPH, tokenise(question));
  return graph
    .edges('songs')
    .filter((edge) => edge.to === 'singers')
    .flatMap((edge) => edge.fromColumns);
}

describe('preferMentionedJoin', () => {
  it.each([
    ['songs released by singers', ['songs.release_year']],
    ['songs of the year', ['songs.release_year']],
    // the table's own name tells nothing of its keys
    ['songs of the singer', ['songs.singer_id', 'songs.release_year']],
    ['songs', ['songs.singer_id', 'songs.release_year']],
  ])('“%s” joins by %j', (question, keys) => expect(keysFor(question)).toEqual(keys));

  it('is the same graph where no keys are rivals', () => {
    const plain = buildSchemaGraph(SMALL_CATALOG);
    expect(preferMentionedJoin(plain, tokenise('songs released by singers'))).toBe(plain);
  });
});
