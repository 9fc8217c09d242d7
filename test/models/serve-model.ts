/** Any language model as an OpenAI-compatible service on this machine: `/v1/chat/completions` and `/v1/models`. */
import { createServer, type IncomingMessage } from 'node:http';
import { z } from 'zod';
import { CandorError } from '../../src/errors.ts';
import type { ChatMessage, ChatReply, ChatRequest, LanguageModel } from '../../src/model/index.ts';

const MOST_BYTES = 4 * 2 ** 20;

const CALL = z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) });
const MESSAGE = z.union([
  z.object({ role: z.enum(['system', 'user']), content: z.string() }),
  z.object({
    role: z.literal('assistant'),
    content: z.string().nullish(),
    tool_calls: z.array(CALL).optional(),
  }),
  z.object({ role: z.literal('tool'), content: z.string(), tool_call_id: z.string() }),
]);
const BODY = z.object({
  messages: z.array(MESSAGE).min(1),
  tools: z
    .array(
      z.object({
        function: z.object({
          name: z.string(),
          description: z.string().default(''),
          parameters: z.record(z.string(), z.unknown()).default({}),
        }),
      }),
    )
    .optional(),
  response_format: z
    .object({ json_schema: z.object({ schema: z.record(z.string(), z.unknown()) }).optional() })
    .optional(),
  temperature: z.number().optional(),
  top_p: z.number().optional(),
  top_k: z.number().optional(),
  seed: z.number().optional(),
  max_tokens: z.number().optional(),
  logprobs: z.boolean().optional(),
});

export interface ServedModel {
  readonly url: string;
  close(): Promise<void>;
}

/** Whoever starts it closes it; the model stays open. A caller that hangs up cancels its chat. */
export async function serveModel(model: LanguageModel): Promise<ServedModel> {
  const server = createServer((request, response) => {
    const send = (status: number, body: unknown): void => {
      if (response.destroyed) return;
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.method === 'GET' && request.url === '/v1/models') {
      send(200, { object: 'list', data: [{ id: model.id, object: 'model' }] });
      return;
    }
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
      send(404, { error: { code: 'not_found', message: 'unknown path' } });
      return;
    }
    const controller = new AbortController();
    response.once('close', () => {
      if (!response.writableEnded) controller.abort();
    });
    answer(model, request, controller.signal).then(
      (body) => send(200, body),
      (error: unknown) => {
        const code = error instanceof CandorError ? error.code.replace('.', '_') : 'invalid_request';
        send(400, { error: { code, message: String(error) } });
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function answer(model: LanguageModel, request: IncomingMessage, signal: AbortSignal): Promise<unknown> {
  const body = BODY.parse(JSON.parse(await readBody(request)));
  return toBody(model.id, await model.chat({ ...toRequest(body), signal }));
}

function toRequest(body: z.infer<typeof BODY>): ChatRequest {
  const { tools, response_format: format, temperature, top_p: topP, top_k: topK, seed } = body;
  return {
    messages: body.messages.map(toMessage),
    ...(tools !== undefined && { tools: tools.map((tool) => tool.function) }),
    ...(format?.json_schema !== undefined && { replySchema: format.json_schema.schema }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
    ...(seed !== undefined && { seed }),
    ...(body.max_tokens !== undefined && { maxTokens: body.max_tokens }),
    ...(body.logprobs !== undefined && { wantsLogProbabilities: body.logprobs }),
  };
}

function toMessage(message: z.infer<typeof MESSAGE>): ChatMessage {
  if (message.role === 'tool')
    return { role: 'tool', content: message.content, toolCallId: message.tool_call_id };
  if (message.role !== 'assistant') return message;
  const toolCalls = (message.tool_calls ?? []).map(({ id, function: called }) => ({ id, ...called }));
  return { role: 'assistant', content: message.content ?? '', ...(toolCalls.length > 0 && { toolCalls }) };
}

const FINISHES = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  refused: 'content_filter',
} as const;

function toBody(
  id: string,
  { text, toolCalls, usage, finish = 'stop', logProbabilities }: ChatReply,
): unknown {
  const calls = toolCalls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }));
  return {
    id: 'chat-1',
    object: 'chat.completion',
    created: 0,
    model: id,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls: calls }) },
        finish_reason: FINISHES[finish],
        ...(logProbabilities !== undefined && {
          logprobs: {
            content: logProbabilities.map(({ token, logProbability }) => ({
              token,
              logprob: logProbability,
            })),
          },
        }),
      },
    ],
    usage: {
      prompt_tokens: usage.promptTokens,
      completion_tokens: usage.completionTokens,
      total_tokens: usage.promptTokens + usage.completionTokens,
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part = Buffer.from(chunk as Uint8Array);
    bytes += part.length;
    if (bytes > MOST_BYTES) throw new Error('the request is too long');
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString('utf8');
}
