/** Conversations: kept, listed, gone on with. */
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { NEW_TALK } from '../../../agent/index.ts';
import { TURN } from '../../contract/card-contract.ts';
import { CHAT, KEPT_CHAT } from '../../contract/chat-contract.ts';
import { FAILURES, responses } from '../../contract/failure-contract.ts';
import type { ServerEnv } from '../../parts/server-parts.ts';
import { enter } from '../../protect/admit.ts';
import { takeQuestions } from '../../protect/authorize.ts';
import { ownRun, streamRun } from '../../runs/run-hub.ts';
import { startTurn } from '../../runs/start-turn.ts';

const RUN_STARTED = z.strictObject({ runId: z.string() });
const DONE = z.strictObject({ ok: z.literal(true) });
const BY_ID = { params: z.object({ id: z.string().min(1).max(100) }) };

const ADD = createRoute({
  method: 'post',
  path: '/v1/chats',
  tags: ['chats'],
  summary: 'Begin a conversation',
  responses: responses(CHAT, 'The conversation, which its first question gives a title'),
});

const LIST = createRoute({
  method: 'get',
  path: '/v1/chats',
  tags: ['chats'],
  summary: 'Conversations, the last changed first',
  request: {
    query: z.object({
      limit: z.coerce.number().int().min(1).max(200).default(50),
      before: z.iso.datetime().optional().openapi({ description: 'Only those changed before.' }),
    }),
  },
  responses: responses(z.strictObject({ chats: z.array(CHAT) }), 'Conversations'),
});

const READ = createRoute({
  method: 'get',
  path: '/v1/chats/{id}',
  tags: ['chats'],
  summary: 'A conversation with its messages; rows of results are not kept',
  request: BY_ID,
  responses: responses(KEPT_CHAT, 'The conversation'),
});

const DELETE = createRoute({
  method: 'delete',
  path: '/v1/chats/{id}',
  tags: ['chats'],
  summary: 'Delete a conversation for good',
  request: BY_ID,
  responses: responses(DONE, 'It is gone'),
});

const KEYED = z.object({
  'idempotency-key': z.uuid().optional().openapi({
    description: 'Chosen by the client: the same turn, sent again after a lost connection, is taken once.',
  }),
});

const TAKE_TURN = createRoute({
  method: 'post',
  path: '/v1/chats/{id}/turns',
  tags: ['chats'],
  summary: 'Say something: a run answers it, as server-sent events where those are accepted',
  description:
    'With `Accept: text/event-stream` the events of the run come at once; otherwise its id, whose events ' +
    '`GET /v1/runs/{id}/events` gives. The run goes on without a reader.',
  request: {
    ...BY_ID,
    headers: KEYED,
    body: { required: true, content: { 'application/json': { schema: TURN } } },
  },
  responses: {
    ...FAILURES,
    200: {
      description: 'The run that answers, or its events',
      content: { 'application/json': { schema: RUN_STARTED }, 'text/event-stream': { schema: z.string() } },
    },
  },
});

const EVENTS = createRoute({
  method: 'get',
  path: '/v1/runs/{id}/events',
  tags: ['runs'],
  summary: 'Events of a run as server-sent events, from the first or behind `Last-Event-ID`',
  request: {
    ...BY_ID,
    headers: z.object({
      'last-event-id': z
        .string()
        .regex(/^\d{1,9}$/)
        .optional(),
    }),
  },
  responses: {
    ...FAILURES,
    200: {
      description: 'run, route, stage, card, done or error; then `data: [DONE]`',
      content: { 'text/event-stream': { schema: z.string() } },
    },
  },
});

const CANCEL = createRoute({
  method: 'post',
  path: '/v1/runs/{id}/cancel',
  tags: ['runs'],
  summary: 'Cancel a run; one that has ended stays as it is',
  request: BY_ID,
  responses: responses(DONE, 'It ends as soon as it can'),
});

export function addChatRoutes(app: OpenAPIHono<ServerEnv>): void {
  app.openapi(ADD, async (context) => {
    const { chats, newId } = context.get('parts');
    const at = context.get('session').wallClock().toISOString();
    const chat = { id: newId(), title: '', createdAt: at, updatedAt: at };
    await chats.addChat(chat, NEW_TALK, context.get('person').id);
    return context.json(chat, 200);
  });
  app.openapi(LIST, async (context) => {
    const { limit, before } = context.req.valid('query');
    const { chats } = context.get('parts');
    return context.json(
      { chats: [...(await chats.listChats(context.get('person').id, limit, before))] },
      200,
    );
  });
  app.openapi(READ, async (context) => {
    const { chats } = context.get('parts');
    const { id } = context.req.valid('param');
    const { talk: _, messages, ...chat } = await chats.readChat(id, context.get('person').id);
    return context.json({ ...chat, messages: [...messages] }, 200);
  });
  app.openapi(DELETE, async (context) => {
    await context.get('parts').chats.deleteChat(context.req.valid('param').id, context.get('person').id);
    return context.json({ ok: true as const }, 200);
  });
  app.openapi(TAKE_TURN, async (context) => {
    const { id } = context.req.valid('param');
    const parts = { ...context.get('parts'), session: context.get('session'), person: context.get('person') };
    const run = await startTurn(id, context.req.valid('json'), parts, {
      key: context.req.valid('header')['idempotency-key'],
      enter: () => enter(context, 'question'),
      onBegin: () => takeQuestions(context),
    });
    if ((context.req.header('accept') ?? '').includes('text/event-stream')) return streamRun(context, run, 0);
    return context.json({ runId: run.id }, 200);
  });
  app.openapi(EVENTS, async (context) => {
    const run = await ownRun(context, context.req.valid('param').id);
    return streamRun(context, run, Number(context.req.valid('header')['last-event-id'] ?? 0));
  });
  app.openapi(CANCEL, async (context) => {
    const run = await ownRun(context, context.req.valid('param').id);
    await run.cancel();
    return context.json({ ok: true as const }, 200);
  });
}
