import { describe, expect, it } from 'vitest';
import { encoder, type FeatureSpace } from '../../../uncertainty/index.ts';
import { NodeRows } from './node-rows.ts';

const SPACE: FeatureSpace = {
  names: ['structure'],
  groups: [],
  features: [
    { name: 'node_type', kind: 'category', unit: 'name', about: 'x' },
    { name: 'depth', kind: 'count', unit: 'nodes', about: 'x' },
  ],
  startOf: () => 0,
};
const ALL = (rows: NodeRows): Int32Array => Int32Array.from({ length: rows.count }, (_, row) => row);

/** Starts with room for two rows only. */
function rowsOf(...queries: readonly (readonly (readonly [type: string, depth: number, label: number])[])[]) {
  const rows = new NodeRows(SPACE, 2);
  for (const [at, nodes] of queries.entries())
    rows.add({
      ...{ question: `q${at}`, database: 'music', tag: 'one', isRight: at === 0 },
      types: nodes.map(([type]) => type),
      labels: Uint8Array.from(nodes, ([, , label]) => label),
      values: nodes.flatMap((node) => node.slice(0, 2)),
    });
  return rows;
}

const rows = rowsOf(
  [
    ['Select', 0, 1],
    ['Column', 1, 0],
    ['Column', 2, 0],
  ],
  [
    ['Select', 0, 1],
    ['__proto__', Number.NaN, 0],
  ],
);

describe('rows of nodes', () => {
  it('grow beyond the room they were given, and keep what was there', () => {
    expect(rows.count).toBe(5);
    expect(Array.from(ALL(rows), (row) => [rows.typeAt(row), rows.labelAt(row)])).toEqual([
      ['Select', 1],
      ['Column', 0],
      ['Column', 0],
      ['Select', 1],
      ['__proto__', 0],
    ]);
    expect(rows.queries.map(({ question, start, end, isRight }) => [question, start, end, isRight])).toEqual([
      ['q0', 0, 3, true],
      ['q1', 3, 5, false],
    ]);
  });

  it('are columns for training, with categories by their errors', () => {
    const codes = rows.learnCodes(ALL(rows));
    expect(codes).toEqual({ node_type: ['Column', '__proto__', 'Select'] });
    const [types, depths] = rows.columns(Int32Array.of(4, 0, 1), codes);
    expect([...types!]).toEqual([1, 2, 0]);
    expect([...depths!]).toEqual([Number.NaN, 0, 1]);
  });

  it('do not know a category that only other rows have', () => {
    const codes = rows.learnCodes(Int32Array.of(0, 1));
    expect([...rows.columns(Int32Array.of(4), codes)[0]!]).toEqual([Number.NaN]);
  });

  it('are read one by one as the model that ships reads them', () => {
    const codes = rows.learnCodes(ALL(rows));
    const read = rows.rowReader(codes);
    const encode = encoder(SPACE.features, codes);
    const [one, other] = [new Float32Array(2), new Float64Array(2)];
    for (const row of ALL(rows)) {
      read(row, one);
      encode([rows.typeAt(row), rows.columns(Int32Array.of(row), codes)[1]![0]!], 0, other);
      expect([...one]).toEqual([...other]);
    }
  });

  it('of no query are none', () => {
    const none = new NodeRows(SPACE, 0);
    expect([none.count, none.learnCodes(new Int32Array(0))]).toEqual([0, { node_type: [] }]);
  });
});
