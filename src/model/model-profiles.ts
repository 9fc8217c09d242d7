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

export interface ModelProfile {
  /** Tokens of one request and its reply. */
  readonly contextWindow: number;
  /** Most tokens of one reply; more are not asked for. */
  readonly maxReplyTokens: number;
  readonly json: JsonAbility;
  readonly takesTools: boolean;
  /** What may be sent; the rest is left out, because a service refuses a request with a setting it does not know. */
  readonly takes: readonly SamplingSetting[];
  /** How OpenAI's way names the bound of a reply. */
  readonly replyBound: 'max_tokens' | 'max_completion_tokens';
  /** Absent: nobody says what it costs. */
  readonly price?: TokenPrice;
}

export type SamplingSetting = 'temperature' | 'topP' | 'topK' | 'seed' | 'logProbabilities';

/** Of a model that is not in the list: what nearly every service can do. */
export const UNKNOWN_MODEL: ModelProfile = {
  contextWindow: 32_768,
  maxReplyTokens: 16_384,
  json: 'none',
  takesTools: true,
  takes: ['temperature', 'topP', 'seed', 'logProbabilities'],
  replyBound: 'max_tokens',
};

const OPENAI_CHAT: Partial<ModelProfile> = { json: 'schema', replyBound: 'max_completion_tokens' };
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

/** Dollars for prompt, cached prompt and reply. */
const costs = (prompt: number, cached: number, completion: number): TokenPrice => ({
  prompt,
  cached,
  completion,
  noted: NOTED,
});

/** The first pattern that fits counts, so that narrow ones stand before wide ones. */
const PROFILES: readonly (readonly [RegExp, Partial<ModelProfile>])[] = [
  [/^gpt-5(?:\.1)?-mini/, { ...OPENAI_REASONING, contextWindow: 400_000, price: costs(0.25, 0.025, 2) }],
  [/^gpt-5-nano/, { ...OPENAI_REASONING, contextWindow: 400_000, price: costs(0.05, 0.005, 0.4) }],
  [
    /^gpt-5(?:\.1)?(?:-\d{4}|$)/,
    { ...OPENAI_REASONING, contextWindow: 400_000, price: costs(1.25, 0.125, 10) },
  ],
  [/^gpt-5\.2(?:-\d{4}|$)/, { ...OPENAI_REASONING, contextWindow: 400_000, price: costs(1.75, 0.175, 14) }],
  [/^gpt-(?:[5-9]|\d\d)/, { ...OPENAI_REASONING, contextWindow: 272_000 }],
  [
    /^gpt-4\.1-mini/,
    { ...OPENAI_CHAT, contextWindow: 1_047_576, maxReplyTokens: 32_768, price: costs(0.4, 0.1, 1.6) },
  ],
  [
    /^gpt-4\.1-nano/,
    { ...OPENAI_CHAT, contextWindow: 1_047_576, maxReplyTokens: 32_768, price: costs(0.1, 0.025, 0.4) },
  ],
  [
    /^gpt-4\.1/,
    { ...OPENAI_CHAT, contextWindow: 1_047_576, maxReplyTokens: 32_768, price: costs(2, 0.5, 8) },
  ],
  [/^gpt-4o-mini/, { ...OPENAI_CHAT, contextWindow: 128_000, price: costs(0.15, 0.075, 0.6) }],
  [/^gpt-4o/, { ...OPENAI_CHAT, contextWindow: 128_000, price: costs(2.5, 1.25, 10) }],
  [/^o4-mini|^o3-mini/, { ...OPENAI_REASONING, contextWindow: 200_000, price: costs(1.1, 0.275, 4.4) }],
  [/^o3(?:-\d{4}|$)/, { ...OPENAI_REASONING, contextWindow: 200_000, price: costs(2, 0.5, 8) }],
  [/^o\d/, { ...OPENAI_REASONING, contextWindow: 200_000 }],
  [/^claude-fable-5-1/, { ...CLAUDE_WIDE, price: costs(10, 0.25, 50) }],
  [/^claude-fable-5/, { ...CLAUDE_WIDE, price: costs(10, 1, 50) }],
  [/^claude-opus-5-5/, { ...CLAUDE_WIDE, price: { prompt: 4, completion: 20, noted: NOTED } }],
  [/^claude-opus-(?:5|4-[78])/, { ...CLAUDE_WIDE, price: costs(5, 0.5, 25) }],
  [/^claude-sonnet-5/, { ...CLAUDE_WIDE, price: { prompt: 2, completion: 10, noted: NOTED } }],
  [/^claude-haiku-5/, CLAUDE_WIDE],
  [/^claude-opus-4-[56]/, { ...CLAUDE, price: costs(5, 0.5, 25) }],
  [/^claude-opus-4/, { ...CLAUDE, maxReplyTokens: 32_000, price: costs(15, 1.5, 75) }],
  [/^claude-sonnet-4/, { ...CLAUDE, price: costs(3, 0.3, 15) }],
  [/^claude-haiku-4-5/, { ...CLAUDE, price: costs(1, 0.1, 5) }],
  [/^claude-/, { ...CLAUDE, maxReplyTokens: 4_096 }],
  [/^gemini-2\.5-pro/, { ...GEMINI, price: costs(1.25, 0.125, 10) }],
  [/^gemini-2\.5-flash-lite/, { ...GEMINI, price: costs(0.1, 0.01, 0.4) }],
  [/^gemini-2\.5-flash/, { ...GEMINI, price: costs(0.3, 0.03, 2.5) }],
  [/^gemini-/, GEMINI],
  [/^deepseek-(?:chat|reasoner)/, { contextWindow: 65_536, maxReplyTokens: 8_192, json: 'object' }],
];

/** What is known of a model; dots of a version are as good as hyphens, a `maker/` before it is left aside. */
export function profileOf(model: string): ModelProfile {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  const known = PROFILES.find(([pattern]) => pattern.test(name) || pattern.test(name.replaceAll('.', '-')));
  return { ...UNKNOWN_MODEL, ...known?.[1] };
}
