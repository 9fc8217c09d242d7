import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import { faultWithin, postJson, shownUrl } from '../requests/post-json.ts';

/** Of a whole reply: 32,000 tokens with their log probabilities are about 4 MB, without them 0.2. */
const REPLY_BYTES = 2 * 2 ** 20;
const REPLY_BYTES_WITH_PROBABILITIES = 16 * 2 ** 20;

/**
 * A `fetch` for the packages that speak the services' forms. It follows no redirect, reads no more than a reply may be,
 * and judges status and body itself: those packages never see a refusal, whose words they would pass on. Throws what
 * `postJson` throws, and `model.bad-reply` for what is not JSON.
 */
export function boundedFetch(model: string): typeof fetch {
  return async (target, init) => {
    const url = new URL(target instanceof Request ? target.url : target);
    const headers = new Headers(init?.headers);
    headers.set('user-agent', 'candor');
    const sent = String(init?.body);
    const sentBack = await postJson({
      url,
      headers: Object.fromEntries(headers),
      body: sent,
      model,
      maxBytes: sent.includes('"logprobs":true') ? REPLY_BYTES_WITH_PROBABILITIES : REPLY_BYTES,
      signal: init?.signal ?? undefined,
    });
    // A mark of the order of bytes is none of the text.
    const text = sentBack.replace(/^\uFEFF/, '');
    const fault = faultInReply(text);
    if (fault !== undefined) throw faultWithin({ url, model }, fault);
    const body = isEventStream(text) ? (readEventStream(text) ?? text) : text;
    if (!isJson(body))
      throw new CandorError(
        'model.bad-reply',
        isEventStream(body)
          ? `${shownUrl(url)} answered 200 with a stream of events that breaks off or has another form`
          : `${shownUrl(url)} answered 200 with something that is not JSON`,
      );
    return new Response(body, { headers: { 'content-type': 'application/json' } });
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** OpenRouter, LiteLLM and other proxies; also in the one choice, or as an event of a stream. */
const FAULTY = z.looseObject({
  error: z.union([z.string().min(1), z.record(z.string(), z.unknown())]).nullish(),
  choices: z
    .array(
      z.looseObject({
        error: z.record(z.string(), z.unknown()).nullish(),
        message: z.looseObject({ content: z.string().nullish() }).nullish(),
      }),
    )
    .nullish(),
  promptFeedback: z.looseObject({ blockReason: z.string() }).nullish(),
});

/** Of a reply that says 200: the fault that it tells of in place of an answer, as a body with `error`; undefined where there is none. */
function faultInReply(body: string): string | undefined {
  for (const text of eventsOf(body)) {
    const fault = faultOf(text);
    if (fault !== undefined) return JSON.stringify({ error: fault });
  }
  return undefined;
}

/** The data of each event that may tell of a fault; of anything else all of it. */
function eventsOf(body: string): readonly string[] {
  if (!isEventStream(body)) return [body];
  return [...body.matchAll(/^data:\s?(.*"error".*)$/gm)].map(([, data = '']) => data);
}

function faultOf(text: string): unknown {
  const read = FAULTY.safeParse(parseJson(text));
  if (!read.success) return undefined;
  const { error, choices, promptFeedback } = read.data;
  // Google says so where the prompt itself was stopped.
  if (promptFeedback != null) return { code: 'content_filter' };
  const [choice] = choices ?? [];
  // A warning beside an answer is no fault.
  if (choice?.message?.content) return undefined;
  const fault = error ?? choice?.error;
  return isEmpty(fault) ? undefined : fault;
}

function isEmpty(fault: unknown): boolean {
  return fault == null || (typeof fault === 'object' && Object.keys(fault).length === 0);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Replies that come as a stream of events though none was asked for: some services and proxies know nothing else.

const CALL = z.object({
  index: z.number().int().min(0).max(63).nullish(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
});
const PIECE = z.object({
  content: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(CALL).nullish(),
});
const EVENT = z.looseObject({
  choices: z.array(z.object({ delta: PIECE.nullish(), finish_reason: z.string().nullish() })),
});

interface Message {
  content: string;
  reasoning_content: string;
  refusal: string;
  readonly calls: Map<number, { id: string; name: string; arguments: string }>;
  finish: string | null;
}

function isEventStream(body: string): boolean {
  return /^(?:data|event|id|retry)?:/.test(body.trimStart());
}

/** The whole reply as one JSON of OpenAI's form; undefined where an event cannot be read or none says how the reply ends. */
function readEventStream(body: string): string | undefined {
  const message: Message = {
    ...{ content: '', reasoning_content: '', refusal: '', finish: null },
    calls: new Map(),
  };
  let whole = {};
  for (const line of body.split(/\r\n|\r|\n/)) {
    const said = /^data:\s?(.*)$/.exec(line)?.[1]?.trim() ?? '';
    if (said === '' || said === '[DONE]') continue;
    const event = EVENT.safeParse(parseJson(said));
    if (!event.success) return undefined;
    const { choices, ...head } = event.data;
    const known = Object.entries(head).filter(([, value]) => value !== null && value !== undefined);
    whole = { ...whole, ...Object.fromEntries(known) };
    for (const choice of choices.slice(0, 1)) add(message, choice);
  }
  if (message.finish === null) return undefined;
  return JSON.stringify({ ...whole, object: 'chat.completion', choices: [choiceOf(message)] });
}

function add(message: Message, { delta, finish_reason }: z.infer<typeof EVENT>['choices'][number]): void {
  message.finish = finish_reason ?? message.finish;
  message.content += delta?.content ?? '';
  message.reasoning_content += delta?.reasoning_content ?? '';
  message.refusal += delta?.refusal ?? '';
  for (const call of delta?.tool_calls ?? []) {
    const at = call.index ?? message.calls.size;
    const known = message.calls.get(at) ?? { id: '', name: '', arguments: '' };
    message.calls.set(at, {
      id: known.id || (call.id ?? ''),
      name: known.name || (call.function?.name ?? ''),
      arguments: known.arguments + (call.function?.arguments ?? ''),
    });
  }
}

function choiceOf({ content, reasoning_content, refusal, calls, finish }: Message): object {
  const tool_calls = [...calls.values()].map(({ id, name, arguments: given }) => ({
    ...{ id, type: 'function' },
    function: { name, arguments: given },
  }));
  return {
    index: 0,
    finish_reason: finish,
    message: {
      ...{ role: 'assistant', content },
      ...(reasoning_content !== '' && { reasoning_content }),
      ...(refusal !== '' && { refusal }),
      ...(tool_calls.length > 0 && { tool_calls }),
    },
  };
}
