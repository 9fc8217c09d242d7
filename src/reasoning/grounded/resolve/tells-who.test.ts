import { describe, expect, it } from 'vitest';
import { SMALL_CATALOG } from '../../../../test/fixtures/grounded/small-catalog.ts';
import { buildSchemaGraph } from '../query/graph/schema-graph.ts';
import type { Bound } from './bound.ts';
import { tellsWho } from './people-asked.ts';

const graph = buildSchemaGraph(SMALL_CATALOG);

function showing(columnId: string): Bound {
  const column = graph.column(columnId);
  return {
    projections: [{ isDistinct: false, column, score: 1 }],
    ...{ filters: [], groups: [], orders: [], havings: [], absences: [], stated: [], score: 1 },
    subject: column.tableId,
    tables: new Set([column.tableId]),
  };
}

describe('tellsWho', () => {
  it.each([
    ['singers.name', true],
    ['songs.singer_id', true],
    ['singers.singer_id', false],
    ['singers.age', false],
    ['singers.phone_number', false],
  ])('%s: %s', (column, tells) => {
    expect(tellsWho(showing(column), graph)).toBe(tells);
  });
});
