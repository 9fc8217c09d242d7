/**
 * A language model of 180 KB in GGUF form, byte by byte: llama architecture, two layers, a tokenizer of single bytes
 * and characters, random weights. It writes nonsense, by the same code and grammars as a real one.
 */
import { seededRandom } from '../../src/lib/seeded-random.ts';

const WIDTH = 32;
const LAYERS = 2;
const HEADS = 4;
const FEED = 64;
const ALIGNMENT = 32;
/** Types of metadata values, and of tokens. */
const UINT32 = 4;
const INT32 = 5;
const FLOAT32 = 6;
const STRING = 8;
const ARRAY = 9;
const TOKEN = { normal: 1, unknown: 2, control: 3, byte: 6 } as const;

export interface TinyGgufOptions {
  readonly seed?: number;
  /** Tokens it was "trained" on. */
  readonly contextLength?: number;
}

export function tinyGguf({ seed = 7, contextLength = 512 }: TinyGgufOptions = {}): Buffer {
  const vocabulary = makeVocabulary();
  const tensors = makeTensors(vocabulary.length);
  const settings: readonly Buffer[] = [
    text('general.architecture', 'llama'),
    text('general.name', 'tiny'),
    whole('llama.context_length', contextLength),
    whole('llama.embedding_length', WIDTH),
    whole('llama.block_count', LAYERS),
    whole('llama.feed_forward_length', FEED),
    whole('llama.attention.head_count', HEADS),
    whole('llama.rope.dimension_count', WIDTH / HEADS),
    whole('llama.vocab_size', vocabulary.length),
    fraction('llama.attention.layer_norm_rms_epsilon', 1e-5),
    text('tokenizer.ggml.model', 'llama'),
    list(
      'tokenizer.ggml.tokens',
      STRING,
      vocabulary.map(({ token }) => string(token)),
    ),
    list(
      'tokenizer.ggml.scores',
      FLOAT32,
      vocabulary.map(() => float(0)),
    ),
    list(
      'tokenizer.ggml.token_type',
      INT32,
      vocabulary.map(({ type }) => uint32(type)),
    ),
    whole('tokenizer.ggml.unknown_token_id', 0),
    whole('tokenizer.ggml.bos_token_id', 1),
    whole('tokenizer.ggml.eos_token_id', 2),
  ];
  const infos: Buffer[] = [];
  let offset = 0;
  for (const { name, shape } of tensors) {
    const dimensions = shape.map(uint64);
    infos.push(string(name), uint32(shape.length), ...dimensions, uint32(0), uint64(offset));
    offset += padded(4 * sizeOf(shape));
  }
  const head = Buffer.concat([
    Buffer.from('GGUF'),
    uint32(3),
    uint64(tensors.length),
    uint64(settings.length),
    ...settings,
    ...infos,
  ]);
  const random = seededRandom(seed);
  const data = tensors.map(({ name, shape }) => {
    const weights = Buffer.alloc(padded(4 * sizeOf(shape)));
    const isNorm = name.endsWith('norm.weight');
    for (let at = 0; at < sizeOf(shape); at++)
      weights.writeFloatLE(isNorm ? 1 : (random() - 0.5) * 0.6, at * 4);
    return weights;
  });
  return Buffer.concat([head, Buffer.alloc(padded(head.length) - head.length), ...data]);
}

function makeVocabulary(): readonly { readonly token: string; readonly type: number }[] {
  const bytes = Array.from({ length: 256 }, (_, byte) => ({
    token: `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
    type: TOKEN.byte,
  }));
  const characters = ['▁', ...Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index))];
  return [
    { token: '<unk>', type: TOKEN.unknown },
    { token: '<s>', type: TOKEN.control },
    { token: '</s>', type: TOKEN.control },
    ...bytes,
    ...characters.map((token) => ({ token, type: TOKEN.normal })),
  ];
}

function makeTensors(
  vocabulary: number,
): readonly { readonly name: string; readonly shape: readonly number[] }[] {
  const layers = Array.from({ length: LAYERS }, (_, layer) => [
    { name: `blk.${layer}.attn_norm.weight`, shape: [WIDTH] },
    { name: `blk.${layer}.attn_q.weight`, shape: [WIDTH, WIDTH] },
    { name: `blk.${layer}.attn_k.weight`, shape: [WIDTH, WIDTH] },
    { name: `blk.${layer}.attn_v.weight`, shape: [WIDTH, WIDTH] },
    { name: `blk.${layer}.attn_output.weight`, shape: [WIDTH, WIDTH] },
    { name: `blk.${layer}.ffn_norm.weight`, shape: [WIDTH] },
    { name: `blk.${layer}.ffn_gate.weight`, shape: [WIDTH, FEED] },
    { name: `blk.${layer}.ffn_up.weight`, shape: [WIDTH, FEED] },
    { name: `blk.${layer}.ffn_down.weight`, shape: [FEED, WIDTH] },
  ]);
  return [
    { name: 'token_embd.weight', shape: [WIDTH, vocabulary] },
    { name: 'output_norm.weight', shape: [WIDTH] },
    { name: 'output.weight', shape: [WIDTH, vocabulary] },
    ...layers.flat(),
  ];
}

const sizeOf = (shape: readonly number[]) => shape.reduce((product, size) => product * size, 1);
const padded = (length: number) => Math.ceil(length / ALIGNMENT) * ALIGNMENT;

const text = (key: string, value: string) => Buffer.concat([string(key), uint32(STRING), string(value)]);
const whole = (key: string, value: number) => Buffer.concat([string(key), uint32(UINT32), uint32(value)]);
const fraction = (key: string, value: number) => Buffer.concat([string(key), uint32(FLOAT32), float(value)]);

function list(key: string, type: number, items: readonly Buffer[]): Buffer {
  return Buffer.concat([string(key), uint32(ARRAY), uint32(type), uint64(items.length), ...items]);
}

function string(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([uint64(bytes.length), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function float(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}
