import { use } from 'react';
import { MeContext } from '../shell/me-context.ts';

/** Whose drafts these are. */
export function usePerson(): string {
  return use(MeContext)?.name ?? '';
}
