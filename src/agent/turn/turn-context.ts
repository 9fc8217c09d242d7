import { type ModelRoles, openModelRoles } from '../../answering/index.ts';
import type { Route } from '../../reasoning/roles/assist-reasoner.ts';
import type { Session } from '../../session/index.ts';
import type { Card, ConverseOptions, Talk, Turn, TurnEvent } from './turn.ts';

/** What the agents of one turn work with. */
export interface TurnContext {
  readonly session: Session;
  /** The present of the turn. */
  readonly now: Date;
  /** A language model at its side jobs (intent, rewriting, explaining), under one budget; absent: there is none. */
  readonly modelRoles?: ModelRoles;
  readonly options: Omit<ConverseOptions, 'onEvent'>;
  readonly tell: (event: TurnEvent) => void;
  readonly signal?: AbortSignal;
}

export async function openTurnContext(
  session: Session,
  { onEvent, ...options }: ConverseOptions,
): Promise<TurnContext> {
  const { now, signal } = options;
  return {
    session,
    now: now ?? session.clock(),
    ...(session.models !== undefined && { modelRoles: openModelRoles(await session.models()) }),
    options,
    tell: (event) => onEvent?.(event),
    ...(signal && { signal }),
  };
}

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

export type Agent = (asked: ServedTurn, turnContext: TurnContext) => Promise<Served>;

/** A reply in words. */
export function said(text: string, talk: Talk, quickReplies: readonly string[] = []): Served {
  return { cards: [{ kind: 'text', text }], quickReplies, talk, line: text };
}
