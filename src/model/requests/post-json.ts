/** One POST to a service of models: believes nothing, and says no word of the service in an error. */
import { CandorError } from '../../errors.ts';
import {
  readRefusedSetting,
  readServiceFault,
  type ServiceFault,
} from '../language-model/refused-setting.ts';
import { cancelledError, TransientError } from './retry-transient.ts';

const DECLINED: ReadonlySet<string> = new Set(['content_filter', 'content_policy_violation']);
const TRANSIENT: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504, 529]);

export interface JsonPost {
  readonly url: URL;
  /** The secret is in here, so that they are not shown. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** As the message of a refusal names it. */
  readonly model: string;
  /** A reply that is longer is not read further. */
  readonly maxBytes: number;
  /** Of the whole exchange, from the request to the last byte; absent: somebody else watches the time. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The body of the reply, which had status 200. Throws `TransientError` where another try may help, else
 * `model.refused`, `model.context-full`, `model.declined`, `model.overloaded` (no credit), `model.bad-reply`, `model.cancelled`; no message holds the headers,
 * what was sent, or free words of the service.
 */
export async function postJson(post: JsonPost): Promise<string> {
  const { url, signal, timeoutMs } = post;
  const timeout = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  const stops = [signal, timeout].filter((stop) => stop !== undefined);
  try {
    const response = await fetch(url, {
      method: 'POST',
      // The key must not follow a redirect to somewhere else.
      redirect: 'manual',
      headers: post.headers,
      body: post.body,
      ...(stops.length > 0 && { signal: AbortSignal.any(stops) }),
    });
    const body = await readBody(post, response);
    if (response.status === 200) return body;
    throw judge(post, response, body);
  } catch (error) {
    if (error instanceof CandorError) throw error;
    if (signal?.aborted) throw cancelledError('the request');
    const reason = timeout?.aborted ? `no answer in ${(timeoutMs ?? 0) / 1000} s` : networkReason(error);
    throw new TransientError('model.unreachable', `${shownUrl(url)} cannot be reached (${reason})`);
  }
}

/** Statuses that a service means where it says 200 and tells of a fault in its body. */
const TRANSIENT_CODE = /rate_?limit|overloaded|exhausted|unavailable|timeout|server_error|internal/i;

/** The error of a body that says 200 and yet tells of a fault: proxies have sent their status before they know. */
export function faultWithin(post: Pick<JsonPost, 'url' | 'model'>, body: string): CandorError {
  const code = readServiceFault(body)?.code ?? '';
  const isStatus = /^[45]\d\d$/.test(code);
  const status = isStatus ? Number(code) : TRANSIENT_CODE.test(code) ? 503 : 400;
  const what = `${shownUrl(post.url)} answered 200 with an error${isStatus ? ` ${code}` : ''}`;
  return judge(post, { status, headers: new Headers() }, body, what);
}

function judge(
  { url, model }: Pick<JsonPost, 'url' | 'model'>,
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  body: string,
  said = `${shownUrl(url)} answered ${status}`,
): CandorError {
  const fault = readServiceFault(body);
  const code = fault?.code;
  const isNamed = code !== undefined && code !== String(status);
  const what = `${said}${isNamed ? ` (${code})` : ''}`;
  // Before the status counts: llama.cpp has sent it with 500.
  const overflow = fault && readOverflow(fault);
  if (overflow !== undefined) return overflowError(what, overflow);
  // Azure and OpenAI look at a prompt before the model does.
  if (code !== undefined && DECLINED.has(code))
    return new CandorError('model.declined', `${what}: a content filter stopped the prompt`);
  const refused = fault && isOfSettings(status, fault) ? readRefusedSetting(fault) : undefined;
  if (refused !== undefined) {
    const { setting, mostTokens } = refused;
    const told = mostTokens === undefined ? `does not take ${setting}` : `gives at most ${mostTokens} tokens`;
    return new CandorError('model.refused', `${what}: it ${told} for the model ${JSON.stringify(model)}`, {
      data: { status, code, param: fault?.param, setting, mostTokens },
    });
  }
  // An account without credit is told so with 429; trying again does not fill it.
  if (code === 'insufficient_quota') return new CandorError('model.overloaded', what);
  if (TRANSIENT.has(status))
    return new TransientError(
      status === 429 || status === 529 ? 'model.overloaded' : 'model.unreachable',
      what,
      readPause(headers),
    );
  if (status >= 300 && status < 400)
    return new CandorError('model.bad-reply', `${what}, a redirect; it was not followed`);
  return new CandorError('model.refused', `${what} for the model ${JSON.stringify(model)}`, {
    data: { status, code, param: fault?.param },
  });
}

/** What is wrong with a request; a template that fails on a role is a fault of the service to those that run local models. */
function isOfSettings(status: number, fault: ServiceFault): boolean {
  if (status === 400 || status === 422) return true;
  return status === 500 && readRefusedSetting(fault)?.setting === 'system';
}

function overflowError(what: string, overflow: ContextOverflow): CandorError {
  const { contextWindow, promptTokens } = overflow;
  const shown = (count: number): string => count.toLocaleString('en');
  const window = contextWindow === undefined ? '' : ` of ${shown(contextWindow)} tokens`;
  const prompt = promptTokens === undefined ? '' : `; the prompt has ${shown(promptTokens)}`;
  return new CandorError(
    'model.context-full',
    `${what}: the prompt and the room for its reply do not fit the window${window}${prompt}`,
    { data: { contextWindow, promptTokens } },
  );
}

async function readBody({ url, maxBytes }: JsonPost, response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes)
      throw new CandorError('model.bad-reply', `${shownUrl(url)} sent more than ${maxBytes / 2 ** 20} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Milliseconds, seconds, or a date, which is read against the service's own clock: ours need not agree. */
function readPause(headers: Headers): number | undefined {
  const exact = headers.get('retry-after-ms');
  if (exact !== null && /^\d{1,9}$/.test(exact)) return Number(exact);
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const pause = Date.parse(value) - Date.parse(headers.get('date') ?? '');
  return Number.isNaN(pause) ? undefined : Math.max(pause, 0);
}

/** A request that does not fit a model's window, in the words of the services; sources in decision 0046. */
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

/**
 * Reads the address of a service without its last slashes; `what` names it in messages: `the embedding service`. Throws
 * `model.refused`, and does not show the text, which may hold a secret.
 */
export function readEndpointUrl(text: string, what: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new CandorError('model.refused', `the URL of ${what} is not an http or https URL`);
  if (url.username !== '' || url.password !== '')
    throw new CandorError(
      'model.refused',
      `the URL of ${what} at ${url.host} holds a user or password; give the key apart`,
    );
  url.pathname = url.pathname.replace(/\/+$/, '');
  url.hash = '';
  return url;
}

/** Without query: some services take keys there. */
export function shownUrl({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

/** What the network did, in a few words: the code of the innermost cause, `fetch failed` says nothing. */
export function networkReason(error: unknown): string {
  if (!(error instanceof Error)) return 'no reason was given';
  if (error.cause !== undefined && error.cause !== error) return networkReason(error.cause);
  if (error instanceof AggregateError && error.errors.length > 0) return networkReason(error.errors[0]);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
