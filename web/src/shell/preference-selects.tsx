import { LANGUAGES, type Language, useMessages } from '../i18n/use-messages.ts';
import { useOwnPreferences } from './preferences-context.ts';
import type { Theme } from './use-preferences.ts';

/** Language and colours to choose; `isLabelled`: with their names in sight. */
export function PreferenceSelects({ isLabelled = false }: { readonly isLabelled?: boolean }) {
  const messages = useMessages();
  const {
    preferences: { language, theme },
    prefer,
  } = useOwnPreferences();
  const nameClass = isLabelled ? undefined : 'hidden';
  return (
    <>
      <label>
        <span className={nameClass}>{messages.languageChoice}</span>{' '}
        <select
          value={language}
          onChange={({ currentTarget }) => prefer({ language: currentTarget.value as Language })}
        >
          {Object.entries(LANGUAGES).map(([id, { language: name }]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span className={nameClass}>{messages.theme}</span>{' '}
        <select
          value={theme}
          onChange={({ currentTarget }) => prefer({ theme: currentTarget.value as Theme })}
        >
          {Object.entries(messages.themes).map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}
