/** Texts to the ids of their tokens, by the rules of a `tokenizer.json`. Imported in the encoder process only. */
import { CandorError } from '../errors.ts';
import type { OnnxSpec } from './encoder-protocol.ts';
import { JSON_OBJECT, readJsonFile } from './read-json-file.ts';

export type Tokenize = (text: string) => readonly number[];

/** Ids with the special tokens, `maxTokens` at most; the closing special token is kept when a text is cut. */
export async function openTokenizer(spec: OnnxSpec): Promise<Tokenize> {
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
