import { createContext, use } from 'react';
import type { Preferences } from './use-preferences.ts';

export interface OwnPreferences {
  readonly preferences: Preferences;
  readonly prefer: (next: Partial<Preferences>) => void;
}

/** What the person likes, for the parts of the page that let them change it. */
export const PreferencesContext = createContext<OwnPreferences | undefined>(undefined);

export function useOwnPreferences(): OwnPreferences {
  const own = use(PreferencesContext);
  if (own === undefined) throw new Error('preferences are those of the whole page');
  return own;
}
