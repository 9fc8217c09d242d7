/** Node uncertainty: its training and its measuring. */
export { experimentMetrics } from './experiments/experiment-metrics.ts';
export type { ExperimentReport } from './experiments/experiment-report.ts';
export { plotExperiments, renderExperiments } from './experiments/render-experiments.ts';
export {
  EXPERIMENT_NAMES,
  type ExperimentName,
  type ExperimentOptions,
  runExperiments,
} from './experiments/run-experiments.ts';
