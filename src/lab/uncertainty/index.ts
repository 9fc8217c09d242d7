/** Node uncertainty: its training and its measuring. */

export { experimentMetrics } from './experiments/experiment-metrics.ts';
export { measureRisk } from './experiments/measure-risk.ts';
export { plotExperiments, renderExperiments } from './experiments/render-experiments.ts';
export { renderRisk, riskMetrics } from './experiments/risk-figures.ts';
export {
  EXPERIMENT_NAMES,
  type ExperimentName,
  runExperiments,
} from './experiments/run-experiments.ts';

export type { OwnPair } from './training/own-rows.ts';
export { type Retrained, retrain } from './training/retrain.ts';
