/**
 * A language model service in this process, over real HTTP, which says what a test tells it to and can be told to
 * misbehave. It speaks as OpenAI does (`/v1/chat/completions`), as Anthropic (`/v1/messages`) and as Google
 * (`/v1/models/<model>:generateContent`); the path of a request says which.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod';

export interface ServedCall {
  readonly name: string;
  /** Written as the model writes it: JSON, as a rule. */
  readonly arguments: string;
  readonly id?: string;
  /** What Google's models want back. */
  readonly signature?: string;
}

/** A good reply. */
export interface ServedReply {
  readonly text?: string;
  readonly toolCalls?: readonly ServedCall[];
  /** The default follows from the rest. */
  readonly finish?: 'stop' | 'length' | 'tool-calls' | 'refused';
  readonly usage?:
    | { readonly prompt: number; readonly completion: number; readonly cached?: number }
    | 'none';
  readonly logProbabilities?: readonly (readonly [string, number])[];
}

/** What a service, or what stands before it, does wrong. */
export type Fault =
  /** Says nothing for so long, or until the caller hangs up; then it replies. */
  | { readonly fault: 'slow'; readonly ms: number; readonly then?: ServedReply }
  /** A status with the body that the service sends with it. */
  | {
      readonly fault: 'status';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly code?: string;
      readonly message?: string;
    }
  /** 429 of an account without credit. */
  | { readonly fault: 'quota' }
  /** 200, and JSON that ends in its middle. */
  | { readonly fault: 'half-json' }
  /** 200, and JSON of another form. */
  | { readonly fault: 'wrong-schema' }
  /** 200, and a good reply with a text of so many bytes. */
  | { readonly fault: 'huge'; readonly bytes: number }
  /** The connection breaks in the middle of a good reply. */
  | { readonly fault: 'dropped' }
  | { readonly fault: 'redirect'; readonly to: string; readonly status?: number }
  /** 200 and HTML, as of a proxy. */
  | { readonly fault: 'login-page' }
  | { readonly fault: 'no-choices' };

/** A text stands for a reply of that text. */
export type Turn = string | ServedReply | Fault;

/** Turns in order, the last one for ever; or what to do with a request, counted from 0. */
export type ServerScript = readonly Turn[] | ((asked: AskedOfModel, index: number) => Turn | Promise<Turn>);

export interface AskedOfModel {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As it came: the form is the service's. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ModelServer {
  /** `http://127.0.0.1:1234/v1`: the `url` of the settings of every provider. */
  readonly url: string;
  /** Every request that came whole. */
  readonly asked: readonly AskedOfModel[];
  /** The most that were being answered at once. */
  readonly mostAtOnce: () => number;
  /** How often a caller hung up before it was answered. */
  readonly hangUps: () => number;
  close(): Promise<void>;
}

/** Calls of one tool, for ever. */
export function endlessToolCalls(name: string, args: unknown): ServerScript {
  return (_, index) => ({ toolCalls: [{ name, arguments: JSON.stringify(args), id: `call-${index}` }] });
}

export async function startModelServer(script: ServerScript): Promise<ModelServer> {
  const asked: AskedOfModel[] = [];
  let running = 0;
  let most = 0;
  let hangUps = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = BODY.parse(JSON.parse(await readBody(request)));
    const one: AskedOfModel = { path: request.url ?? '', headers: request.headers, body };
    const index = asked.push(one) - 1;
    const turn = typeof script === 'function' ? await script(one, index) : (script[index] ?? script.at(-1));
    if (turn === undefined) throw new Error('the script has no turn');
    await take(typeof turn === 'string' ? { text: turn } : turn, one, response);
  };
  const server = createServer((request, response) => {
    running += 1;
    most = Math.max(most, running);
    response.once('close', () => {
      running -= 1;
      if (!response.writableEnded) hangUps += 1;
    });
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(400);
      response.end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    asked,
    mostAtOnce: () => most,
    hangUps: () => hangUps,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const BODY = z.record(z.string(), z.unknown());

async function take(turn: ServedReply | Fault, asked: AskedOfModel, response: ServerResponse): Promise<void> {
  const good = (reply: ServedReply): string => JSON.stringify(writeReply(asked, reply));
  const send = (body: string, type = 'application/json'): unknown =>
    response.writeHead(200, { 'content-type': type }).end(body);
  if (!('fault' in turn)) return void send(good(turn));
  switch (turn.fault) {
    case 'slow':
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, turn.ms);
        response.once('close', () => {
          clearTimeout(timer);
          resolve();
        });
      });
      if (!response.destroyed) send(good(turn.then ?? { text: 'late' }));
      return;
    case 'status':
      return fail(response, turn.status, turn.code, turn.message, turn.headers);
    case 'quota':
      return fail(response, 429, 'insufficient_quota', 'You exceeded your current quota.');
    case 'half-json':
      return void send(good({ text: 'never whole' }).slice(0, 60));
    case 'wrong-schema':
      return void send(JSON.stringify({ choices: { text: 4 }, content: 'none', candidates: 'none' }));
    case 'huge':
      return void send(good({ text: 'x'.repeat(turn.bytes) }));
    case 'dropped': {
      const body = good({ text: 'never whole' });
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      response.write(body.slice(0, 40), () => response.destroy());
      return;
    }
    case 'redirect':
      response.writeHead(turn.status ?? 307, { location: turn.to }).end();
      return;
    case 'login-page':
      return void send('<!doctype html><title>Sign in</title>', 'text/html');
    case 'no-choices':
      return void send(JSON.stringify({ choices: [], content: [], candidates: [], usage: {} }));
  }
}

