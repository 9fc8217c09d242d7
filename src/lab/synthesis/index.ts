export { type BuildReport, buildBench, readBench } from './build/build-bench.ts';
export {
  EXPORT_FORMATS,
  type ExportFormat,
  toQuestion,
  toTrainingLine,
} from './export/export-items.ts';
export { readInventory } from './inventory/read-inventory.ts';
export { CATEGORIES, SPLITS, type Split } from './items/bench-item.ts';
export { type RefineReport, refineBench } from './refine/refine-bench.ts';
