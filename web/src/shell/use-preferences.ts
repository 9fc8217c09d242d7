import { useEffect, useState } from 'react';
import { LANGUAGES, type Language, languageOf } from '../i18n/use-messages.ts';

export type Theme = 'system' | 'light' | 'dark';

export interface Preferences {
  readonly language: Language;
  readonly theme: Theme;
}

const KEY = 'candor.preferences';

/** What a person likes, kept by the browser; the document wears it. */
export function usePreferences(): readonly [Preferences, (next: Partial<Preferences>) => void] {
  const [preferences, set] = useState(readPreferences);
  useEffect(() => {
    const { language, theme } = preferences;
    document.documentElement.lang = language;
    document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem(KEY, JSON.stringify(preferences));
    } catch {
      // A browser that keeps nothing has them for this visit.
    }
  }, [preferences]);
  return [preferences, (next) => set((now) => ({ ...now, ...next }))];
}

function readPreferences(): Preferences {
  const kept = readKept();
  const { language, theme } = kept;
  return {
    language:
      typeof language === 'string' && language in LANGUAGES
        ? (language as Language)
        : languageOf(navigator.languages),
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
  };
}

function readKept(): { readonly language?: unknown; readonly theme?: unknown } {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? kept : {};
  } catch {
    return {};
  }
}
