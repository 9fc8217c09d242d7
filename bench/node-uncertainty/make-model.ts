import { makeScorer, trainTrees } from '../../src/boosting/index.ts';
import { NODE_SETTINGS } from '../../src/lab/uncertainty/training/train-uncertainty.ts';
import { seededRandom } from '../../src/lib/seeded-random.ts';
import {
  type CategoryCodes,
  encoder,
  type FeatureGroupName,
  type FeatureSpace,
  featureSpace,
  fitCalibrator,
  fitIsotonic,
  orderCategories,
  queryFeatures,
  readFeatures,
  riskCoverage,
  type UncertaintyModel,
} from '../../src/uncertainty/index.ts';
import { freshSources, type JudgedQuery } from './judged-query.ts';

/** Rows of all nodes, as numbers, with their labels. */
export interface MadeRows {
  readonly names: readonly string[];
  readonly rows: readonly Float32Array[];
  readonly labels: Uint8Array;
  /** By query: its first row; at the end the number of rows. */
  readonly starts: readonly number[];
  readonly types: readonly string[];
  readonly space: FeatureSpace;
  readonly codes: CategoryCodes;
}

export function makeRows(judged: readonly JudgedQuery[], groups: readonly FeatureGroupName[]): MadeRows {
  const space = featureSpace(groups);
  const width = space.features.length;
  const read = judged.map((one) => {
    const { query, sources } = freshSources(one);
    return { types: query.tree.nodes.map(({ type }) => type), values: readFeatures(query, sources, space) };
  });
  const codes = Object.fromEntries(
    space.features.flatMap(({ name, kind }, column) => {
      if (kind !== 'category') return [];
      const met = new Set(
        read.flatMap(({ types, values }) => types.map((_, at) => String(values[at * width + column]))),
      );
      return [
        [name, orderCategories(new Map([...met].map((category) => [category, { rows: 1, wrong: 0 }])))],
      ];
    }),
  );
  const encode = encoder(space.features, codes);
  const row = new Float64Array(width);
  const rows = read.flatMap(({ types, values }) =>
    types.map((_, at) => {
      encode(values, at, row);
      return Float32Array.from(row);
    }),
  );
  const starts = [0];
  for (const { types } of read) starts.push((starts.at(-1) ?? 0) + types.length);
  return {
    ...{ space, codes, rows, starts, names: space.features.map(({ name }) => name) },
    types: read.flatMap(({ types }) => types),
    labels: Uint8Array.from(judged.flatMap(({ labels }) => [...labels])),
  };
}

/** A model of the settings of one that ships, of these few rows: what it says means little, what it takes does. */
export async function makeModel(made: MadeRows, trees: number): Promise<UncertaintyModel> {
  const { names, rows, labels, types, space, codes } = made;
  const { model } = await trainTrees(
    { names, rows: rows.length, features: columnsOf(rows, names.length), labels },
    { settings: { ...NODE_SETTINGS, trees } },
  );
  const nodes = makeScorer(model);
  const whole = queryFeatures(space);
  const ofQueries = await makeQueryForest(made, whole.names.length, trees);
  const scores = rows.map((row) => nodes.score(row));
  const curve = riskCoverage({ risks: rows.map((row) => nodes.probability(row)), labels });
  return {
    ...{
      about: 'made for a bench',
      data: {},
      scores: {},
      space,
      encode: encoder(space.features, codes),
      nodes,
    },
    calibrator: fitCalibrator({ scores, labels, groups: types }),
    queries: makeScorer({ ...ofQueries, features: whole.names }),
    queryFeatures: whole,
    queryCalibrator: fitIsotonic({ scores, labels }),
    curve,
    promise: curve,
  };
}

/** Of made numbers, one row for each node: enough of them for trees of full size. */
async function makeQueryForest({ labels }: MadeRows, width: number, trees: number) {
  const random = seededRandom(2);
  const features = Array.from({ length: width }, () => Float32Array.from(labels, () => random()));
  const names = features.map((_, column) => `column${column}`);
  const settings = { trees, leaves: 12, minLeafRows: 20 };
  return (await trainTrees({ names, rows: labels.length, features, labels }, { settings })).model;
}

function columnsOf(rows: readonly Float32Array[], width: number): readonly Float32Array[] {
  return Array.from({ length: width }, (_, column) =>
    Float32Array.from(rows, (row) => row[column] ?? Number.NaN),
  );
}
