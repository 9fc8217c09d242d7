/** A language model that says what a test tells it to, and remembers what it was asked. */
import { CandorError } from '../../src/errors.ts';
import type { ChatReply, ChatRequest, LanguageModel, ToolCall } from '../../src/model/index.ts';

/** A text, calls of tools, or a failure to throw. */
export type ScriptedReply =
  | string
  | { readonly text?: string; readonly toolCalls?: readonly ToolCall[] }
  | Error;

/** Replies in order, or what to reply to a request; `undefined`: the call was not expected. */
export type Script =
  | readonly ScriptedReply[]
  | ((request: ChatRequest, index: number) => ScriptedReply | undefined);

export interface ScriptedModel extends LanguageModel {
  /** Every request, in order. */
  readonly requests: readonly ChatRequest[];
}

/** Fails on a call that the script does not foresee. Tokens are characters divided by four, rounded up. */
export function scriptedModel(script: Script): ScriptedModel {
  const requests: ChatRequest[] = [];
  return {
    id: 'scripted',
    requests,
    chat: async (request): Promise<ChatReply> => {
      if (request.signal?.aborted) throw new CandorError('model.cancelled', 'the chat was cancelled');
      const index = requests.push(request) - 1;
      const reply = typeof script === 'function' ? script(request, index) : script[index];
      if (reply === undefined) throw new Error(`call ${index + 1} of the model was not expected`);
      if (reply instanceof Error) throw reply;
      const { text = '', toolCalls = [] } = typeof reply === 'string' ? { text: reply } : reply;
      return {
        text,
        toolCalls,
        usage: {
          promptTokens: tokensOf(JSON.stringify(request.messages)),
          completionTokens: tokensOf(text + toolCalls.map((call) => call.arguments).join('')),
        },
      };
    },
  };
}

/** Everything a request says, as one text. */
export function textOf({ messages }: ChatRequest): string {
  return messages.map(({ content }) => content).join('\n');
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}
