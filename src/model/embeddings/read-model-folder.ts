/** A folder as `sentence-transformers` and the exporters to ONNX write it. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import type { Pooling } from './encoder-protocol.ts';
import { isThere, readJsonFile } from './read-json-file.ts';

/** Where exporters put the model, in the order they are looked for. */
export const MODEL_FILES = ['onnx/model.onnx', 'model.onnx'];
/** What must be there besides. */
export const REQUIRED_FILES = ['tokenizer.json', 'config.json'];
/** What is used where it is there. */
export const OPTIONAL_FILES = [
  'tokenizer_config.json',
  'sentence_bert_config.json',
  'modules.json',
  '1_Pooling/config.json',
];
/** When no file says how many tokens the model reads; and a bound, because attention grows with the square. */
const USUAL_TOKENS = 512;
const MOST_TOKENS = 8_192;
const NO_LIMIT = 1e9;

/** Paths are absolute. */
export interface ModelFolder {
  readonly model: string;
  readonly tokenizer: string;
  readonly tokenizerConfig?: string;
  readonly maxTokens: number;
  readonly pooling: Pooling;
  /** Hash of the model, the tokenizer and the settings: what its vectors depend on. */
  readonly fingerprint: string;
}

const CONFIG = z.looseObject({
  max_position_embeddings: z.number().optional(),
  model_type: z.string().optional(),
});
const BERT_CONFIG = z.looseObject({ max_seq_length: z.number().nullish() });
const TOKENIZER_CONFIG = z.looseObject({ model_max_length: z.number().nullish() });
const MODULES = z.array(z.looseObject({ path: z.string(), type: z.string() }));
const POOLING = z.looseObject({
  pooling_mode: z.string().optional(),
  pooling_mode_cls_token: z.boolean().optional(),
  pooling_mode_mean_tokens: z.boolean().optional(),
  pooling_mode_max_tokens: z.boolean().optional(),
  pooling_mode_mean_sqrt_len_tokens: z.boolean().optional(),
  pooling_mode_weightedmean_tokens: z.boolean().optional(),
  pooling_mode_lasttoken: z.boolean().optional(),
});

/** Throws `model.not-found` for a file that is missing and `model.invalid` for one that cannot be used. */
export async function readModelFolder(folder: string): Promise<ModelFolder> {
  if (!(await isThere(folder))) throw notFound(`${folder} is not there`);
  const model = await firstFile(folder, MODEL_FILES);
  if (model === undefined) throw notFound(`${folder} has neither ${MODEL_FILES.join(' nor ')}`);
  for (const name of REQUIRED_FILES)
    if (!(await isThere(join(folder, name)))) throw notFound(`${folder} has no ${name}`);
  const tokenizer = join(folder, 'tokenizer.json');
  const tokenizerConfig = await firstFile(folder, ['tokenizer_config.json']);
  const maxTokens = await readMaxTokens(folder);
  const pooling = await readPooling(folder);
  const hash = createHash('sha256').update(JSON.stringify([1, maxTokens, pooling]));
  for (const path of [model, tokenizer]) hash.update(await hashFile(path));
  const fingerprint = hash.digest('hex').slice(0, 16);
  return {
    model,
    tokenizer,
    ...(tokenizerConfig === undefined ? {} : { tokenizerConfig }),
    maxTokens,
    pooling,
    fingerprint,
  };
}

/** SHA-256 of a file, in hexadecimal. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** The smallest that any file says: beyond it the model has no positions, or was not trained. */
async function readMaxTokens(folder: string): Promise<number> {
  const config = await readJsonFile(join(folder, 'config.json'), CONFIG);
  const bert = await readOptional(folder, 'sentence_bert_config.json', BERT_CONFIG);
  const tokenizer = await readOptional(folder, 'tokenizer_config.json', TOKENIZER_CONFIG);
  // RoBERTa's positions begin behind the padding's.
  const offset = /roberta|camembert|mpnet/.test(config.model_type ?? '') ? 2 : 0;
  const positions = (config.max_position_embeddings ?? Number.POSITIVE_INFINITY) - offset;
  const limits = [positions, bert?.max_seq_length, tokenizer?.model_max_length]
    .map((limit) => limit ?? Number.POSITIVE_INFINITY)
    // Tokenizers without a limit are written with 1e30.
    .filter((limit) => limit >= 4 && limit < NO_LIMIT);
  const smallest = Math.min(...limits);
  return Math.floor(Number.isFinite(smallest) ? Math.min(smallest, MOST_TOKENS) : USUAL_TOKENS);
}

async function readPooling(folder: string): Promise<Pooling> {
  const modules = await readOptional(folder, 'modules.json', MODULES);
  const named = modules?.find(({ type }) => /\bPooling$/.test(type))?.path;
  const path = `${named ?? '1_Pooling'}/config.json`;
  // A name of the folder's own file must not lead out of it.
  if (!/^[\w-]+\/config\.json$/.test(path))
    throw new CandorError(
      'model.invalid',
      `${join(folder, 'modules.json')}: the path of Pooling is not a folder`,
    );
  const config = await readOptional(folder, path, POOLING);
  if (config === undefined) return 'mean';
  const modes: string[] = Object.entries(config)
    .filter(([key, value]) => key.startsWith('pooling_mode_') && value === true)
    .map(([key]) => key);
  if (config.pooling_mode !== undefined) modes.push(config.pooling_mode);
  const [mode = ''] = modes;
  const pooling = POOLINGS[mode];
  if (modes.length === 1 && pooling !== undefined) return pooling;
  throw new CandorError(
    'model.invalid',
    `${join(folder, path)}: pools by ${modes.join(' and ') || 'nothing'}; mean, cls and max are known`,
  );
}

const POOLINGS: Readonly<Record<string, Pooling>> = {
  pooling_mode_mean_tokens: 'mean',
  pooling_mode_cls_token: 'cls',
  pooling_mode_max_tokens: 'max',
  mean: 'mean',
  cls: 'cls',
  max: 'max',
};

async function readOptional<Schema extends z.ZodType>(
  folder: string,
  name: string,
  schema: Schema,
): Promise<z.infer<Schema> | undefined> {
  return (await isThere(join(folder, name))) ? readJsonFile(join(folder, name), schema) : undefined;
}

async function firstFile(folder: string, names: readonly string[]): Promise<string | undefined> {
  for (const name of names) if (await isThere(join(folder, name))) return join(folder, name);
  return undefined;
}

function notFound(what: string): CandorError {
  return new CandorError('model.not-found', what);
}
