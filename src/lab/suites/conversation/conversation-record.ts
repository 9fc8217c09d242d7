/** One conversation as it was held and judged, turn by turn. */
import { z } from 'zod';
import { RUN_RECORD } from '../../evaluation/runs/run-record.ts';
import { TURN_AGENTS, TURN_OUTCOMES } from './conversation-case.ts';

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
