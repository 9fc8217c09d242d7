/** Conversations as JSON over HTTP. */
import { z } from '@hono/zod-openapi';
import { MESSAGE } from './card-contract.ts';

export const CHAT = z
  .strictObject({
    id: z.string(),
    title: z.string(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    shareId: z.string().optional().openapi({
      description: 'It is shared: `GET /v1/shared/{shareId}` gives it to others.',
    }),
  })
  .openapi('Chat');

export const KEPT_CHAT = CHAT.extend({ messages: z.array(MESSAGE) }).openapi('KeptChat');

/** A conversation as whoever has its link reads it. */
export const SHARED_CHAT = z
  .strictObject({
    id: z.string().openapi({ description: 'The id of the link, which no other route takes.' }),
    title: z.string(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    owner: z.string().openapi({ description: 'Who asked.' }),
    isOwn: z.boolean().openapi({ description: 'The reader is the owner.' }),
    messages: z.array(MESSAGE),
  })
  .openapi('SharedChat');
