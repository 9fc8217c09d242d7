import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CandorError } from '../../errors.ts';
import { readModelFolder } from './read-model-folder.ts';

let base: string;
let made = 0;
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'candor-folder-'));
});
afterAll(() => rm(base, { recursive: true, force: true }));

type Files = Readonly<Record<string, string | null>>;

const WHOLE: Files = { 'model.onnx': 'weights', 'tokenizer.json': '{}', 'config.json': '{}' };

/** A folder with the three files; `null` leaves one out. */
async function makeFolder(files: Files): Promise<string> {
  made += 1;
  const folder = join(base, `${made}`);
  for (const [name, text] of Object.entries({ ...WHOLE, ...files })) {
    if (text === null) continue;
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

async function failureOf(files: Files): Promise<readonly string[]> {
  const folder = await makeFolder(files);
  const error = await readModelFolder(folder).catch((thrown: unknown) => thrown);
  if (!(error instanceof CandorError)) throw new Error(`no CandorError: ${String(error)}`);
  return [error.code, error.message.replace(folder, '…')];
}

describe('a model folder', () => {
  it('is read with what is usual where nothing is said', async () => {
    const folder = await makeFolder({});
    expect(await readModelFolder(folder)).toEqual({
      model: join(folder, 'model.onnx'),
      tokenizer: join(folder, 'tokenizer.json'),
      maxTokens: 512,
      pooling: 'mean',
      fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
  });

  it('may have the model below onnx/, where the hub has it', async () => {
    const folder = await makeFolder({ 'model.onnx': null, 'onnx/model.onnx': 'weights' });
    expect((await readModelFolder(folder)).model).toBe(join(folder, 'onnx', 'model.onnx'));
  });

  it.each<readonly [number, Files]>([
    [128, { 'config.json': '{"max_position_embeddings": 128}' }],
    [512, { 'config.json': '{"max_position_embeddings": 514, "model_type": "xlm-roberta"}' }],
    [
      256,
      {
        'config.json': '{"max_position_embeddings": 512}',
        'sentence_bert_config.json': '{"max_seq_length": 256, "do_lower_case": false}',
        'tokenizer_config.json': '{"model_max_length": 512}',
      },
    ],
    [512, { 'tokenizer_config.json': '{"model_max_length": 1e30}' }],
    [512, { 'sentence_bert_config.json': '{"max_seq_length": null}' }],
    [8192, { 'config.json': '{"max_position_embeddings": 131072}' }],
  ])('reads %i tokens for %j', async (tokens, files) => {
    expect((await readModelFolder(await makeFolder(files))).maxTokens).toBe(tokens);
  });

  it('finds the folder of its pooling in modules.json', async () => {
    const modules = [
      { idx: 0, path: '', type: 'sentence_transformers.models.Transformer' },
      { idx: 1, path: '2_Pooling', type: 'sentence_transformers.models.Pooling' },
    ];
    const folder = await makeFolder({
      'modules.json': JSON.stringify(modules),
      '2_Pooling/config.json': '{"pooling_mode_cls_token": true}',
      '1_Pooling/config.json': '{"pooling_mode_mean_tokens": true}',
    });
    expect((await readModelFolder(folder)).pooling).toBe('cls');
  });

  it.each<readonly [Files, string, string]>([
    [{ 'model.onnx': null }, 'model.not-found', '… has neither onnx/model.onnx nor model.onnx'],
    [{ 'tokenizer.json': null }, 'model.not-found', '… has no tokenizer.json'],
    [{ 'config.json': null }, 'model.not-found', '… has no config.json'],
    [{ 'config.json': '{\n  "a": 1,\n  b}' }, 'model.invalid', '…/config.json:3:3 is not JSON'],
    [{ 'config.json': '{"a": ' }, 'model.invalid', '…/config.json:1:7 is not JSON'],
    [
      { 'config.json': '{"max_position_embeddings": "many"}' },
      'model.invalid',
      '…/config.json: max_position_embeddings: Invalid input: expected number, received string',
    ],
    [
      { '1_Pooling/config.json': '{"pooling_mode_lasttoken": true}' },
      'model.invalid',
      '…/1_Pooling/config.json: pools by pooling_mode_lasttoken; mean, cls and max are known',
    ],
    [
      { '1_Pooling/config.json': '{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": true}' },
      'model.invalid',
      '…/1_Pooling/config.json: pools by pooling_mode_cls_token and pooling_mode_mean_tokens; mean, cls and max are known',
    ],
    [
      { 'modules.json': '[{"path": "../../secrets", "type": "models.Pooling"}]' },
      'model.invalid',
      '…/modules.json: the path of Pooling is not a folder',
    ],
  ])('%j is refused with %s', async (files, code, message) => {
    expect(await failureOf(files)).toEqual([code, message]);
  });

  it('is not there', async () => {
    const error = await readModelFolder(join(base, 'none')).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'model.not-found', message: `${join(base, 'none')} is not there` });
  });
});
