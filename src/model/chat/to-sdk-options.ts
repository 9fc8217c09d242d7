import type { ChatMessage, ChatRequest, ToolCall } from '../language-model.ts';
import type { SamplingSetting } from '../model-profiles.ts';
import type { Attempt } from './attempt.ts';
import type { SdkMessage, SdkOptions } from './sdk-types.ts';

/** A request as the SDK takes it; what the model cannot be told by its profile is left out. */
export function toSdkOptions(request: ChatRequest, { profile, room }: Attempt): SdkOptions {
  const { tools, replySchema, signal } = request;
  const ifTaken = (setting: SamplingSetting & keyof ChatRequest): object =>
    request[setting] !== undefined && profile.takes.includes(setting) ? { [setting]: request[setting] } : {};
  return {
    prompt: toPrompt(profile.takesSystem ? request.messages : withoutSystem(request.messages)),
    maxOutputTokens: room,
    ...ifTaken('temperature'),
    ...ifTaken('topP'),
    ...ifTaken('topK'),
    ...ifTaken('seed'),
    ...(tools !== undefined && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: 'function',
        name,
        description,
        inputSchema: parameters,
      })),
    }),
    // A model that may call tools is not held to JSON at the same time: several services refuse both.
    ...(replySchema !== undefined &&
      tools === undefined &&
      profile.json !== 'none' && {
        responseFormat: {
          type: 'json',
          name: 'reply',
          ...(profile.json === 'schema' && { schema: withoutDialect(replySchema) }),
        },
      }),
    ...(signal !== undefined && { abortSignal: signal }),
  };
}

/** Some services refuse a key that they do not know. */
function withoutDialect({ $schema: _, ...schema }: Readonly<Record<string, unknown>>): object {
  return schema;
}

/** The rules stand before the first words of the user, for models that know two roles. */
function withoutSystem(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const rules = messages.flatMap(({ role, content }) => (role === 'system' ? [content] : []));
  const others = messages.filter(({ role }) => role !== 'system');
  const first = others.findIndex(({ role }) => role === 'user');
  return others.map((message, at) =>
    at === first ? { role: 'user', content: [...rules, message.content].join('\n\n') } : message,
  );
}

/** Answers of tools that follow each other are one message: so the services that pair them with the calls want it. */
function toPrompt(messages: readonly ChatMessage[]): SdkMessage[] {
  const prompt: SdkMessage[] = [];
  const names = new Map<string, string>();
  for (const message of messages) {
    if (message.role === 'system') prompt.push({ role: 'system', content: message.content });
    else if (message.role === 'user')
      prompt.push({ role: 'user', content: [{ type: 'text', text: message.content }] });
    else if (message.role === 'assistant') {
      for (const { id, name } of message.toolCalls ?? []) names.set(id, name);
      prompt.push(toAssistant(message.content, message.toolCalls ?? []));
    } else if (message.role === 'tool') {
      const result = {
        type: 'tool-result' as const,
        toolCallId: message.toolCallId,
        toolName: names.get(message.toolCallId) ?? 'unknown',
        output: { type: 'text' as const, value: message.content },
      };
      const last = prompt.at(-1);
      if (last?.role === 'tool') last.content.push(result);
      else prompt.push({ role: 'tool', content: [result] });
    }
  }
  return prompt;
}

function toAssistant(text: string, toolCalls: readonly ToolCall[]): SdkMessage {
  return {
    role: 'assistant',
    content: [
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...toolCalls.map(({ id, name, arguments: given, signature }) => ({
        type: 'tool-call' as const,
        toolCallId: id,
        toolName: name,
        input: readArguments(given),
        ...(signature !== undefined && { providerOptions: { google: { thoughtSignature: signature } } }),
      })),
    ],
  };
}

/** Services take back an object only; what the model wrote and is none is shown to it as text. */
function readArguments(given: string): unknown {
  try {
    const value: unknown = JSON.parse(given);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Below.
  }
  return { unreadable: given };
}
