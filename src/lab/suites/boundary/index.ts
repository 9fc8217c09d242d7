export { boundaryFigures, renderBoundary } from './render-boundary.ts';
export { type BoundaryReport, runBoundary } from './run-boundary.ts';
