/**
 * Writes a model folder whose encoder looks its tokens up in a table, so that every vector can be worked out by hand.
 * The ONNX file is written as the protocol buffer that it is: onnx/onnx.proto of the ONNX project, IR version 8.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Tokens by their id. */
export const TINY_VOCABULARY = ['[PAD]', '[CLS]', '[SEP]', '[UNK]', 'order', 'total', 'customer', 'name'];

export interface TinyModel {
  /** One vector a token; the default makes all texts of one word differ. */
  readonly table?: readonly (readonly number[])[];
  readonly inputs?: readonly string[];
  readonly output?: string;
  /** The model takes the mean over the tokens itself: its output has one vector a text. */
  readonly isPooled?: boolean;
  /** Element type of the inputs: 7 is int64, 6 is int32. */
  readonly inputType?: 6 | 7;
  /** What `1_Pooling/config.json` holds; absent: the file is not there. */
  readonly pooling?: Readonly<Record<string, unknown>>;
  /** `max_position_embeddings` of `config.json`. */
  readonly maxTokens?: number;
}

const TABLE = TINY_VOCABULARY.map((_, id) => [1, id, (id * id) % 5, id % 2]);
const FLOAT = 1;
const INT64 = 7;
/** Types of attributes. */
const INT = 2;
const INTS = 7;

export async function makeTinyModel(folder: string, model: TinyModel = {}): Promise<void> {
  await mkdir(folder, { recursive: true });
  const write = (name: string, value: unknown): Promise<void> =>
    writeFile(join(folder, name), JSON.stringify(value));
  await write('config.json', { model_type: 'bert', max_position_embeddings: model.maxTokens ?? 32 });
  await write('tokenizer.json', TOKENIZER);
  if (model.pooling !== undefined) {
    await mkdir(join(folder, '1_Pooling'), { recursive: true });
    await write('1_Pooling/config.json', model.pooling);
  }
  await writeFile(join(folder, 'model.onnx'), tinyOnnx(model));
}

/** ModelProto: ir_version 1, graph 7, opset_import 8. */
export function tinyOnnx({
  table = TABLE,
  inputs = ['input_ids'],
  output = 'last_hidden_state',
  inputType = INT64,
  isPooled = false,
}: TinyModel = {}): Uint8Array {
  const width = table[0]?.length ?? 0;
  const weights = message(
    [1, table.length],
    [1, width],
    [2, FLOAT],
    [8, text('table')],
    [9, Buffer.from(Float32Array.from(table.flat()).buffer)],
  );
  const found = isPooled ? 'found' : output;
  const axes = message([1, text('axes')], [8, 1], [20, INTS]);
  const keep = message([1, text('keepdims')], [3, 0], [20, INT]);
  const graph = message(
    [1, message([1, text('table')], [1, text('input_ids')], [2, text(found)], [4, text('Gather')])],
    ...(isPooled
      ? [
          field(
            1,
            message([1, text(found)], [2, text(output)], [4, text('ReduceMean')], [5, axes], [5, keep]),
          ),
        ]
      : []),
    [2, text('tiny')],
    [5, weights],
    ...inputs.map((name) => field(11, valueInfo(name, inputType, ['batch', 'tokens']))),
    field(12, valueInfo(output, FLOAT, isPooled ? ['batch', width] : ['batch', 'tokens', width])),
  );
  return message([1, 8], [7, graph], [8, message([2, 17])]);
}

type Field = readonly [field: number, value: number | Buffer];

const field = (place: number, value: number | Buffer): Field => [place, value];

/** A number is written as a varint, all else with its length before it. */
function message(...fields: readonly Field[]): Buffer {
  return Buffer.concat(
    fields.flatMap(([place, value]) =>
      typeof value === 'number'
        ? [varint(place * 8), varint(value)]
        : [varint(place * 8 + 2), varint(value.length), value],
    ),
  );
}

function valueInfo(name: string, type: number, shape: readonly (string | number)[]): Buffer {
  const dimensions = shape.map(
    (size): Field => [1, typeof size === 'number' ? message([1, size]) : message([2, text(size)])],
  );
  return message([1, text(name)], [2, message([1, message([1, type], [2, message(...dimensions)])])]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) + 128);
  }
}

const text = (value: string): Buffer => Buffer.from(value, 'utf8');

const special = (id: number) => ({
  id,
  content: TINY_VOCABULARY[id],
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: false,
  special: true,
});

const TOKENIZER = {
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: [special(0), special(1), special(2), special(3)],
  normalizer: { type: 'Lowercase' },
  pre_tokenizer: { type: 'Whitespace' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [
      { SpecialToken: { id: '[CLS]', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '[SEP]', type_id: 0 } },
    ],
    pair: [],
    special_tokens: {
      '[CLS]': { id: '[CLS]', ids: [1], tokens: ['[CLS]'] },
      '[SEP]': { id: '[SEP]', ids: [2], tokens: ['[SEP]'] },
    },
  },
  decoder: null,
  model: {
    type: 'WordLevel',
    vocab: Object.fromEntries(TINY_VOCABULARY.map((word, id) => [word, id])),
    unk_token: '[UNK]',
  },
};
