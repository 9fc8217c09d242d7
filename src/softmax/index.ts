/** Multinomial logistic regression over named features: train, predict, and the text of a model file. */
export { predictSoftmax } from './predict-softmax.ts';
export { readSoftmaxModel } from './read-softmax-model.ts';
export type { SoftmaxExample } from './softmax-example.ts';
export type { SoftmaxFile, SoftmaxProvenance } from './softmax-file.ts';
export type { SoftmaxModel } from './softmax-model.ts';
export { DEFAULT_SOFTMAX, type SoftmaxSettings } from './softmax-settings.ts';
export { trainSoftmax } from './train-softmax.ts';
export { writeSoftmaxModel } from './write-softmax-model.ts';
