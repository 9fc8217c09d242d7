import { createContext, use } from 'react';
import type { Me } from './use-me.ts';

/** Whoever the page is of; within another page nobody says, and nothing is offered that needs a right. */
export const MeContext = createContext<Me | undefined>(undefined);

export function useRights(): Me['rights'] {
  return use(MeContext)?.rights ?? { showSql: true, runSql: true, editKnowledge: false, approval: 'allow' };
}
