import { readSoftmaxModel } from './read-softmax-model.ts';
import { hashSoftmax, SOFTMAX_FORMAT, type SoftmaxProvenance } from './softmax-file.ts';
import type { SoftmaxModel } from './softmax-model.ts';

/**
 * The text of a model file, JSON with a line a part. A model that is read back predicts the same to the last bit. Throws
 * `softmax.model-invalid` for what `readSoftmaxModel` would refuse.
 */
export function writeSoftmaxModel(model: SoftmaxModel, provenance: SoftmaxProvenance): string {
  const { data, licence, seed, trained } = provenance;
  const features: string[] = [];
  for (const [name, row] of model.features) features[row] = name;
  const content = {
    classes: model.classes,
    bias: [...model.bias],
    features,
    exponents: encode(model.exponents),
    weights: encode(model.weights),
  };
  const head = { format: SOFTMAX_FORMAT, provenance: { data, licence, seed, trained } };
  const parts = Object.entries({
    ...head,
    hash: hashSoftmax({ ...content, classes: [...content.classes] }),
    ...content,
  });
  const lines = parts.map(([name, part]) => `${JSON.stringify(name)}:${JSON.stringify(part)}`);
  const text = `{${lines.join(',\n')}}\n`;
  readSoftmaxModel(text, 'to be written');
  return text;
}

function encode({ buffer, byteOffset, byteLength }: Int8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}
