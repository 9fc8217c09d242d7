/** One POST to a service of models: believes nothing, and says no word of the service in an error. */
import { CandorError } from '../errors.ts';
import { cancelledError } from './cancelled.ts';
import { type ContextOverflow, readOverflow } from './context-overflow.ts';
import { shownUrl } from './endpoint-url.ts';
import { networkReason } from './network-reason.ts';
import { readServiceFault, type ServiceFault } from './read-fault.ts';
import { readRefusedSetting } from './refused-setting.ts';
import { TransientError } from './transient-error.ts';

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
