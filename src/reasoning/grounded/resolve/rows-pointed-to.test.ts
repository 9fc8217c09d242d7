import { describe, expect, it } from 'vitest';
import { SMALL_CATALOG } from '../../../../test/fixtures/grounded/small-catalog.ts';
import { buildSchemaGraph } from '../query/graph/schema-graph.ts';
import { rowsPointedTo } from './bind-projection.ts';

const graph = buildSchemaGraph(SMALL_CATALOG);
const context = { graph, named: new Map<string, number>(), displayColumn: () => undefined };

describe('rowsPointedTo', () => {
  it.each([
    ['songs.singer_id', ['singers.name']],
    ['concerts.stadium_id', ['stadiums.name']],
    ['singers.singer_id', undefined],
    ['singers.age', undefined],
  ])('%s shows %s', (column, shown) => {
    const rows = rowsPointedTo(undefined, graph.column(column), context);
    expect(rows?.map(({ id }) => id)).toEqual(shown);
  });
});
