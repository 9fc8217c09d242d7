export { orAborted, untilAborted } from './abort.ts';
export { BoundedMap } from './bounded-map.ts';
export { CsvRecord, csvCell } from './csv.ts';
export { fnv1a, hashText, mixBits } from './hash-text.ts';
export { kthLargest } from './kth-largest.ts';
export { isLoopback, namesLoopback } from './loopback.ts';
export { OpenAtNeed, once } from './once.ts';
export { parseModelText } from './parse-model-text.ts';
export { orYamlFault } from './read-yaml.ts';
export { seededRandom } from './seeded-random.ts';
export {
  checkFormat,
  decodeTensors,
  encodeTensors,
  encodeTexts,
  metadataOf,
  type Numbers,
  type Refuse,
  type TensorFile,
  tensorOf,
  textsOf,
} from './tensor-file.ts';
export {
  compareText,
  escapeControl,
  escapeControlKeepingLines,
  onOneLine,
} from './text.ts';
