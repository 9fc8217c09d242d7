import { expect, it } from 'vitest';
import type { Feature, UncertaintyModel } from '../../../uncertainty/index.ts';
import { encoder } from '../../../uncertainty/index.ts';
import { NodeRows } from '../data/node-rows.ts';
import { figuresOf } from './shipped.ts';

const features: readonly Feature[] = [{ name: 'doubt', kind: 'ratio', unit: 'log-odds', about: 'x' }];
const space = { names: [], groups: [], features, startOf: () => 0 };
const scorer = (score: (row: ArrayLike<number>) => number): UncertaintyModel['nodes'] => ({
  features: ['doubt'],
  score,
  probability: (row) => 1 / (1 + Math.exp(-score(row))),
  contributions: () => ({ base: 0, values: new Float64Array(1) }),
});

/** Says of a node what its only feature says, and of a query what its worst node says. */
const CURVE = { rows: 0, wrong: 0, aurc: 0, coverageAt5: 0, coverageAt10: 0, points: [] };

const model: UncertaintyModel = {
  about: 'a test',
  data: {},
  scores: {},
  space,
  encode: encoder(features, {}),
  nodes: scorer((row) => row[0] ?? 0),
  calibrator: { groups: {}, others: { slope: 1, intercept: 0, rows: 1 } },
  queries: scorer((row) => row[0] ?? 0),
  queryFeatures: { names: ['worst'], read: (_, risks) => Float64Array.of(Math.max(...Array.from(risks))) },
  queryCalibrator: { scores: [0, 1], values: [0, 1] },
  curve: CURVE,
  promise: CURVE,
};

interface TestQuery {
  readonly database: string;
  readonly isRight?: boolean;
  readonly nodes: readonly (readonly [type: string, doubt: number, label: number])[];
}

const QUERIES: readonly TestQuery[] = [
  // Columns are told apart here; tables are not, and one query is unjudged.
  {
    database: 'superhero',
    isRight: false,
    nodes: [
      ['Column', 2, 1],
      ['Column', -2, 0],
      ['Table', -3, 1],
    ],
  },
  {
    database: 'formula_1',
    isRight: true,
    nodes: [
      ['Column', -1, 0],
      ['Table', 0, 0],
    ],
  },
  { database: 'formula_1', nodes: [['Column', 1, 1]] },
  // Here everything is the wrong way round.
  {
    database: 'toxicology',
    isRight: true,
    nodes: [
      ['Column', 3, 0],
      ['Column', -3, 1],
    ],
  },
  {
    database: 'card_games',
    isRight: false,
    nodes: [
      ['Column', -1, 0],
      ['Column', -2, 1],
    ],
  },
];

it('measures the open databases and the three test databases apart', () => {
  const rows = new NodeRows(space, 4);
  for (const [at, { nodes, ...query }] of QUERIES.entries())
    rows.add({
      ...{ question: `q${at}`, tag: 'one', ...query },
      types: nodes.map(([type]) => type),
      labels: Uint8Array.from(nodes, ([, , label]) => label),
      values: nodes.map(([, doubt]) => doubt),
    });
  const [open, test] = figuresOf(model, rows, 4);
  expect(open).toMatchObject({ split: 'learned', others: 4, queries: 3, nodes: 6, judgedQueries: 2 });
  expect(open?.nodeAuc).toMatchObject({ Column: 1, Table: 0 });
  expect(open?.queryAuc).toBe(1);
  expect(open?.wrongNodes).toBeCloseTo(0.5);
  expect(test).toMatchObject({ split: 'test', queries: 2, nodes: 4, judgedQueries: 2, queryAuc: 0 });
  expect(test?.nodeAuc).toMatchObject({ All: 0, Column: 0 });
  // Types alone: the same for every column of the test databases.
  expect(test?.typeOnlyAuc).toBe(0.5);
});
