/** Gradient-boosted trees: train, score, explain, and the text of a model file. */
export { type DecodeOptions, decodeModelFile, encodeModelFile, type ModelFile } from './model-file.ts';
export { type Contributions, makeScorer, type TreeScorer } from './score-trees.ts';
export { type Training, type TrainingOptions, type TrainingProgress, trainTrees } from './train-trees.ts';
export type { TrainingData } from './training-data.ts';
export { DEFAULT_TRAINING, type TrainingSettings } from './training-settings.ts';
export type { Tree, TreeModel } from './tree-model.ts';
