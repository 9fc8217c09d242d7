/**
 * What is known of hosted models, by name: a list to be read and kept up. Prices are US dollars per million tokens as
 * the services listed them on the day of `noted`; which rows are from where stands in decision 0019.
 */

/** US dollars per million tokens. */
export interface TokenPrice {
  readonly prompt: number;
  /** Of the prompt, what the service had in its cache; absent: as the rest of it. */
  readonly cached?: number;
  readonly completion: number;
  /** The day it was looked up, `2026-11-23`. */
  readonly noted?: string;
}

/** How far a model can be held to JSON: to a schema, to being JSON at all, or only by asking. */
export type JsonAbility = 'schema' | 'object' | 'none';

/** What the writer is asked for: an outcome with its reasons, or a query alone, where a model is too weak for more. */
export type WritingContract = 'full' | 'short';

export interface ModelProfile {
  /** Tokens of one request and its reply. */
  readonly contextWindow: number;
  /** Somebody says how large it is; else it is a guess that no request is held to. */
  readonly isWindowKnown: boolean;
  /** Most tokens of one reply; more are not asked for. */
  readonly maxReplyTokens: number;
  readonly json: JsonAbility;
  readonly takesTools: boolean;
  /** What may be sent; the rest is left out, because a service refuses a request with a setting it does not know. */
  readonly takes: readonly SamplingSetting[];
  /** How OpenAI's way names the bound of a reply: the first one is sent, the next one where it is refused. */
  readonly replyBounds: readonly ('max_tokens' | 'max_completion_tokens')[];
  /** Else its rules stand before the first words of the user. */
  readonly takesSystem: boolean;
  readonly contract: WritingContract;
  /** Absent: nobody says what it costs. */
  readonly price?: TokenPrice;
}

export type SamplingSetting = 'temperature' | 'topP' | 'topK' | 'seed' | 'logProbabilities';

/** Of a model that is not in the list: what nearly every service can do. */
export const UNKNOWN_MODEL: ModelProfile = {
  contextWindow: 32_768,
  isWindowKnown: false,
  maxReplyTokens: 16_384,
  json: 'none',
  takesTools: true,
  takes: ['temperature', 'topP', 'seed', 'logProbabilities'],
  replyBounds: ['max_tokens', 'max_completion_tokens'],
  takesSystem: true,
  contract: 'full',
};

const OPENAI_CHAT: Partial<ModelProfile> = {
  json: 'schema',
  replyBounds: ['max_completion_tokens', 'max_tokens'],
};
/** They draw as they like: a temperature is refused. */
const OPENAI_REASONING: Partial<ModelProfile> = { ...OPENAI_CHAT, takes: [], maxReplyTokens: 100_000 };
const CLAUDE: Partial<ModelProfile> = {
  contextWindow: 200_000,
  maxReplyTokens: 64_000,
  json: 'schema',
  takes: ['temperature', 'topK'],
};
/** These refuse a temperature too. */
const CLAUDE_WIDE: Partial<ModelProfile> = {
  ...CLAUDE,
  contextWindow: 1_000_000,
  maxReplyTokens: 128_000,
  takes: [],
};
const GEMINI: Partial<ModelProfile> = {
  contextWindow: 1_048_576,
  maxReplyTokens: 65_536,
  json: 'schema',
  takes: ['temperature', 'topP', 'topK', 'seed'],
};

const NOTED = '2026-11-23';

/** Dollars for prompt, reply and, where a source says it, cached prompt. */
const costs = (prompt: number, completion: number, cached?: number): TokenPrice => ({
  prompt,
  completion,
  ...(cached !== undefined && { cached }),
  noted: NOTED,
});

const GPT_4_1: Partial<ModelProfile> = { ...OPENAI_CHAT, contextWindow: 1_047_576, maxReplyTokens: 32_768 };
const GPT_4O: Partial<ModelProfile> = { ...OPENAI_CHAT, contextWindow: 128_000 };
const GPT_5: Partial<ModelProfile> = { ...OPENAI_REASONING, contextWindow: 400_000, maxReplyTokens: 128_000 };
const O_MODEL: Partial<ModelProfile> = { ...OPENAI_REASONING, contextWindow: 200_000 };

