import type { Route } from '../../reasoning/index.ts';
import type { Card, Talk, Turn } from './turn.ts';
import type { TurnContext } from './turn-context.ts';

/** What an agent made of a turn; `talk` is what it changes of it, before the turn is added. */
export interface Served {
  readonly cards: readonly Card[];
  readonly quickReplies: readonly string[];
  readonly talk: Talk;
  /** In a line or two, for the turns to come. */
  readonly line: string;
}

export interface ServedTurn {
  readonly turn: Turn;
  readonly talk: Talk;
  readonly route: Route;
}

export type Agent = (asked: ServedTurn, desk: TurnContext) => Promise<Served>;

/** A reply in words. */
export function said(text: string, talk: Talk, quickReplies: readonly string[] = []): Served {
  return { cards: [{ kind: 'text', text }], quickReplies, talk, line: text };
}