function fail(
  response: ServerResponse,
  status: number,
  code = 'some_error',
  message = 'It did not work.',
  headers: Readonly<Record<string, string>> = {},
): void {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify({ type: 'error', error: { message, type: code, code, status: code } }));
}

function writeReply({ path, body }: AskedOfModel, reply: ServedReply): unknown {
  const model = String(body.model ?? 'served');
  if (path.includes('/messages')) return writeAnthropic(model, reply);
  return path.includes(':generateContent') ? writeGoogle(reply) : writeOpenAi(model, reply);
}

const usageOf = ({ usage }: ServedReply) =>
  usage === undefined ? { prompt: 12, completion: 3 } : usage === 'none' ? undefined : usage;

const finishOf = ({ finish, toolCalls }: ServedReply) => finish ?? (toolCalls ? 'tool-calls' : 'stop');

function writeOpenAi(model: string, reply: ServedReply): unknown {
  const usage = usageOf(reply);
  const finish = { stop: 'stop', length: 'length', 'tool-calls': 'tool_calls', refused: 'content_filter' };
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model,
    choices: [
      {
        index: 0,
        finish_reason: finish[finishOf(reply)],
        message: {
          role: 'assistant',
          content: reply.text ?? null,
          ...(reply.toolCalls && {
            tool_calls: reply.toolCalls.map(({ id, name, arguments: given, signature }, index) => ({
              id: id ?? `call-${index}`,
              type: 'function',
              function: { name, arguments: given },
              ...(signature && { extra_content: { google: { thought_signature: signature } } }),
            })),
          }),
        },
        ...(reply.logProbabilities && {
          logprobs: { content: reply.logProbabilities.map(([token, logprob]) => ({ token, logprob })) },
        }),
      },
    ],
    ...(usage && {
      usage: {
        prompt_tokens: usage.prompt,
        completion_tokens: usage.completion,
        total_tokens: usage.prompt + usage.completion,
        prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
      },
    }),
  };
}

function writeAnthropic(model: string, reply: ServedReply): unknown {
  const usage = usageOf(reply) ?? { prompt: 0, completion: 0 };
  const stop = { stop: 'end_turn', length: 'max_tokens', 'tool-calls': 'tool_use', refused: 'refusal' };
  return {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    model,
    content: [
      ...(reply.text === undefined ? [] : [{ type: 'text', text: reply.text }]),
      ...(reply.toolCalls ?? []).map(({ id, name, arguments: given }, index) => ({
        type: 'tool_use',
        id: id ?? `call-${index}`,
        name,
        input: JSON.parse(given),
      })),
    ],
    stop_reason: stop[finishOf(reply)],
    stop_sequence: null,
    usage: {
      input_tokens: usage.prompt - (usage.cached ?? 0),
      cache_read_input_tokens: usage.cached ?? 0,
      output_tokens: usage.completion,
    },
  };
}

function writeGoogle(reply: ServedReply): unknown {
  const usage = usageOf(reply);
  const finish = { stop: 'STOP', length: 'MAX_TOKENS', 'tool-calls': 'STOP', refused: 'SAFETY' };
  return {
    candidates: [
      {
        content: {
          role: 'model',
          parts: [
            ...(reply.text === undefined ? [] : [{ text: reply.text }]),
            ...(reply.toolCalls ?? []).map(({ name, arguments: given, signature }) => ({
              functionCall: { name, args: JSON.parse(given) },
              ...(signature && { thoughtSignature: signature }),
            })),
          ],
        },
        finishReason: finish[finishOf(reply)],
      },
    ],
    ...(usage && {
      usageMetadata: {
        promptTokenCount: usage.prompt,
        candidatesTokenCount: usage.completion,
        cachedContentTokenCount: usage.cached ?? 0,
      },
    }),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
