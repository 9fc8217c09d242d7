/** A setting that a service does not take, in the words of the services; sources in decision 0046. */
import { z } from 'zod';
import type { JsonAbility, ModelProfile, SamplingSetting } from './model-profiles.ts';

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

interface RefusedSetting {
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

// What a service says of a request that it did not answer, read for what can be acted on; its words are never passed on.

/** More is not searched: an error that quotes the whole request says nothing new behind it. */
const MOST_CHARACTERS = 4_000;
const IDENTIFIER = /^[a-z][a-z0-9_.-]{0,59}$/i;

export interface ServiceFault {
  /** `context_length_exceeded`, `429`: the service's code, where it is a plain identifier or a number. */
  readonly code?: string;
  /** The setting that the service names, where it is a plain identifier: `max_tokens`. */
  readonly param?: string;
  /** Free words, in which only known phrases are looked for: they may repeat the key or a text of the request. */
  readonly words: string;
}

const ISSUES = z.array(z.object({ loc: z.array(z.unknown()), msg: z.string() }));
const FAULT = z.looseObject({ message: z.unknown(), code: z.unknown(), param: z.unknown() }).partial();
const DETAILED = z.object({ detail: z.unknown() });

/** Undefined for a body that tells of no fault. */
export function readServiceFault(body: string): ServiceFault | undefined {
  const json = parseJson(body);
  // Google's older endpoints send a list of one.
  const whole = Array.isArray(json) ? (json[0] as unknown) : json;
  const read = FAULT.safeParse(whole);
  if (!read.success) return undefined;
  const { error, object, detail, message } = read.data;
  if (typeof error === 'string') return { words: cut(error) };
  // vLLM of old and Mistral say it without an envelope, FastAPI in `detail`.
  const said = error ?? (object === 'error' || detail !== undefined || message !== undefined ? whole : null);
  const fault = FAULT.safeParse(said);
  return fault.success ? faultOf(fault.data) : undefined;
}

function faultOf(fault: z.infer<typeof FAULT>): ServiceFault {
  const { message, detail, code, type, status, param } = fault;
  const issues = issuesOf(message) ?? issuesOf(detail);
  const name = [code, type, status].find(isIdentifier);
  const number = [code, status].find((one) => typeof one === 'number');
  const numbers = Object.entries(fault).flatMap(([key, value]) =>
    typeof value === 'number' ? [`${key}: ${value}`] : [],
  );
  const texts = [message, detail].filter((one) => typeof one === 'string');
  const named = isIdentifier(param) ? param : issues?.[0]?.loc.findLast(isIdentifier);
  return {
    code: name ?? (number === undefined ? undefined : String(number)),
    param: named,
    words: cut([...texts, ...(issues ?? []).map(({ msg }) => msg), ...numbers].join('\n')),
  };
}

/** Of a request that does not validate, as FastAPI lists it: where, and what is wrong; also as JSON in a text. */
function issuesOf(said: unknown): z.infer<typeof ISSUES> | undefined {
  const value = typeof said === 'string' ? parseJson(said) : said;
  const list = DETAILED.safeParse(value).data?.detail ?? value;
  return ISSUES.safeParse(list).data;
}

function isIdentifier(word: unknown): word is string {
  return typeof word === 'string' && IDENTIFIER.test(word);
}

function cut(text: string): string {
  return text.slice(0, MOST_CHARACTERS);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const SAMPLING: Partial<Readonly<Record<RefusableSetting, SamplingSetting>>> = {
  temperature: 'temperature',
  top_p: 'topP',
  top_k: 'topK',
  seed: 'seed',
  logprobs: 'logProbabilities',
};

/** How a reply is held to JSON where the service does not take the one before. */
const WEAKER: Readonly<Record<JsonAbility, JsonAbility>> = { schema: 'object', object: 'none', none: 'none' };

/** A model that is not sent what its service refuses; the same profile where it is not sent that anyway. */
export function withoutSetting(profile: ModelProfile, { setting, mostTokens }: RefusedSetting): ModelProfile {
  if (mostTokens !== undefined)
    return mostTokens < profile.maxReplyTokens ? { ...profile, maxReplyTokens: mostTokens } : profile;
  switch (setting) {
    case 'system':
      return profile.takesSystem ? { ...profile, takesSystem: false } : profile;
    case 'response_format':
      return profile.json === 'none' ? profile : { ...profile, json: WEAKER[profile.json] };
    case 'max_tokens':
    case 'max_completion_tokens':
      // One that was not sent is refused in vain.
      return profile.replyBounds[0] === setting
        ? { ...profile, replyBounds: profile.replyBounds.slice(1) }
        : profile;
    default: {
      const takes = profile.takes.filter((one) => one !== SAMPLING[setting]);
      return takes.length < profile.takes.length ? { ...profile, takes } : profile;
    }
  }
}
