/** Which part of a query is wrong, and how sure we are. */

export { assessQuery, type ScoredQuery, scoreQuery, scoreValues } from './assess-query.ts';
export { calibrate } from './calibration/calibrate.ts';
export {
  CALIBRATOR_SCHEMA,
  ISOTONIC_SCHEMA,
  parseCalibrator,
  parseIsotonic,
  parseRiskCurve,
  RISK_CURVE_SCHEMA,
} from './calibration/calibration-schema.ts';
export { type Calibrator, type CalibratorRows, fitCalibrator } from './calibration/fit-calibrator.ts';
export { applyIsotonic, fitIsotonic, type IsotonicMap } from './calibration/fit-isotonic.ts';
export { applyPlatt, fitPlatt, type PlattMap } from './calibration/fit-platt.ts';
export { checkLabelledRows, checkLength, type LabelledRows } from './calibration/labelled-rows.ts';
export { type Ranking, rankRows } from './calibration/rank-rows.ts';
export { type RiskCurve, type RiskPoint, riskCoverage } from './calibration/risk-coverage.ts';
export { aurc, aurcOfRanking } from './calibration/selective-risk.ts';
export { thresholdFor } from './calibration/threshold-for.ts';
export { nodeKeys } from './features/agreement/node-keys.ts';
export { type AskedQuestion, prepareQuestion } from './features/asked-question.ts';
export type { Feature, FeatureGroupName, FeatureValue } from './features/feature.ts';
export type { FeatureSources } from './features/feature-sources.ts';
export {
  ASKED_GROUPS,
  FEATURE_GROUP_NAMES,
  type FeatureSpace,
  featureSpace,
  PUBLISHED_GROUPS,
  readFeatures,
} from './features/feature-space.ts';
export { labelFacts } from './label/label-facts.ts';
export { labelNodes } from './label/label-nodes.ts';
export type { LabelOptions } from './label/label-options.ts';
export { type CategoryCodes, encoder, orderCategories } from './model/category-codes.ts';
export {
  decodeUncertaintyModel,
  encodeUncertaintyModel,
  type ModelParts,
  recalibrateModelText,
} from './model/model-text.ts';
export {
  openUncertaintyModel,
  PROJECT_MODEL_FILE,
  readShippedText,
  SHIPPED_MODEL_FILE,
} from './model/open-model.ts';
export { openWriterRisk, WRITER_RISK_FILE, type WriterRisk } from './model/open-writer-risk.ts';
export { queryFeatures } from './model/query-features.ts';
export type { UncertaintyModel } from './model/uncertainty-model.ts';
export type { Assessment, NodeRisk, RiskReason, UnitKind, UnitRisk } from './node-risk.ts';
export { addFaults } from './policy/add-faults.ts';
export { assessByFaults } from './policy/assess-by-faults.ts';
export {
  decideByRisk,
  type RiskAction,
  type RiskCase,
  type RiskDecision,
  type RiskThresholds,
} from './policy/decide-by-risk.ts';
export { BROKEN_RISK, raiseForDefinitions } from './policy/raise-for-definitions.ts';
export { logit, riskWithWriter, type WriterOpinion, type WriterWeights } from './policy/risk-with-writer.ts';
export {
  checkRepair,
  type RepairCheck,
  type RepairRefusal,
  type RepairVerdict,
} from './repair/check-repair.ts';
export { renderRepairOrder } from './repair/render-repair-order.ts';
export {
  type RepairEvidence,
  type RepairOrder,
  type RepairUnit,
  repairOrder,
} from './repair/repair-order.ts';
export { type Unit, unitsOf } from './units/highlight-units.ts';
export { type ExplainedNode, riskReasons } from './units/risk-reasons.ts';
export {
  LIKELY_WRONG_FROM,
  type RiskBand,
  riskBand,
  SUSPICIOUS_FROM,
  type UnitRiskOptions,
  unitRisks,
} from './units/unit-risks.ts';
