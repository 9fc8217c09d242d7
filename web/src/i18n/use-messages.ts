import { createContext, use } from 'react';
import { ENGLISH, type Messages } from './english.ts';
import { GERMAN } from './german.ts';

export const LANGUAGES = { en: ENGLISH, de: GERMAN } satisfies Record<string, Messages>;
export type Language = keyof typeof LANGUAGES;

export const LanguageContext = createContext<Language>('en');

/** The texts of the page in the chosen language. */
export function useMessages(): Messages {
  return LANGUAGES[use(LanguageContext)];
}

/** The first of the browser's languages that the page has. */
export function languageOf(wanted: readonly string[]): Language {
  const found = wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag in LANGUAGES);
  return (found as Language | undefined) ?? 'en';
}
