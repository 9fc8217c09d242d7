import { CandorError } from '../errors.ts';
import type { Intent } from '../reasoning/roles/assist-reasoner.ts';
import type { Session } from '../session/index.ts';
import { ATTRIBUTES, inSpan } from '../tracing/index.ts';
import { findAgent } from './find-agent.ts';
import { fixAgent } from './fix-agent.ts';
import { otherAgent } from './other-agent.ts';
import { rememberAgent } from './remember-agent.ts';
import { routeTurn } from './route-turn.ts';
import { rememberedRule } from './routing/remembered.ts';
import { withTurn } from './turn/talk-state.ts';
import type { ConverseOptions, Reply, Talk, Turn } from './turn/turn.ts';
import type { Agent, Served, ServedTurn } from './turn/turn-context.ts';
import { openTurnContext, type TurnContext } from './turn/turn-context.ts';
import { writeAgent } from './write-agent.ts';

/** A pasted query may be longer than a question, which is bounded where it is asked. */
const MOST_CHARACTERS = 100_000;

const AGENTS: Readonly<Record<Intent, Agent>> = {
  write_query: writeAgent,
  find_data: findAgent,
  fix_query: fixAgent,
  other: otherAgent,
};

/**
 * Answers one turn of a conversation; the talk that comes back is what the next turn goes on from. Throws CandorError for
 * a text that is none (`question.*`), when it is cancelled, and when a model or the database fails.
 */
export function converse(
  turn: Turn,
  talk: Talk,
  session: Session,
  options: ConverseOptions = {},
): Promise<Reply> {
  const attributes = {
    [ATTRIBUTES.genAiOperation]: 'invoke_agent',
    [ATTRIBUTES.agent]: 'candor',
    [ATTRIBUTES.conversation]: options.conversationId,
  };
  return inSpan('candor.converse', { attributes }, async ({ tell }) => {
    const reply = await takeTurn(turn, talk, session, options);
    tell({ [ATTRIBUTES.intent]: reply.route.intent });
    return reply;
  });
}

async function takeTurn(turn: Turn, talk: Talk, session: Session, options: ConverseOptions): Promise<Reply> {
  checkTurn(turn);
  const turnContext = await openTurnContext(session, options);
  stopIfCancelled(options.signal);
  const route = await routeTurn(turn, talk, turnContext);
  turnContext.tell({ kind: 'route', route });
  stopIfCancelled(options.signal);
  const served = await AGENTS[route.intent]({ turn, talk, route }, turnContext);
  const {
    cards,
    quickReplies,
    talk: next,
    line,
  } = await withRuleKept(served, { turn, talk, route }, turnContext);
  const sent = turnContext.modelRoles?.sent ?? [];
  return {
    route,
    cards,
    quickReplies,
    talk: withTurn(next, questionOf(turn), line),
    ...(sent.length > 0 && { sent }),
  };
}

/** “No, e-bikes never count, again please”: the rule is kept beside the answer. What says nothing but a rule is the other agent's. */
async function withRuleKept(served: Served, asked: ServedTurn, turnContext: TurnContext): Promise<Served> {
  const { route, turn } = asked;
  const rule = route.intent === 'other' ? undefined : rememberedRule(route.remember, turn.text);
  if (rule === undefined) return served;
  const kept = await rememberAgent(rule, asked, turnContext);
  return {
    ...served,
    cards: [...kept.cards, ...served.cards],
    quickReplies: [...served.quickReplies, ...kept.quickReplies],
  };
}

/** What is pressed needs no words; what is said needs some. */
function checkTurn({ text, tables, assume, failed }: Turn): void {
  const isPressed = tables !== undefined || assume !== undefined || failed !== undefined;
  if (!isPressed && !/[\p{L}\p{N}?]/u.test(text))
    throw new CandorError('question.empty', 'The question is empty.');
  const longest = Math.max(text.length, failed?.sql.length ?? 0, failed?.error?.length ?? 0);
  if (longest > MOST_CHARACTERS)
    throw new CandorError(
      'question.too-long',
      `The text has ${longest.toLocaleString('en')} characters; the limit is ${MOST_CHARACTERS.toLocaleString('en')}.`,
    );
}

function stopIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new CandorError('talk.cancelled', 'the turn was cancelled');
}

function questionOf({ text, tables, assume, failed }: Turn): string {
  if (text.trim() !== '') return text;
  if (failed !== undefined) return `fix: ${failed.sql}`;
  if (assume !== undefined)
    return `with ${Object.entries(assume)
      .map((pair) => pair.join('='))
      .join(', ')}`;
  return `over the tables ${(tables ?? []).join(', ')}`;
}
