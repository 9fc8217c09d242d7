/** Training of the models that the built-in engine rates readings with. */

export { type AdaptedEngine, adaptEngine } from './adapt-engine.ts';
export { type TrainedEngine, trainEngine, writeEngine } from './train-engine.ts';
export { openPairSet, openTrainingSet } from './training-set.ts';
