/** Multinomial logistic regression over named features: train, predict, and the text of a model file. */
export { predictSoftmax } from './predict-softmax.ts';
export {
  readSoftmaxModel,
  type SoftmaxProvenance,
  writeSoftmaxModel,
} from './softmax-file.ts';
export type { SoftmaxExample, SoftmaxModel } from './softmax-model.ts';
export { DEFAULT_SOFTMAX, type SoftmaxSettings } from './softmax-settings.ts';
export { trainSoftmax } from './train-softmax.ts';
