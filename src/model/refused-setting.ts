/** A setting that a service does not take, in the words of the services; sources in decision 0046. */
import type { ServiceFault } from './read-fault.ts';

export const REFUSABLE_SETTINGS = [
  'temperature',
  'top_p',
  'top_k',
  'seed',
  'logprobs',
  'max_tokens',
  'max_completion_tokens',
  'response_format',
  'system',
] as const;

export type RefusableSetting = (typeof REFUSABLE_SETTINGS)[number];

export interface RefusedSetting {
  /** As OpenAI's form calls it; `system`: the role of a message. */
  readonly setting: RefusableSetting;
  /** The setting is taken, up to so many tokens of a reply. */
  readonly mostTokens?: number | undefined;
}

/** What services, and the templates of local models, say of a system message. */
const NO_SYSTEM: readonly RegExp[] = [
  /system (?:role|message|prompt|instruction)s? (?:is |are )?not (?:supported|allowed|enabled)/i,
  /does not support (?:the )?system (?:role|message|prompt|instruction)/i,
  /system_instruction is not supported/i,
  /developer instruction is not enabled/i,
  /(?:unexpected|invalid|unsupported|unknown) (?:message )?role:? ['"`]?system\b/i,
  // The template of a model that knows two roles.
  /roles must alternate user\/assistant/i,
];

const MOST_TOKENS: readonly RegExp[] = [
  /at most (\d{1,7}) (?:completion|output) tokens/i,
  /max_tokens: \d+ > (\d{1,7})/i,
  /max_tokens[`'"]? must be less than or equal to [`'"]?(\d{1,7})/i,
  /range of max_tokens (?:is|should be) \[\d+, ?(\d{1,7})\]/i,
];

const NAMES: readonly (readonly [RegExp, RefusableSetting])[] = [
  [/\btemperature\b/i, 'temperature'],
  [/\btop_?p\b/i, 'top_p'],
  [/\btop_?k\b/i, 'top_k'],
  [/\bseed\b/i, 'seed'],
  [/\blog_?probs\b/i, 'logprobs'],
  [/\bmax_tokens\b/i, 'max_tokens'],
  [/\bmax_completion_tokens\b/i, 'max_completion_tokens'],
  [/\bresponse_format\b|\bjson_schema\b|\bjson_object\b|\bstructured outputs?\b/i, 'response_format'],
];

const REFUSES =
  /unsupported|not support|unrecognized|unknown|unexpected|not permitted|not allowed|deprecated|only the default|not available|unavailable|invalid|must be/i;

/** Undefined where the service speaks of something else. */
export function readRefusedSetting({ code, param = '', words }: ServiceFault): RefusedSetting | undefined {
  if (NO_SYSTEM.some((phrase) => phrase.test(words))) return { setting: 'system' };
  const limit = MOST_TOKENS.map((phrase) => Number(phrase.exec(words)?.[1])).find((count) => count > 0);
  if (limit !== undefined) return { setting: 'max_tokens', mostTokens: limit };
  // What a model wrote under a schema was none: Groq’s models do better when they are only asked.
  if (code === 'json_validate_failed') return { setting: 'response_format' };
  const setting = settingOf(param) ?? (REFUSES.test(words) ? firstNamed(words) : undefined);
  return setting === undefined ? undefined : { setting };
}

/** `response_format.type` is of `response_format`. */
function settingOf(param: string): RefusableSetting | undefined {
  return REFUSABLE_SETTINGS.find((setting) => param.split('.').includes(setting));
}

/** The first one: what stands behind it is what to send in its place. */
function firstNamed(words: string): RefusableSetting | undefined {
  return NAMES.map(([name, setting]) => ({ setting, at: words.search(name) }))
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => one.at - other.at)[0]?.setting;
}
