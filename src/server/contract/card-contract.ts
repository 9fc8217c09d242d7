/** What a conversation shows, as JSON over HTTP: `Card` and `Route` of `src/agent/`. */
import { z } from '@hono/zod-openapi';
import { ENGINE_ERROR_KINDS } from '../../validation/index.ts';
import { ANSWER, DISCLOSURES } from './answer-contract.ts';

const SPAN = z.strictObject({ start: z.number(), end: z.number() });

const PROBLEM = z.strictObject({
  kind: z.string(),
  severity: z.enum(['error', 'warning']),
  span: SPAN.optional(),
  text: z.string(),
  instead: z.array(z.string()),
});

export const FIX = z
  .strictObject({
    sql: z.string(),
    problems: z.array(PROBLEM),
    repaired: z.string().optional(),
    changes: z.array(
      z.strictObject({ kind: z.string(), from: z.string(), to: z.string(), because: z.string() }),
    ),
    left: z.array(PROBLEM),
    offers: z
      .array(z.strictObject({ sql: z.string(), means: z.string() }))
      .optional()
      .openapi({
        description:
          'What may be meant where rules would have to guess: whole queries, likeliest first, none of them taken.',
      }),
    ok: z.boolean(),
    engine: z
      .strictObject({
        kind: z.enum(ENGINE_ERROR_KINDS),
        message: z.string(),
        name: z.string().optional().openapi({ description: 'What the engine names.' }),
        right: z.string().optional(),
        value: z
          .string()
          .optional()
          .openapi({ description: 'The value that is none of the type it was to be.' }),
        target: z.string().optional().openapi({ description: 'That type, as the engine calls it.' }),
        instead: z.array(z.string()),
        hint: z.string().optional(),
        next: z.string().openapi({ description: 'What to do about it.' }),
      })
      .optional()
      .openapi({ description: 'The error of the engine that was given, read by rules.' }),
    next: z.string().optional().openapi({ description: 'What to do about the errors that are left.' }),
  })
  .openapi('Fix');

const TABLE_CARD = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    description: z.string().optional(),
    tags: z.array(z.enum(['certified', 'popular', 'deprecated'])),
    monthlyReads: z.number().optional(),
    joinedWith: z.array(z.string()),
    columns: z.array(
      z.strictObject({ name: z.string(), type: z.string(), description: z.string().optional() }),
    ),
    moreColumns: z.int().optional(),
    because: z.array(z.string()),
    isTicked: z.boolean().optional().openapi({ description: 'In a choice: taken where nobody chooses.' }),
  })
  .openapi('TableCard');

export const CARD = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('answer'),
      answer: ANSWER,
      rowsLeftOut: z.int().optional().openapi({
        description: 'A stored card holds no rows: so many were shown; run its SQL to see them.',
      }),
    }),
    z.strictObject({ kind: z.literal('tables'), tables: z.array(TABLE_CARD), isChoice: z.boolean() }),
    z.strictObject({ kind: z.literal('fix'), fix: FIX }),
    z.strictObject({ kind: z.literal('text'), text: z.string() }),
  ])
  .openapi('Card');

export const ROUTE = z
  .strictObject({
    intent: z.enum(['write_query', 'find_data', 'fix_query', 'other']),
    followUp: z
      .enum([
        'update_query',
        'change_tables',
        'explain_tables',
        'why_column',
        'add_filter',
        'use_table',
        'shorten',
      ])
      .optional(),
    remember: z.string().optional().openapi({
      description: 'A rule that the text states for later questions, as a language model puts it.',
    }),
    because: z.string(),
  })
  .openapi('Route');

/** One turn as a client sends it. */
export const TURN = z
  .strictObject({
    text: z
      .string()
      .max(2_000)
      .openapi({ description: 'What the person says.', example: 'orders per month' }),
    guided: z.boolean().optional().openapi({ description: 'Tables are shown to choose from first.' }),
    tables: z.array(z.string().max(300)).max(100).optional(),
    failed: z
      .strictObject({ sql: z.string().max(100_000), error: z.string().max(10_000).optional() })
      .optional(),
    assume: z.record(z.string().max(200), z.string().max(200)).optional(),
    mode: z.enum(['fast', 'careful', 'no-execution']).optional(),
    hint: z.string().max(2_000).optional(),
  })
  .openapi('Turn');

/** A turn that was answered, as it is kept: without rows. */
export const MESSAGE = z
  .strictObject({
    id: z.string(),
    at: z.iso.datetime(),
    text: z.string(),
    route: ROUTE,
    cards: z.array(CARD),
    quickReplies: z.array(z.string()),
    sent: DISCLOSURES.optional(),
    view: z.string().optional().openapi({
      description: 'What its values were seen through: row filters, masks and session properties, as a hash.',
    }),
  })
  .openapi('Message');

export type Message = z.infer<typeof MESSAGE>;
