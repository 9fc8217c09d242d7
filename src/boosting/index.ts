/** Gradient-boosted trees: train, score, explain, model files. */
export {
  decodeForest,
  decodeModelFile,
  encodeForest,
  encodeModelFile,
  provenanceOf,
  readProvenance,
} from './model-file.ts';
export { makeScorer, type TreeScorer } from './score-trees.ts';
export { trainTrees } from './train-trees.ts';
export type { TrainingData } from './training-data.ts';
export type { TrainingSettings } from './training-settings.ts';
export type { TreeModel } from './tree-model.ts';
