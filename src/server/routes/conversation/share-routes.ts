/** Conversations that others on this server read by a link. */
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { CandorError } from '../../../errors.ts';
import { SHARED_CHAT } from '../../contract/chat-contract.ts';
import { responses } from '../../contract/failure-contract.ts';
import type { ServerEnv } from '../../parts/server-parts.ts';
import { LOCAL_PERSON } from '../../people/person.ts';
import { countWithheld, redactForUser } from '../../protect/redact-for-user.ts';
import type { SharedChat } from '../../state/chat-store.ts';

const BY_ID = { params: z.object({ id: z.string().min(1).max(100) }) };
const LINK = z.strictObject({
  shareId: z.string().openapi({ description: 'Random, not to be guessed.' }),
});
const DONE = z.strictObject({ ok: z.literal(true) });

const SHARE = createRoute({
  method: 'post',
  path: '/v1/chats/{id}/share',
  tags: ['chats'],
  summary: 'Share a conversation: the id of its link, the same each time until it is ended',
  request: BY_ID,
  responses: responses(LINK, 'Its link'),
});

const UNSHARE = createRoute({
  method: 'delete',
  path: '/v1/chats/{id}/share',
  tags: ['chats'],
  summary: 'End the link of a conversation',
  request: BY_ID,
  responses: responses(DONE, 'It leads nowhere any more'),
});

const READ = createRoute({
  method: 'get',
  path: '/v1/shared/{id}',
  tags: ['chats'],
  summary: 'Read a shared conversation, as far as one may see what it is of',
  description:
    'A card that the reader could not have got is a text that says why. Questions, and who asked them, are always there; rows are ' +
    'not kept.',
  request: BY_ID,
  responses: responses(SHARED_CHAT, 'The conversation; nothing can be said in it'),
});

export function addShareRoutes(app: OpenAPIHono<ServerEnv>): void {
  app.openapi(SHARE, async (context) => {
    const { chats, people, newSecret } = context.get('parts');
    const { id, name } = context.get('person');
    const { id: chat } = context.req.valid('param');
    const shareId = await chats.share(chat, id, newSecret());
    // The id of the link opens it: it is in no log.
    await people?.audit(name, 'chat shared', { chat });
    return context.json({ shareId }, 200);
  });
  app.openapi(UNSHARE, async (context) => {
    const { chats, people } = context.get('parts');
    const { id, name } = context.get('person');
    const { id: chat } = context.req.valid('param');
    await chats.unshare(chat, id);
    await people?.audit(name, 'chat unshared', { chat });
    return context.json({ ok: true as const }, 200);
  });
  app.openapi(READ, async (context) => {
    const { id } = context.req.valid('param');
    const chat = await context.get('parts').chats.readShared(id);
    const owner = await nameOfOwner(context, chat.owner);
    if (owner === undefined)
      throw new CandorError('server.not-found', `There is no chat ${JSON.stringify(id.slice(0, 80))}.`);
    const { title, createdAt, updatedAt } = chat;
    const isOwn = chat.owner === context.get('person').id;
    const messages = isOwn ? ownMessages(chat) : await messagesOfOther(context, chat, owner);
    return context.json({ id, title, createdAt, updatedAt, owner, isOwn, messages }, 200);
  });
}

/** Undefined where the owner is gone or disabled: then the link leads nowhere. */
async function nameOfOwner(context: Context<ServerEnv>, owner: string): Promise<string | undefined> {
  const { people } = context.get('parts');
  // Without users, whoever sits at the machine may read all of it.
  if (people === undefined) return LOCAL_PERSON.name;
  return (await people.store.findAble(owner))?.name;
}

function ownMessages({ messages }: SharedChat): SharedChat['messages'][number][] {
  return messages.map(({ sent: _, ...message }) => ({ ...message, quickReplies: [] }));
}

async function messagesOfOther(
  context: Context<ServerEnv>,
  { id, messages }: SharedChat,
  owner: string,
): Promise<SharedChat['messages'][number][]> {
  const { projectSessions, people } = context.get('parts');
  const { name, rights } = context.get('person');
  const { showSql } = rights;
  const shown = redactForUser(messages, {
    session: context.get('session'),
    project: projectSessions.current,
    showSql,
  });
  await people?.audit(name, 'shared chat read', { chat: id, owner, withheld: countWithheld(shown) });
  return shown;
}
