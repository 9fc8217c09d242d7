import { describe, expect, it } from 'vitest';
import { readServiceFault } from './language-model/refused-setting.ts';
import { type ContextOverflow, readOverflow } from './requests/post-json.ts';

const said = (message: string): string => JSON.stringify({ error: { message } });

/** Bodies as services send them; those that a scripted server sends stand in `quirks.ts`. */
const CASES: readonly (readonly [what: string, body: string, ContextOverflow | undefined])[] = [
  [
    'Anthropic',
    said('prompt is too long: 210000 tokens > 200000 maximum'),
    { contextWindow: 200_000, promptTokens: 210_000 },
  ],
  [
    'Anthropic, with the reply',
    said(
      'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again',
    ),
    { contextWindow: 200_000, promptTokens: 190_000 },
  ],
  [
    'Google, in a list of one',
    `[${said('The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).')}]`,
    { contextWindow: 1_048_576, promptTokens: 1_200_000 },
  ],
  [
    'OpenRouter, which counts about',
    said(
      "This endpoint's maximum context length is 131,072 tokens. However, you requested about 140,000 tokens (132,000 of text input, 8,000 in the output).",
    ),
    { contextWindow: 131_072 },
  ],
  [
    'newer LM Studio',
    '{"error":"The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096). Try to load the model with a larger context length, or provide a shorter input."}',
    { contextWindow: 4_096, promptTokens: 13_055 },
  ],
  ['LM Studio with MLX', said('Context size has been exceeded.'), {}],
  ['a code alone', '{"error":{"code":"context_length_exceeded"}}', {}],
  ['another fault', said('This model does not exist.'), undefined],
  ['words about contexts', said('Tell me more of the context window of the house.'), undefined],
  [
    'a number too long to be one',
    said(`maximum context length is ${'9'.repeat(400)}`),
    { contextWindow: 9_999_999_999 },
  ],
];

describe('a request that does not fit', () => {
  it.each(CASES)('is known in the words of: %s', (_, body, overflow) => {
    const fault = readServiceFault(body);
    expect(fault && readOverflow(fault)).toEqual(overflow);
  });

  it.each(['', 'null', '[]', '"text"', '{"choices": []}', '{"error": null}', '<html>'])(
    'is none in %j',
    (body) => {
      expect(readServiceFault(body)).toBeUndefined();
    },
  );
});
