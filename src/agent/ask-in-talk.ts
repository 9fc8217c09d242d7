import type { Answer } from '../answer.ts';
import { type AskOptions, ask } from '../answering/index.ts';
import { goesOn } from './route-turn.ts';
import { repliesTo } from './turn/quick-replies.ts';
import { afterAnswer, answerLine, tablesOfSql } from './turn/talk-state.ts';
import type { Card, Talk } from './turn/turn.ts';
import type { Served, TurnContext } from './turn/turn-context.ts';

/** A question as it is put to the engine. */
export interface TalkQuestion {
  readonly text: string;
  /** Earlier questions that it may go on from. */
  readonly after: readonly string[];
  /** Ids of the only tables that may be used; absent: all. */
  readonly within?: readonly string[] | undefined;
  readonly assume?: Readonly<Record<string, string>> | undefined;
  /** It goes on from an answer that was shown. */
  readonly goesOn?: boolean;
}

/** Asks, and goes on with the talk. Throws what `ask` throws. */
export async function askInTalk(
  { text, after, within, assume, goesOn: isFurther = false }: TalkQuestion,
  talk: Talk,
  turnContext: TurnContext,
): Promise<Served> {
  const { session, now } = turnContext;
  const answer = await ask(text, session, {
    ...askOptionsOf(turnContext),
    after,
    goesOn: isFurther,
    ...(within !== undefined && { tables: within }),
    ...(assume !== undefined && { assume }),
  });
  const before = goesOn(text, after, session, now) ? after : [];
  return servedAnswer(answer, talk, turnContext, { asked: text, before, within, assumed: assume });
}

/** What a turn may say of how it is answered. */
export function askOptionsOf({ options, tell, now }: TurnContext): AskOptions {
  const { mode, hint, targetRisk, signal } = options;
  return {
    ...(mode !== undefined && { mode }),
    ...(hint !== undefined && { hint }),
    ...(targetRisk !== undefined && { targetRisk }),
    ...(signal !== undefined && { signal }),
    now,
    onProgress: (stage) => tell({ kind: 'stage', stage }),
  };
}

export interface AskedAs {
  readonly asked: string;
  readonly before: readonly string[];
  readonly within?: readonly string[] | undefined;
  readonly assumed?: Readonly<Record<string, string>> | undefined;
}

export function servedAnswer(answer: Answer, talk: Talk, turnContext: TurnContext, as: AskedAs): Served {
  const { catalog } = turnContext.session;
  const tables = answer.kind === 'answered' ? tablesOfSql(answer.sql, catalog) : [];
  const isHeld = as.within !== undefined && (answer.kind === 'reject' || answer.kind === 'abstain');
  const held: readonly Card[] = isHeld ? [{ kind: 'text', text: heldText(as.within ?? []) }] : [];
  return {
    cards: [{ kind: 'answer', answer }, ...held],
    quickReplies: [...(isHeld ? ['Use all tables'] : []), ...repliesTo(answer, turnContext)],
    talk: afterAnswer(talk, { ...as, answer, tables }),
    line: answerLine(answer),
  };
}

function heldText(within: readonly string[]): string {
  return `Only ${within.join(', ')} could be used. “Use all tables” asks again over all of them.`;
}
