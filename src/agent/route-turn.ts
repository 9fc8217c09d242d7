import { readRequest } from '../answering/index.ts';
import { CandorError } from '../errors.ts';
import type { Route } from '../reasoning/roles/assist-reasoner.ts';
import type { Session } from '../session/index.ts';
import { readReply } from './routing/read-reply.ts';
import { isWithdrawn, rememberedIn } from './routing/remembered.ts';
import { type RoutingGround, routeByRules } from './routing/route-by-rules.ts';
import { standsAlone } from './routing/turn-phrases.ts';
import { lastSqlOf } from './turn/talk-state.ts';
import type { Talk, Turn } from './turn/turn.ts';
import type { TurnContext } from './turn/turn-context.ts';

/** What is pressed says itself what it wants; of what is said, a language model tells where there is one, else the rules. */
export async function routeTurn(turn: Turn, talk: Talk, turnContext: TurnContext): Promise<Route> {
  if (isToRemember(turn)) return { intent: 'other', because: 'it says what is to be remembered' };
  const pressed = routeOfPressed(turn, talk, turnContext);
  if (pressed !== undefined) return pressed;
  if (turnContext.modelRoles === undefined)
    return routeByRules(turn.text, talk, routingGround(talk, turnContext));
  const { assistant, ledger } = turnContext.modelRoles;
  const lastQuery = lastSqlOf(talk);
  return assistant.route(
    { text: turn.text, ledger, ...(turnContext.signal && { signal: turnContext.signal }) },
    { turns: talk.turns, tables: talk.tables, ...(lastQuery !== undefined && { lastQuery }) },
  );
}

/** Said and not pressed, and no answer to a question back, whatever waits for one. */
function isToRemember({ text, failed, assume, tables }: Turn): boolean {
  const isPressed = failed !== undefined || assume !== undefined || tables !== undefined;
  return !isPressed && (rememberedIn(text) !== undefined || isWithdrawn(text));
}

function routeOfPressed(turn: Turn, talk: Talk, turnContext: TurnContext): Route | undefined {
  const { session, now } = turnContext;
  if (turn.failed !== undefined) return { intent: 'fix_query', because: 'a query that failed is given' };
  if (turn.assume !== undefined)
    return { intent: 'write_query', followUp: 'update_query', because: 'a default is to be taken otherwise' };
  const reply = readReply(turn, talk, session.catalog, (text) => standsAlone(text, session, now));
  if (reply?.kind === 'choice')
    return { intent: 'write_query', because: 'tables were chosen for the question' };
  if (reply?.kind === 'answer-back')
    return { intent: 'write_query', because: 'it answers the question back' };
  if (turn.tables !== undefined)
    return turn.text.trim() === ''
      ? { intent: 'write_query', followUp: 'change_tables', because: 'other tables were chosen' }
      : { intent: 'write_query', because: 'tables were chosen for the question' };
  return undefined;
}

/** What the rules know of a session and a talk. */
export function routingGround(
  talk: Talk,
  { session, now }: Pick<TurnContext, 'session' | 'now'>,
): RoutingGround {
  return {
    catalog: session.catalog,
    jargon: [
      ...session.authored.jargon.map(({ term }) => term),
      ...session.semantics.jargon.map(({ term }) => term),
    ],
    goesOn: (text) => goesOn(text, talk.after, session, now),
  };
}

/** Whether the engine reads a question behind those before it. */
export function goesOn(text: string, after: readonly string[], session: Session, now: Date): boolean {
  if (after.length === 0) return false;
  try {
    return readRequest(text, after, session, now).text !== readRequest(text, [], session, now).text;
  } catch (error) {
    // What is no question goes on from none; whoever asks it says so.
    if (error instanceof CandorError && error.stage === 'question') return false;
    throw error;
  }
}
