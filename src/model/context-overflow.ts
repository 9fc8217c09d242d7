/** A request that does not fit a model's window, in the words of the services; sources in decision 0046. */
import type { ServiceFault } from './read-fault.ts';

export interface ContextOverflow {
  /** Tokens of a request and its reply, where the service says how many it reads. */
  readonly contextWindow?: number;
  /** Tokens of the prompt, where the service counted all of it. */
  readonly promptTokens?: number;
}

const CODES: ReadonlySet<string> = new Set(['context_length_exceeded', 'exceed_context_size_error']);

const PHRASES: readonly RegExp[] = [
  // OpenAI, vLLM, OpenRouter.
  /maximum context length/i,
  /max_model_len/i,
  /max_tokens must be at least 1, got -/i,
  // llama.cpp, LM Studio, others that run it.
  /exceeds? (?:the )?(?:available )?context (?:size|length|window|limit)/i,
  /context (?:size|length|window)(?: limit)? (?:has been |was |is )?exceeded/i,
  /context (?:the )?overflows/i,
  /greater than the context length/i,
  // Anthropic, Google.
  /prompt is too long: \d/i,
  /exceed context limit/i,
  /input token count .{0,40}exceeds the maximum/i,
];

const COUNT = '(\\d[\\d,]{0,9})';
const WINDOWS = [
  'maximum context length (?:is|of) (?:only )?COUNT',
  'context length (?:is|of) only COUNT',
  'n_ctx"?\\s*[:=]\\s*COUNT',
  'max_model_len[^\\d]{0,40}COUNT',
  'number of tokens allowed \\(COUNT',
  '> COUNT(?: maximum|, decrease)',
].map(counting);
const PROMPTS = [
  '\\(COUNT in the (?:messages|prompt)',
  'messages resulted in COUNT tokens',
  'prompt contains COUNT input tokens',
  'request has COUNT input tokens',
  'keep the first COUNT tokens',
  'n_keep:? ?COUNT',
  'n_prompt_tokens"?\\s*[:=]\\s*COUNT',
  'prompt is too long: COUNT',
  'context limit: COUNT \\+',
  'input token count \\(COUNT\\)',
].map(counting);

/** Undefined where the service speaks of something else. */
export function readOverflow({ code = '', words }: ServiceFault): ContextOverflow | undefined {
  if (!CODES.has(code) && !PHRASES.some((phrase) => phrase.test(words))) return undefined;
  return { contextWindow: numberIn(words, WINDOWS), promptTokens: numberIn(words, PROMPTS) };
}

function counting(pattern: string): RegExp {
  return new RegExp(pattern.replace('COUNT', COUNT), 'i');
}

function numberIn(words: string, patterns: readonly RegExp[]): number | undefined {
  for (const pattern of patterns) {
    const count = Number(pattern.exec(words)?.[1]?.replaceAll(',', ''));
    if (count > 0) return count;
  }
  return undefined;
}
