import { ask } from '../ask.ts';
import type { Session } from '../session.ts';
import type { ConverseOptions, Reply, Talk, Turn } from './turn.ts';

/** Answers one turn of a conversation; the talk that comes back is what the next turn goes on from. */
export async function converse(
  turn: Turn,
  talk: Talk,
  session: Session,
  { onEvent, ...options }: ConverseOptions = {},
): Promise<Reply> {
  const route = { intent: 'write_query' as const, because: 'every turn asks for a query' };
  onEvent?.({ kind: 'route', route });
  const answer = await ask(turn.text, session, {
    ...options,
    after: talk.after,
    onProgress: (stage) => onEvent?.({ kind: 'stage', stage }),
  });
  return { route, cards: [{ kind: 'answer', answer }], quickReplies: [], talk };
}
