/** The text of a model of uncertainty: two forests, their features, their calibration and what they were made of. */
import { z } from 'zod';
import { decodeModelFile, encodeModelFile, makeScorer, type TreeModel } from '../../boosting/index.ts';
import { CandorError } from '../../errors.ts';
import { CALIBRATOR_SCHEMA, ISOTONIC_SCHEMA, RISK_CURVE_SCHEMA } from '../calibration/calibration-schema.ts';
import type { Calibrator } from '../calibration/fit-calibrator.ts';
import type { IsotonicMap } from '../calibration/fit-isotonic.ts';
import type { RiskCurve } from '../calibration/risk-coverage.ts';
import type { FeatureGroupName } from '../features/feature.ts';
import { FEATURE_GROUP_NAMES, featureSpace } from '../features/feature-space.ts';
import { type CategoryCodes, encoder } from './category-codes.ts';
import { queryFeatures } from './query-features.ts';
import type { UncertaintyModel } from './uncertainty-model.ts';

/** What a model file holds. */
export interface ModelParts {
  readonly about: string;
  /** Names and hashes of the data it was trained on. */
  readonly data: Readonly<Record<string, string>>;
  /** How good it was on data it had not seen. */
  readonly scores: Readonly<Record<string, number>>;
  readonly groups: readonly FeatureGroupName[];
  readonly codes: CategoryCodes;
  readonly nodes: TreeModel;
  readonly calibrator: Calibrator;
  readonly queries: TreeModel;
  readonly queryCalibrator: IsotonicMap;
  readonly curve: RiskCurve;
}

const FORMAT = 'candor-uncertainty 1';
/** Three times what a model of 300 trees takes. */
const MOST_CHARACTERS = 24_000_000;

const HEAD = z.strictObject({
  format: z.literal(FORMAT),
  groups: z.array(z.enum(FEATURE_GROUP_NAMES as [FeatureGroupName, ...FeatureGroupName[]])).min(1),
  codes: z.record(z.string().max(200), z.array(z.string().max(200)).max(1_000)),
  calibrator: CALIBRATOR_SCHEMA,
  queryCalibrator: ISOTONIC_SCHEMA,
  curve: RISK_CURVE_SCHEMA,
});

/** Three parts, each with lines of its own, so that a change of one is seen as a change of one. */
const SEPARATOR = '\n--- candor-trees ---\n';

export function encodeUncertaintyModel(parts: ModelParts): string {
  const { about, data, scores, groups, codes, calibrator, queryCalibrator, curve } = parts;
  const head = { format: FORMAT, groups, codes, calibrator, queryCalibrator, curve };
  const text = [
    JSON.stringify(head),
    encodeModelFile({ model: parts.nodes, about, data, scores }),
    encodeModelFile({ model: parts.queries, about: `${about} The queries.`, data, scores }),
  ].join(SEPARATOR);
  decodeUncertaintyModel(text, 'to be written');
  return text;
}

/** Reads a model's text; `path` is named in messages only. Throws `uncertainty.model-invalid`, `boosting.model-invalid`. */
export function decodeUncertaintyModel(text: string, path: string): UncertaintyModel {
  if (text.length > MOST_CHARACTERS) throw invalid(path, `it has more than ${MOST_CHARACTERS} characters`);
  const [first = '', nodes, queries, ...more] = text.split(SEPARATOR);
  if (nodes === undefined || queries === undefined || more.length > 0)
    throw invalid(path, 'it is not a head and two forests');
  const head = HEAD.safeParse(readJson(first, path));
  if (!head.success) throw invalid(path, z.prettifyError(head.error));
  const { groups, codes, calibrator, queryCalibrator, curve } = head.data;
  const space = featureSpace(groups);
  const whole = queryFeatures(space);
  const forest = decodeModelFile(nodes, path, { features: space.features.map(({ name }) => name) });
  return {
    about: forest.about,
    space,
    encode: encoder(space.features, codes),
    nodes: makeScorer(forest.model),
    calibrator,
    queries: makeScorer(decodeModelFile(queries, path, { features: whole.names }).model),
    queryFeatures: whole,
    queryCalibrator,
    curve,
  };
}

/** The same model with its scores read as other probabilities. Throws as `decodeUncertaintyModel` does. */
export function recalibrateModelText(
  text: string,
  { calibrator, queryCalibrator, curve }: Pick<ModelParts, 'calibrator' | 'queryCalibrator' | 'curve'>,
): string {
  const [first = '', ...forests] = text.split(SEPARATOR);
  const head = HEAD.parse(readJson(first, 'the known model'));
  const changed = [JSON.stringify({ ...head, calibrator, queryCalibrator, curve }), ...forests].join(
    SEPARATOR,
  );
  decodeUncertaintyModel(changed, 'to be written');
  return changed;
}

function readJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(path, 'its first part is no JSON');
  }
}

function invalid(path: string, because: string): CandorError {
  return new CandorError('uncertainty.model-invalid', `${path} is no model of uncertainty: ${because}`);
}
