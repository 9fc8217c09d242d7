import { createContext, use } from 'react';
import type { Turn } from '../api/contract.ts';

/** What a card may do in its conversation. */
export interface CardActions {
  /** `shown`: what the page says the person said, where a turn has no words. */
  readonly say: (turn: Turn, shown?: string) => void;
  /** While a turn is in work nothing else can be said. */
  readonly isWorking: boolean;
  /** What only the last answer can do: its defaults can be taken otherwise. */
  readonly isLast: boolean;
  /** Somebody's conversation, to read alone: nothing is run, said or judged in it. */
  readonly isReadOnly: boolean;
}

export const CardActionsContext = createContext<CardActions>({
  say: () => undefined,
  isWorking: false,
  isLast: false,
  isReadOnly: false,
});

export function useCardActions(): CardActions {
  return use(CardActionsContext);
}
