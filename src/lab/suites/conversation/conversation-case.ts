/** Conversations to be held: what is said turn by turn, and what is due. */
import { z } from 'zod';
import { DATABASE_NAME } from '../../corpus/case-databases.ts';
import { readCaseLines } from '../../corpus/read-case-lines.ts';

/** What a turn wants, as people tell it apart; several of them are served by one agent. */
export const TURN_AGENTS = ['query', 'find', 'fix', 'explain', 'remember', 'other'] as const;

/** `reply`: something is told, and nothing is queried. */
export const TURN_OUTCOMES = ['answered', 'clarify', 'reject', 'reply'] as const;

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
