/** A sentence encoder in ONNX form: tokens, one run of the model, pooling. Imported in the encoder process only. */
import { createRequire } from 'node:module';
import { CandorError } from '../../errors.ts';
import type { Encoder, OnnxSpec, Pooling } from './encoder-protocol.ts';
import { JSON_OBJECT, readJsonFile } from './read-json-file.ts';

/** Tokens of one run, padding included: bounds the memory whatever the texts are. */
export const TOKENS_AT_ONCE = 4_096;
/** Inputs that sentence encoders ask for; the values of a token without padding. */
export const FILLINGS: Readonly<Record<string, (id: number) => number>> = {
  input_ids: (id) => id,
  attention_mask: () => 1,
  token_type_ids: () => 0,
};
/** The names that exporters give to the vectors, the finished one of the text first. */
export const OUTPUTS = ['sentence_embedding', 'last_hidden_state', 'token_embeddings'];

export async function openOnnxEncoder(spec: OnnxSpec): Promise<Encoder> {
  const runtime = loadRuntime(spec.runtime);
  const [tokenize, session] = await Promise.all([
    openTokenizer(spec),
    runtime.InferenceSession.create(spec.model, { executionProviders: ['cpu'], logSeverityLevel: 3 }).catch(
      (error: unknown) => {
        throw invalid(spec, `cannot be read: ${error instanceof Error ? error.message : String(error)}`);
      },
    ),
  ]);
  checkInputs(spec, session);
  const encodeSome = async (tokens: readonly (readonly number[])[]): Promise<Float32Array[]> => {
    const length = Math.max(...tokens.map((ids) => ids.length));
    const feeds = makeFeeds(
      session,
      tokens,
      (type, data) => new runtime.Tensor(type, data, [tokens.length, length]),
    );
    const results = await session.run(feeds).catch((error: unknown) => {
      throw invalid(spec, `cannot be run: ${error instanceof Error ? error.message : String(error)}`);
    });
    return poolRows(spec, readOutput(spec, session, results), tokens);
  };
  const encode = async (texts: readonly string[]): Promise<Float32Array> =>
    toMatrix(await encodeSorted(texts, tokenize, encodeSome));
  return { dimensions: (await encode(['a'])).length, encode };
}

