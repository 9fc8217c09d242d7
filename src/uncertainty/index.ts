/** Which part of a query is wrong, and how sure we are. */

export { assessQuery, scoreQuery, scoreValues } from './assess-query.ts';

export {
  type Calibrator,
  calibrate,
  fitCalibrator,
} from './calibration/fit-calibrator.ts';
export { applyIsotonic, fitIsotonic, type IsotonicMap } from './calibration/fit-isotonic.ts';
export { fitPlatt } from './calibration/fit-platt.ts';
export {
  checkLabelledRows,
  checkLength,
  type LabelledRows,
  rankRows,
} from './calibration/labelled-rows.ts';
export {
  joinCurves,
  LEAST_LABELS,
  type ProjectRisk,
  projectThresholds,
  type RiskShift,
  shiftRisk,
  shippedThresholds,
} from './calibration/recalibrate-risk.ts';
export {
  aurc,
  aurcOfRanking,
  likeThis,
  type RiskBasis,
  type RiskCurve,
  riskCoverage,
} from './calibration/risk-coverage.ts';
export { type RiskPromise, type RiskThresholds, thresholdFor } from './calibration/threshold-for.ts';

export { type AskedQuestion, prepareQuestion } from './features/asked-question.ts';
export type { Feature, FeatureGroupName, FeatureValue } from './features/feature.ts';

export {
  ASKED_GROUPS,
  type FeatureSpace,
  featureSpace,
  PUBLISHED_GROUPS,
  readFeatures,
} from './features/feature-space.ts';
export { labelFacts } from './label/label-facts.ts';
export { labelNodes } from './label/label-nodes.ts';

export { type CategoryCodes, encoder, orderCategories } from './model/category-codes.ts';
export {
  decodeUncertaintyModel,
  encodeUncertaintyModel,
  type ModelParts,
  recalibrateModel,
} from './model/model-file.ts';
export {
  openUncertaintyModel,
  openWriterRisk,
  PROJECT_MODEL_FILE,
  readShippedModel,
  SHIPPED_MODEL_FILE,
  WRITER_RISK_FILE,
  type WriterRisk,
} from './model/open-model.ts';
export {
  type AnswerLabel,
  addLabels,
  BUILT_IN_WRITER,
  fitProjectRisk,
  LABEL_SOURCES,
  LABELS_FILE,
  PROJECT_RISK_FILE,
  questionKey,
  readLabels,
  readProjectRisk,
  riskModelId,
  writeProjectRisk,
} from './model/project-risk.ts';
export { queryFeatures } from './model/query-features.ts';
export type { UncertaintyModel } from './model/uncertainty-model.ts';
export { addFaults, BROKEN_RISK, raiseForDefinitions } from './policy/add-faults.ts';
export { assessByFaults } from './policy/assess-by-faults.ts';
export {
  decideByRisk,
  type RiskAction,
  type RiskDecision,
} from './policy/decide-by-risk.ts';
export { countedAs, decidingFault } from './policy/fault-precision.ts';
export { logit, riskWithWriter, type WriterOpinion, type WriterWeights } from './policy/risk-with-writer.ts';
export {
  checkRepair,
  type RepairVerdict,
} from './repair/check-repair.ts';
export { repairOrder } from './repair/repair-order.ts';
export { unitsOf } from './units/highlight-units.ts';
export type { Assessment, UnitRisk } from './units/node-risk.ts';

export {
  boundParts,
  LIKELY_WRONG_FROM,
  partsToLookAt,
  riskBand,
  unitRisks,
} from './units/unit-risks.ts';
