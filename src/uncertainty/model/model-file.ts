/** The file of a model of uncertainty: two forests, their features, their calibration and what they were made of. */
import { z } from 'zod';
import {
  decodeForest,
  encodeForest,
  makeScorer,
  provenanceOf,
  readProvenance,
  type TreeModel,
} from '../../boosting/index.ts';
import { CandorError } from '../../errors.ts';
import {
  checkFormat,
  decodeTensors,
  encodeTensors,
  metadataOf,
  type Refuse,
  type TensorFile,
} from '../../lib/index.ts';
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
  /** What a target is held against where the model is to serve writers and databases that nobody knows. */
  readonly promise?: RiskCurve | undefined;
}

const FORMAT = 'candor-uncertainty 2';
/** Three times what a model of 300 trees takes. */
const MOST_BYTES = 24_000_000;

const HEAD = z.strictObject({
  groups: z.array(z.enum(FEATURE_GROUP_NAMES as [FeatureGroupName, ...FeatureGroupName[]])).min(1),
  codes: z.record(z.string().max(200), z.array(z.string().max(200)).max(1_000)),
  calibrator: CALIBRATOR_SCHEMA,
  queryCalibrator: ISOTONIC_SCHEMA,
  curve: RISK_CURVE_SCHEMA,
  promise: RISK_CURVE_SCHEMA.optional(),
});

/** The arrays of both forests, by the beginning of their names. */
const PARTS = { nodes: 'nodes/', queries: 'queries/' } as const;

/** The bytes of a model file. Throws what `decodeUncertaintyModel` would. */
export function encodeUncertaintyModel(parts: ModelParts): Uint8Array {
  const { groups, codes, calibrator, queryCalibrator, curve, promise } = parts;
  const head = JSON.stringify({ groups, codes, calibrator, queryCalibrator, curve, promise });
  const refuse = refuser('the model to be written');
  return encoded({
    metadata: { format: FORMAT, ...provenanceOf(parts), head },
    tensors: {
      ...encodeForest(parts.nodes, PARTS.nodes, refuse),
      ...encodeForest(parts.queries, PARTS.queries, refuse),
    },
  });
}

/** Reads a model file; `path` is named in messages only. Throws `uncertainty.model-invalid`. */
export function decodeUncertaintyModel(bytes: Uint8Array, path: string): UncertaintyModel {
  const refuse = refuser(path);
  const file = readParts(bytes, refuse);
  const { about, data, scores } = readProvenance(file, refuse);
  const { groups, codes, calibrator, queryCalibrator, curve, promise } = readHead(file, refuse);
  const space = featureSpace(groups);
  const whole = queryFeatures(space);
  const features = space.features.map(({ name }) => name);
  return {
    about,
    data,
    scores,
    space,
    encode: encoder(space.features, codes),
    nodes: makeScorer(decodeForest(file, PARTS.nodes, refuse, { features })),
    calibrator,
    queries: makeScorer(decodeForest(file, PARTS.queries, refuse, { features: whole.names })),
    queryFeatures: whole,
    queryCalibrator,
    curve,
    promise: promise ?? curve,
  };
}

/** The same model with its scores read as other probabilities. Throws as `decodeUncertaintyModel` does. */
export function recalibrateModel(
  bytes: Uint8Array,
  changed: Pick<ModelParts, 'calibrator' | 'queryCalibrator' | 'curve'>,
): Uint8Array {
  const refuse = refuser('the known model');
  const file = readParts(bytes, refuse);
  const { calibrator, queryCalibrator, curve } = changed;
  // What it promises is then of the new rows alone.
  const known = { ...readHead(file, refuse), promise: undefined };
  const head = JSON.stringify({ ...known, calibrator, queryCalibrator, curve });
  return encoded({ ...file, metadata: { ...file.metadata, head } });
}

function encoded(file: TensorFile): Uint8Array {
  const bytes = encodeTensors(file);
  decodeUncertaintyModel(bytes, 'the model to be written');
  return bytes;
}

function readParts(bytes: Uint8Array, refuse: Refuse): TensorFile {
  const file = decodeTensors(bytes, MOST_BYTES, refuse);
  checkFormat(file, FORMAT, refuse);
  return file;
}

function readHead(file: TensorFile, refuse: Refuse): z.infer<typeof HEAD> {
  const head = HEAD.safeParse(metadataOf(file, 'head', refuse));
  if (!head.success) throw refuse(z.prettifyError(head.error));
  return head.data;
}

function refuser(path: string): Refuse {
  return (because, cause) =>
    new CandorError('uncertainty.model-invalid', `${path} is no model of uncertainty: ${because}`, { cause });
}