/** The first pattern that fits counts, so that narrow ones stand before wide ones. */
const PROFILES: readonly (readonly [RegExp, Partial<ModelProfile>])[] = [
  [/^gpt-5(?:\.\d)?-chat/, GPT_4O],
  [/^gpt-5-mini/, { ...GPT_5, price: costs(0.25, 2) }],
  [/^gpt-5-nano/, { ...GPT_5, price: costs(0.05, 0.4, 0.005) }],
  [/^gpt-5(?:-\d{4}|$)/, { ...GPT_5, price: costs(1.25, 10, 0.125) }],
  [/^gpt-5\.1(?:-\d{4}|$)/, { ...GPT_5, price: costs(1.25, 10) }],
  [/^gpt-5\.2(?:-\d{4}|$)/, { ...GPT_5, price: costs(1.75, 14) }],
  // Their windows differ and grow; this is the smallest that is known.
  [/^gpt-(?:[5-9]|\d\d)/, { ...OPENAI_REASONING, contextWindow: 272_000 }],
  [/^gpt-4\.1-mini(?:-\d{4}|$)/, { ...GPT_4_1, price: costs(0.4, 1.6) }],
  [/^gpt-4\.1-nano(?:-\d{4}|$)/, { ...GPT_4_1, price: costs(0.1, 0.4) }],
  [/^gpt-4\.1(?:-\d{4}|$)/, { ...GPT_4_1, price: costs(2, 8, 0.5) }],
  [/^gpt-4\.1/, GPT_4_1],
  [/^gpt-4o-mini(?:-\d{4}|$)/, { ...GPT_4O, price: costs(0.15, 0.6, 0.075) }],
  [/^gpt-4o(?:-2024-(?:08|11)|$)/, { ...GPT_4O, price: costs(2.5, 10, 1.25) }],
  [/^gpt-4o/, GPT_4O],
  [/^o4-mini(?:-\d{4}|$)/, { ...O_MODEL, price: costs(1.1, 4.4, 0.275) }],
  [/^o3(?:-\d{4}|$)/, { ...O_MODEL, price: costs(2, 8, 0.5) }],
  [/^o\d/, O_MODEL],
  [/^claude-fable-5-1/, { ...CLAUDE_WIDE, price: costs(10, 50, 0.25) }],
  [/^claude-fable-5/, { ...CLAUDE_WIDE, price: costs(10, 50, 1) }],
  [/^claude-opus-5-5/, { ...CLAUDE_WIDE, price: costs(4, 20, 0.2) }],
  [/^claude-opus-(?:5|4-[78])/, { ...CLAUDE_WIDE, price: costs(5, 25, 0.5) }],
  // The sources differ on what it reads from its cache for.
  [/^claude-sonnet-5-5/, { ...CLAUDE_WIDE, price: costs(2, 10) }],
  [/^claude-sonnet-5/, { ...CLAUDE_WIDE, price: costs(2, 10, 0.2) }],
  // Without a price: that depends on the length of the prompt.
  [/^claude-haiku-5/, CLAUDE_WIDE],
  [/^claude-opus-4-[56]/, { ...CLAUDE, price: costs(5, 25, 0.5) }],
  [/^claude-opus-4/, { ...CLAUDE, maxReplyTokens: 32_000, price: costs(15, 75, 1.5) }],
  [/^claude-sonnet-4/, { ...CLAUDE, price: costs(3, 15, 0.3) }],
  [/^claude-haiku-4-5/, { ...CLAUDE, price: costs(1, 5, 0.1) }],
  [/^claude-/, { ...CLAUDE, maxReplyTokens: 4_096 }],
  [/^gemini-2\.0/, { ...GEMINI, maxReplyTokens: 8_192 }],
  // Without a price: that depends on the length of the prompt.
  [/^gemini-2\.5-pro/, GEMINI],
  [/^gemini-2\.5-flash-lite/, { ...GEMINI, price: costs(0.1, 0.4) }],
  [/^gemini-2\.5-flash(?:-\d|$)/, { ...GEMINI, price: costs(0.3, 2.5, 0.03) }],
  [/^gemini-/, GEMINI],
];

/** A size of at most nine billion weights in a name: `qwen2.5-coder:7b`, `Llama-3.2-3B-Instruct-Q4_K_M`, `smollm-360m`. */
const SMALL = /(?:^|[^a-z0-9.])(?:[0-9](?:\.\d+)?b|\d{2,3}m)(?:[^a-z0-9]|$)/i;

/** What a model of this name can be asked for: small ones lose themselves in a form of many outcomes. */
export function contractOf(name: string): WritingContract {
  return SMALL.test(name) ? 'short' : 'full';
}

/** What is known of a model; dots of a version are as good as hyphens, a `maker/` before it is left aside. */
export function profileOf(model: string): ModelProfile {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  const known = PROFILES.find(([pattern]) => pattern.test(name) || pattern.test(name.replaceAll('.', '-')));
  const listed = known?.[1] ?? {};
  const isWindowKnown = listed.contextWindow !== undefined;
  return { ...UNKNOWN_MODEL, contract: contractOf(name), ...listed, isWindowKnown };
}
