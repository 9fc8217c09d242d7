import type { Chat } from '../api/contract.ts';
import { request } from '../api/request.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { ShareButton } from '../share/share-button.tsx';
import { KeyboardHelp } from './keyboard-help.tsx';
import { PreferenceSelects } from './preference-selects.tsx';
import type { Me } from './use-me.ts';

interface TopBarProps {
  readonly me: Me;
  readonly onSignOut: () => void;
  readonly title: string;
  /** The conversation on screen, once it is kept. */
  readonly chat: Pick<Chat, 'id' | 'shareId'> | undefined;
  readonly onShared: () => void;
}

/** What the page is about, and how it looks. */
export function TopBar({ me, onSignOut, title, chat, onShared }: TopBarProps) {
  const messages = useMessages();
  return (
    <header className="top">
      <h1>{title}</h1>
      {chat !== undefined && (
        <ShareButton key={chat.id} chat={chat} isSignedIn={me.isSignedIn} onChanged={onShared} />
      )}
      <KeyboardHelp />
      <PreferenceSelects />
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
