import { request } from '../api/request.ts';
import { LANGUAGES, type Language, useMessages } from '../i18n/use-messages.ts';
import { CopyButton } from './copy-button.tsx';
import { KeyboardHelp } from './keyboard-help.tsx';
import type { Me } from './use-me.ts';
import type { Preferences, Theme } from './use-preferences.ts';

interface TopBarProps {
  readonly me: Me;
  readonly onSignOut: () => void;
  readonly title: string;
  readonly isChat: boolean;
  readonly preferences: Preferences;
  readonly onPrefer: (next: Partial<Preferences>) => void;
}

/** What the page is about, and how it looks. */
export function TopBar({
  me,
  onSignOut,
  title,
  isChat,
  preferences: { language, theme },
  onPrefer,
}: TopBarProps) {
  const messages = useMessages();
  return (
    <header className="top">
      <h1>{title}</h1>
      {isChat && <CopyButton text={window.location.href} label={messages.share} />}
      <KeyboardHelp />
      <select
        aria-label={messages.languageChoice}
        value={language}
        onChange={({ currentTarget }) => onPrefer({ language: currentTarget.value as Language })}
      >
        {Object.entries(LANGUAGES).map(([id, { language: name }]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <select
        aria-label={messages.theme}
        value={theme}
        onChange={({ currentTarget }) => onPrefer({ theme: currentTarget.value as Theme })}
      >
        {Object.entries(messages.themes).map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {me.isSignedIn && (
        <button type="button" title={messages.signedInAs(me.name)} onClick={() => void signOut(onSignOut)}>
          {messages.signOut}
        </button>
      )}
    </header>
  );
}

/** Whatever is on screen belongs to whom was signed in: the page begins anew. */
async function signOut(onDone: () => void): Promise<void> {
  await request('/v1/sign-out', { method: 'POST' }).catch(() => undefined);
  window.location.hash = '';
  onDone();
}
