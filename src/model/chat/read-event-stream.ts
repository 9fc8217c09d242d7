/** Replies that come as a stream of events though none was asked for: some services and proxies know nothing else. */
import { z } from 'zod';

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

export function isEventStream(body: string): boolean {
  return /^(?:data|event|id|retry)?:/.test(body.trimStart());
}

/** The whole reply as one JSON of OpenAI's form; undefined where an event cannot be read or none says how the reply ends. */
export function readEventStream(body: string): string | undefined {
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
