/** A trained model of what goes wrong in queries, ready to use. */
import type { TreeScorer } from '../../boosting/index.ts';
import type { Calibrator } from '../calibration/fit-calibrator.ts';
import type { IsotonicMap } from '../calibration/fit-isotonic.ts';
import type { RiskCurve } from '../calibration/risk-coverage.ts';
import type { FeatureSpace } from '../features/feature-space.ts';
import type { RowEncoder } from './category-codes.ts';
import type { QueryFeatures } from './query-features.ts';

export interface UncertaintyModel {
  /** What it was trained on and by which command, for people. */
  readonly about: string;
  /** Names and hashes of the data it was trained on. */
  readonly data: Readonly<Record<string, string>>;
  /** How good it was on data it had not seen. */
  readonly scores: Readonly<Record<string, number>>;
  readonly space: FeatureSpace;
  readonly encode: RowEncoder;
  /** Of nodes: log-odds of being wrong. */
  readonly nodes: TreeScorer;
  /** By type of node. */
  readonly calibrator: Calibrator;
  /** Of whole queries, from the risks of their nodes: log-odds of being wrong. */
  readonly queries: TreeScorer;
  readonly queryFeatures: QueryFeatures;
  readonly queryCalibrator: IsotonicMap;
  /** Errors among the answers shown at each risk, on databases the model had not seen. */
  readonly curve: RiskCurve;
  /** The curve that a target is held against: of those rows on which most were wrong, where who asks is not known. */
  readonly promise: RiskCurve;
}
