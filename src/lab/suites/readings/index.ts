export { renderReadings, summariseReadings } from './render-readings.ts';
export { runReadingsSuite } from './run-readings.ts';
