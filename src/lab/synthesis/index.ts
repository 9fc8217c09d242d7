export { BENCH_ITEM, type BenchItem, CATEGORIES, type Category, SPLITS, type Split } from './bench-item.ts';
export { type BuildBenchOptions, type BuildReport, buildBench, readBench } from './build-bench.ts';
export {
  EXPORT_FORMATS,
  type ExportFormat,
  type TrainingLine,
  toQuestion,
  toTrainingLine,
} from './export/export-items.ts';
export { readInventory } from './inventory/read-inventory.ts';
export { type RefineBenchOptions, type RefineReport, refineBench } from './refine/refine-bench.ts';
export type { SynthesisProgress } from './synthesise.ts';
