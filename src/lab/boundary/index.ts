export { boundaryFigures } from './boundary-figures.ts';
export type { BoundaryRecord } from './boundary-record.ts';
export {
  type BoundaryMetrics,
  computeBoundaryMetrics,
  type ShareFigure,
} from './compute-boundary-metrics.ts';
export { renderBoundary } from './render-boundary.ts';
export { type BoundaryReport, type RunBoundaryOptions, runBoundary } from './run-boundary.ts';
