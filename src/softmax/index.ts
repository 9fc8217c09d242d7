/** Multinomial logistic regression over named features: train, predict, model files. */
export { predictSoftmax } from './predict-softmax.ts';
export { decodeSoftmaxModels, encodeSoftmaxModels, type SoftmaxProvenance } from './softmax-file.ts';
export type { SoftmaxExample, SoftmaxModel } from './softmax-model.ts';
export { DEFAULT_SOFTMAX, type SoftmaxSettings } from './softmax-settings.ts';
export { trainSoftmax } from './train-softmax.ts';
