import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINILM, whyNoMiniLm } from '../../../scripts/minilm.ts';
import { makeTinyModel, type TinyModel } from '../../../test/conformance/tiny-onnx.ts';
import { codeOf } from '../../../test/fixtures/code-of.ts';
import { type EmbeddingModel, openEmbeddingModel } from '../index.ts';

const missing = await whyNoMiniLm();

/** Rows by token: [PAD], [CLS], [SEP], [UNK], order, total, customer, name. */
const TABLE = [
  [100, 100],
  [3, 0],
  [0, 4],
  [5, 5],
  [1, 8],
  [-3, 0],
  [-3, -4],
  [0, 0],
];

let folder: string;
let made = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-onnx-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function open(model: TinyModel): Promise<EmbeddingModel> {
  made += 1;
  const place = join(folder, `model-${made}`);
  await makeTinyModel(place, { table: TABLE, ...model });
  return openEmbeddingModel({ ...MINILM, embedding: `onnx:${place}` });
}

async function embed(model: TinyModel, texts: readonly string[]): Promise<number[][]> {
  const opened = await open(model);
  try {
    return (await opened.embed(texts)).map((vector) => [...vector].map((value) => Number(value.toFixed(4))));
  } finally {
    await opened.close();
  }
}

describe.skipIf(missing !== null)(missing === null ? 'ONNX encoders' : `ONNX, skipped: ${missing}`, () => {
  it('take the mean over the tokens of the text alone, also beside a longer one', async () => {
    // [CLS] order [SEP]: (3+1+0, 0+8+4) = (4, 12). [CLS] total name order [SEP]: (3-3+0+1+0, 12) = (1, 12).
    const vectors = await embed({}, ['order', 'total name order']);
    expect(vectors).toEqual([
      [0.3162, 0.9487],
      [0.083, 0.9965],
    ]);
  });

  it.each<readonly [string, TinyModel['pooling'], readonly number[]]>([
    ['the mean', { pooling_mode_mean_tokens: true, pooling_mode_cls_token: false }, [0.3162, 0.9487]],
    ['the first token', { pooling_mode_cls_token: true, pooling_mode_mean_tokens: false }, [1, 0]],
    // (max(3, 1, 0), max(0, 8, 4)) = (3, 8).
    ['the largest values', { pooling_mode_max_tokens: true }, [0.3511, 0.9363]],
    ['the first token by its newer name', { pooling_mode: 'cls' }, [1, 0]],
  ])('pool by %s where 1_Pooling says so', async (_, pooling, expected) => {
    expect(await embed({ pooling }, ['order'])).toEqual([expected]);
  });

  it('cut a text at the tokens that the model reads, and keep its closing token', async () => {
    // Four tokens: [CLS] order order [SEP] = (5, 20).
    const [cut, whole] = await embed({ maxTokens: 4 }, ['order order total total total', 'order order']);
    expect(cut).toEqual([0.2425, 0.9701]);
    expect(cut).toEqual(whole);
  });

  it('give a model what it asks for, in the type it asks for', async () => {
    const inputs = ['input_ids', 'attention_mask', 'token_type_ids'];
    const expected = await embed({}, ['order']);
    expect(await embed({ inputs }, ['order'])).toEqual(expected);
    expect(await embed({ inputType: 6 }, ['order'])).toEqual(expected);
    expect(await embed({ output: 'token_embeddings' }, ['order'])).toEqual(expected);
    expect(await embed({ output: 'sentence_embedding', isPooled: true }, ['order'])).toEqual(expected);
  });

  it('refuse a model that asks for more', async () => {
    const error = await open({ inputs: ['input_ids', 'pixel_values'] }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'model.invalid' });
    expect(String(error)).toContain('asks for input_ids, pixel_values');
  });

  it('refuse a vector without a direction', async () => {
    const zero = TABLE.map(() => [0, 0]);
    const opened = await open({ table: zero });
    expect(await codeOf(opened.embed(['order']))).toBe('model.bad-reply');
    await opened.close();
  });

  it('refuse a file that is no model, and name it', async () => {
    const place = join(folder, 'broken');
    await makeTinyModel(place);
    await writeFile(join(place, 'model.onnx'), 'not a model');
    const opening = openEmbeddingModel({ ...MINILM, embedding: `onnx:${place}` });
    const error = await opening.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'model.invalid' });
    expect(String(error)).toContain(join(place, 'model.onnx'));
  });

  it('refuse a tokenizer whose ids the model does not have', async () => {
    const opened = await open({ table: TABLE.slice(0, 5) });
    expect(await codeOf(opened.embed(['customer']))).toBe('model.invalid');
    await opened.close();
  });

  it('have another id when the model, its pooling or its length is another', async () => {
    const models: TinyModel[] = [
      {},
      { table: TABLE.toReversed() },
      { pooling: { pooling_mode: 'cls' } },
      { maxTokens: 8 },
    ];
    const ids: string[] = [];
    for (const model of models) {
      const opened = await open(model);
      ids.push(opened.id.replace(/^.*@/, ''));
      await opened.close();
    }
    expect(new Set(ids).size).toBe(models.length);
  });
});
