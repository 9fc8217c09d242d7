import { CandorError } from '../errors.ts';
import { parseModelText } from '../parse-model-text.ts';
import { hashSoftmax, SOFTMAX_FILE, type SoftmaxFile } from './softmax-file.ts';

/** Longer texts are not ours: as many characters as the most weights take, and as much again for names. */
const MOST_CHARACTERS = 100_000_000;

/**
 * Reads the text of a model file; `path` is named in messages only. Throws `softmax.model-invalid` for what is no JSON,
 * of another format, or damaged.
 */
export function readSoftmaxModel(text: string, path = 'file'): SoftmaxFile {
  const file = parseModelText(text, SOFTMAX_FILE, MOST_CHARACTERS, (what, cause) =>
    invalid(path, what, cause),
  );
  const { classes, features, provenance } = file;
  checkDifferent('classes', classes, path);
  const rows = checkDifferent('features', features, path);
  checkLength('bias', file.bias.length, classes.length, path);
  const bias = Float32Array.from(file.bias);
  const wrong = bias.findIndex((value) => !Number.isFinite(value));
  if (wrong >= 0) throw invalid(path, `bias[${wrong}] is too large: ${file.bias[wrong]}`);
  const exponents = decode(file.exponents);
  checkLength('exponents', exponents.length, features.length, path);
  const weights = decode(file.weights);
  checkLength('weights', weights.length, features.length * classes.length, path);
  if (file.hash !== hashSoftmax(file)) throw invalid(path, 'its content is not that of its hash');
  return { model: { classes, features: rows, weights, exponents, bias }, provenance };
}

/** The place of each name. */
function checkDifferent(what: string, names: readonly string[], path: string): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [at, name] of names.entries()) {
    if (places.has(name)) throw invalid(path, `${what}[${at}] is there before: ${JSON.stringify(name)}`);
    places.set(name, at);
  }
  return places;
}

function checkLength(what: string, found: number, expected: number, path: string): void {
  if (found !== expected) throw invalid(path, `${what} has length ${found}; expected ${expected}`);
}

/** Of its own memory: small buffers of Node share one. */
function decode(base64: string): Int8Array {
  return Int8Array.from(Buffer.from(base64, 'base64'));
}

function invalid(path: string, what: string, cause?: unknown): CandorError {
  return new CandorError('softmax.model-invalid', `cannot use the model ${path}: ${what}`, { cause });
}
