/**
 * A request as a local model reads it. Tools are described in the prompt and called by JSON that a grammar holds to
 * their parameters: small models have no form of their own for calls, and the templates of the others differ.
 */
import { z } from 'zod';
import type { ChatMessage, ToolCall, ToolDefinition } from '../language-model.ts';
import type { GgufChat } from './gguf-protocol.ts';
import type { ChatItem } from './llama-runtime.ts';

const TOOL_REPLY = z.union([
  z.object({ tool: z.string(), arguments: z.unknown() }),
  z.object({ done: z.unknown() }),
]);

/** The last item is the reply that is to be written. */
export function renderChat({ messages, tools = [] }: GgufChat): readonly ChatItem[] {
  const items = messages.map(toItem);
  const [first] = items;
  const listed = tools.length === 0 ? '' : describeTools(tools);
  const system = first?.type === 'system' ? first.text : '';
  const rest = first?.type === 'system' ? items.slice(1) : items;
  const text = [system, listed].filter((part) => part !== '').join('\n\n');
  return [
    ...(text === '' ? [] : [{ type: 'system' as const, text }]),
    ...rest,
    { type: 'model', response: [] },
  ];
}

/** What the reply has to follow: of the request, or one call of a tool, or the end. */
export function replySchemaOf({
  tools = [],
  replySchema,
}: GgufChat): Readonly<Record<string, unknown>> | undefined {
  if (tools.length === 0) return replySchema;
  const calls = tools.map(({ name, parameters }) => ({
    type: 'object',
    properties: { tool: { const: name }, arguments: parameters },
  }));
  const done = { type: 'object', properties: { done: replySchema ?? { type: 'string' } } };
  return { anyOf: [...calls, done] };
}

/** A text of the form above. One that was cut in its middle is no call: it stays a text. */
export function readToolReply(text: string): {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
} {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { text, toolCalls: [] };
  }
  const { data } = TOOL_REPLY.safeParse(json);
  if (data === undefined) return { text, toolCalls: [] };
  if ('tool' in data)
    return {
      text: '',
      toolCalls: [{ id: 'call-1', name: data.tool, arguments: JSON.stringify(data.arguments ?? {}) }],
    };
  return { text: typeof data.done === 'string' ? data.done : JSON.stringify(data.done), toolCalls: [] };
}

function toItem(message: ChatMessage): ChatItem {
  switch (message.role) {
    case 'assistant': {
      const calls = (message.toolCalls ?? []).map(
        ({ name, arguments: given }) => `{"tool": ${JSON.stringify(name)}, "arguments": ${given}}`,
      );
      return {
        type: 'model',
        response: [[message.content, ...calls].filter((part) => part !== '').join('\n')],
      };
    }
    case 'tool':
      return { type: 'user', text: `Result of the call:\n${message.content}` };
    default:
      return { type: message.role, text: message.content };
  }
}

function describeTools(tools: readonly ToolDefinition[]): string {
  return [
    'You may call these tools, one at a time:',
    ...tools.map(
      ({ name, description, parameters }) =>
        `- ${name}: ${description} Arguments, as a JSON schema: ${JSON.stringify(parameters)}`,
    ),
    'Reply with JSON alone: {"tool": name, "arguments": {...}} to call one, {"done": ...} with your answer at the end.',
  ].join('\n');
}
