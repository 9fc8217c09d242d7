/** Conversations to be held: what is said turn by turn, and what is due. */
import { z } from 'zod';
import { DATABASE_NAME } from '../../corpus/case-databases.ts';
import { readCaseLines } from '../../corpus/read-case-lines.ts';
import { RUN_RECORD } from '../../evaluation/runs/run-record.ts';

/** What a turn wants, as people tell it apart; several of them are served by one agent. */
export const TURN_AGENTS = ['query', 'find', 'fix', 'explain', 'remember', 'other'] as const;

/** `reply`: something is told, and nothing is queried. */
const TURN_OUTCOMES = ['answered', 'clarify', 'reject', 'reply'] as const;

const TURN = z
  .strictObject({
    text: z.string().min(1),
    agent: z.enum(TURN_AGENTS),
    outcome: z.enum(TURN_OUTCOMES),
    /** Queries; the rows of any are right. */
    gold: z.array(z.string()).min(1).optional(),
    /** Texts that the reply has to hold; of a list within it one is enough. */
    must: z.array(z.union([z.string(), z.array(z.string()).min(2)])).optional(),
    /** It cannot be served without what an earlier turn taught. */
    usesTaught: z.literal(true).optional(),
    /** For whoever reads the replies. */
    note: z.string().optional(),
  })
  .refine(({ outcome, gold }) => (outcome === 'answered') === (gold !== undefined), {
    message: 'a turn that is due an answer has gold queries, another has none',
  });

const CONVERSATION = z.strictObject({
  id: z.string(),
  database: DATABASE_NAME,
  turns: z.array(TURN).min(1),
});

export type DueTurn = z.infer<typeof TURN>;
export type Conversation = z.infer<typeof CONVERSATION>;

/** Throws `eval.case-invalid` with file and line. */
export function readConversations(file: string): Promise<readonly Conversation[]> {
  return readCaseLines(file, CONVERSATION);
}

// One conversation as it was held and judged, turn by turn.

/**
 * - `right`, `wrong`: by the rows of a gold query, by the outcome, or by the texts that the reply has to hold.
 * - `to-read`: none of them decides it; a person reads the reply. It is in no share.
 * - `error`: no reply came. `not-asked`: nothing was said any more, for the model could not be asked.
 * - `gold-failed`: the case itself is broken.
 */
export const TURN_VERDICTS = ['right', 'wrong', 'to-read', 'error', 'gold-failed', 'not-asked'] as const;

const TURN_RECORD = z.object({
  text: z.string(),
  agent: z.enum(TURN_AGENTS),
  /** Who served it; absent where no reply came. */
  intent: z.string().optional(),
  isRightAgent: z.boolean().optional(),
  due: z.enum(TURN_OUTCOMES),
  came: z.string().optional(),
  verdict: z.enum(TURN_VERDICTS),
  usesTaught: z.literal(true).optional(),
  sql: z.string().optional(),
  /** Of an answer: that it is wrong. */
  risk: z.number().optional(),
  /** The whole reply, as far as it is words. */
  said: z.string().optional(),
  /** Texts that the reply should hold and does not. */
  missing: z.array(z.string()).optional(),
  gold: z.array(z.string()).optional(),
  note: z.string().optional(),
  use: RUN_RECORD.shape.use,
  error: RUN_RECORD.shape.error,
});

export const CONVERSATION_RECORD = RUN_RECORD.extend({
  database: z.string(),
  turns: z.array(TURN_RECORD),
});

export type TurnRecord = z.infer<typeof TURN_RECORD>;
export type ConversationRecord = z.infer<typeof CONVERSATION_RECORD>;