/** Native code: it may have been built for another system, or not have been installed whole. */
export function loadRuntime(path: string): OrtRuntime {
  let runtime: unknown;
  try {
    runtime = createRequire(import.meta.url)(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CandorError('model.package-missing', `onnxruntime-node at ${path} cannot be loaded: ${reason}`);
  }
  if (isRuntime(runtime)) return runtime;
  throw new CandorError('model.package-missing', `${path} is not the onnxruntime-node that is known`);
}

/** Texts of like length go together, so that little of a run is padding; the rows come back in the texts' order. */
export async function encodeSorted(
  texts: readonly string[],
  tokenize: Tokenize,
  encodeSome: (tokens: readonly (readonly number[])[]) => Promise<Float32Array[]>,
): Promise<Float32Array[]> {
  const all = texts.map(tokenize);
  const order = [...all.keys()].sort((a, b) => (all[a]?.length ?? 0) - (all[b]?.length ?? 0));
  const rows: Float32Array[] = new Array(texts.length);
  let start = 0;
  while (start < order.length) {
    let end = start + 1;
    while (end < order.length && (end + 1 - start) * (all[order[end] ?? 0]?.length ?? 0) <= TOKENS_AT_ONCE)
      end++;
    const part = order.slice(start, end);
    const encoded = await encodeSome(part.map((index) => all[index] ?? []));
    for (const [place, index] of part.entries()) rows[index] = encoded[place] ?? new Float32Array();
    start = end;
  }
  return rows;
}

export function toMatrix(rows: readonly Float32Array[]): Float32Array {
  const dimensions = rows[0]?.length ?? 0;
  const matrix = new Float32Array(rows.length * dimensions);
  for (const [index, row] of rows.entries()) matrix.set(row, index * dimensions);
  return matrix;
}

export function checkInputs(spec: OnnxSpec, session: OrtSession): void {
  const unknown = session.inputNames.filter((name) => !Object.hasOwn(FILLINGS, name));
  if (unknown.length > 0 || !session.inputNames.includes('input_ids'))
    throw invalid(
      spec,
      `asks for ${session.inputNames.join(', ')}; a sentence encoder asks for ${Object.keys(FILLINGS).join(', ')}`,
    );
}

/** What the model asks for and no more, padded with zeros to the longest text. */
export function makeFeeds(
  session: OrtSession,
  tokens: readonly (readonly number[])[],
  makeTensor: (type: 'int32' | 'int64', data: Int32Array | BigInt64Array) => OrtInput,
): Record<string, OrtInput> {
  const length = Math.max(...tokens.map((ids) => ids.length));
  const feeds: Record<string, OrtInput> = {};
  for (const name of session.inputNames) {
    const values = new Int32Array(tokens.length * length);
    const fill = FILLINGS[name] ?? (() => 0);
    for (const [row, ids] of tokens.entries())
      for (const [place, id] of ids.entries()) values[row * length + place] = fill(id);
    const isNarrow = session.inputMetadata?.some((input) => input.name === name && input.type === 'int32');
    feeds[name] = isNarrow
      ? makeTensor('int32', values)
      : makeTensor(
          'int64',
          BigInt64Array.from(values, (value) => BigInt(value)),
        );
  }
  return feeds;
}

export function readOutput(
  spec: OnnxSpec,
  { outputNames }: OrtSession,
  results: Readonly<Record<string, OrtTensor>>,
): OrtTensor {
  const name = OUTPUTS.find((known) => outputNames.includes(known)) ?? outputNames[0] ?? '';
  const output = results[name];
  if (output === undefined) throw invalid(spec, 'gives no output');
  if (!(output.data instanceof Float32Array))
    throw invalid(spec, `gives ${output.type} as ${name}; 32-bit floats are expected`);
  return output;
}

/** A model that pools itself gives [texts, dimensions]; others give [texts, tokens, dimensions]. */
export function poolRows(
  spec: OnnxSpec,
  { data, dims }: OrtTensor,
  tokens: readonly (readonly number[])[],
): Float32Array[] {
  const [count = 0, second = 0, third] = dims;
  const isPooled = third === undefined;
  const width = isPooled ? second : second * third;
  const isShaped = count === tokens.length && dims.length <= 3 && width > 0;
  if (!isShaped || !(data instanceof Float32Array) || data.length !== count * width)
    throw invalid(spec, `gives an output of shape [${dims.join(', ')}] for ${tokens.length} texts`);
  return tokens.map((ids, row) => {
    const own = data.subarray(row * width, (row + 1) * width);
    return isPooled ? own : poolTokens(own.subarray(0, ids.length * third), third, spec.pooling);
  });
}

/** Over the tokens of the text alone: the padding has been cut off. */
export function poolTokens(vectors: Float32Array, dimensions: number, pooling: Pooling): Float32Array {
  if (pooling === 'cls') return vectors.subarray(0, dimensions);
  const pooled = vectors.slice(0, dimensions);
  for (let index = dimensions; index < vectors.length; index++) {
    const place = index % dimensions;
    const value = vectors[index] ?? 0;
    const before = pooled[place] ?? 0;
    pooled[place] = pooling === 'mean' ? before + value : Math.max(before, value);
  }
  if (pooling === 'max') return pooled;
  const count = vectors.length / dimensions;
  return pooled.map((sum) => sum / count);
}

export function invalid({ model }: OnnxSpec, what: string): CandorError {
  return new CandorError('model.invalid', `${model} ${what}`);
}

/** Texts to the ids of their tokens, by the rules of a `tokenizer.json`. Imported in the encoder process only. */
type Tokenize = (text: string) => readonly number[];

/** Ids with the special tokens, `maxTokens` at most; the closing special token is kept when a text is cut. */
async function openTokenizer(spec: OnnxSpec): Promise<Tokenize> {
  const { Tokenizer } = await import('@huggingface/tokenizers');
  const config =
    spec.tokenizerConfig === undefined ? {} : await readJsonFile(spec.tokenizerConfig, JSON_OBJECT);
  const rules = await readJsonFile(spec.tokenizer, JSON_OBJECT);
  try {
    const tokenizer = new Tokenizer(rules, config);
    const closing = tokenizer.encode('').ids.at(-1);
    return (text) => {
      const { ids } = tokenizer.encode(text);
      if (ids.length <= spec.maxTokens) return ids;
      if (closing === undefined || ids.at(-1) !== closing) return ids.slice(0, spec.maxTokens);
      return [...ids.slice(0, spec.maxTokens - 1), closing];
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CandorError('model.invalid', `${spec.tokenizer} holds no tokenizer that is known: ${reason}`);
  }
}

/** What we call of `onnxruntime-node`, an optional package whose types are therefore not there. */
interface OrtTensor {
  readonly type: string;
  readonly data: unknown;
  readonly dims: readonly number[];
}

/** Made by the runtime, only passed on. */
type OrtInput = object;

interface OrtSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  /** Since 1.22. */
  readonly inputMetadata?: readonly { readonly name: string; readonly type?: string }[];
  run(feeds: Readonly<Record<string, OrtInput>>): Promise<Readonly<Record<string, OrtTensor>>>;
}

interface OrtRuntime {
  readonly InferenceSession: {
    create(path: string, options: Readonly<Record<string, unknown>>): Promise<OrtSession>;
  };
  readonly Tensor: new (type: string, data: Int32Array | BigInt64Array, dims: readonly number[]) => OrtInput;
}

function isRuntime(value: unknown): value is OrtRuntime {
  return (
    typeof value === 'object' &&
    value !== null &&
    'InferenceSession' in value &&
    typeof value.InferenceSession === 'function' &&
    'create' in value.InferenceSession &&
    'Tensor' in value
  );
}
