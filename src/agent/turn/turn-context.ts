import { type ModelRoles, openModelRoles } from '../../answering/index.ts';
import type { Session } from '../../session/index.ts';
import type { ConverseOptions, TurnEvent } from './turn.ts';

/** What the agents of one turn work with. */
export interface TurnContext {
  readonly session: Session;
  /** The present of the turn. */
  readonly now: Date;
  /** A language model at its side jobs (intent, rewriting, explaining), under one budget; absent: there is none. */
  readonly mind?: ModelRoles;
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
    ...(session.models !== undefined && { mind: openModelRoles(await session.models()) }),
    options,
    tell: (event) => onEvent?.(event),
    ...(signal && { signal }),
  };
}
