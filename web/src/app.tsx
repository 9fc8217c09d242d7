import { Suspense, useCallback, useRef, useState } from 'react';
import { ChatView } from './chat/chat-view.tsx';
import { LanguageContext, useMessages } from './i18n/use-messages.ts';
import { MeContext } from './shell/me-context.ts';
import { PAGES } from './shell/pages.ts';
import { PreferencesContext } from './shell/preferences-context.ts';
import { SideBar } from './shell/side-bar.tsx';
import { SignIn } from './shell/sign-in.tsx';
import { TopBar } from './shell/top-bar.tsx';
import { useChats } from './shell/use-chats.ts';
import { type Me, useMe } from './shell/use-me.ts';
import { usePreferences } from './shell/use-preferences.ts';
import { goTo, type Route, useRoute } from './shell/use-route.ts';

/** The whole page. */
export function App() {
  const [preferences, prefer] = usePreferences();
  const { who, refresh } = useMe();
  return (
    <LanguageContext value={preferences.language}>
      {who.kind === 'nobody' && <SignIn onDone={refresh} />}
      {who.kind === 'somebody' && (
        <MeContext value={who.me}>
          <PreferencesContext value={{ preferences, prefer }}>
            <Shell me={who.me} onSignOut={refresh} />
          </PreferencesContext>
        </MeContext>
      )}
    </LanguageContext>
  );
}

interface ShellProps {
  readonly me: Me;
  readonly onSignOut: () => void;
}

function Shell({ me, onSignOut }: ShellProps) {
  const messages = useMessages();
  const route = useRoute();
  const onGone = useCallback((id: string) => {
    if (window.location.hash.includes(id)) goTo([]);
  }, []);
  const chats = useChats(onGone);
  const page = PAGES.find(({ id }) => id === route[0]);
  const isChat = route.length === 0 || route[0] === 'chat' || route[0] === 'new';
  const chatId = route[0] === 'chat' ? route[1] : undefined;
  const listed = chats.list.find(({ id }) => id === chatId);
  const chat = listed ?? (chatId === undefined ? undefined : { id: chatId });
  const title = page?.title(messages) ?? (listed?.title || messages.newChat);
  return (
    <div className="shell">
      <button type="button" className="skip" onClick={() => document.getElementById('question')?.focus()}>
        {messages.skipToChat}
      </button>
      <SideBar route={route} chats={chats} />
      <div className="main">
        <TopBar me={me} onSignOut={onSignOut} title={title} chat={chat} onShared={chats.refresh} />
        <main>
          {isChat && (
            <ChatPlace
              chatId={chatId}
              draft={route[0] === 'new' ? (route[1] ?? '') : ''}
              onKept={chats.refresh}
            />
          )}
          {page !== undefined && (
            <Suspense fallback={<p className="quiet page">{messages.loading}</p>}>
              <page.view route={route.slice(1)} />
            </Suspense>
          )}
          {!isChat && page === undefined && <p className="page">{messages.notFound}</p>}
        </main>
      </div>
    </div>
  );
}

interface ChatPlaceProps {
  readonly chatId: Route[number] | undefined;
  /** `#/new/QUESTION`: a question that is filled in and not yet asked. */
  readonly draft: string;
  readonly onKept: () => void;
}

/** A chat that gets its id while it is shown stays the same view; one that is chosen gets its own. */
function ChatPlace({ chatId, draft, onKept }: ChatPlaceProps) {
  const born = useRef<string>(undefined);
  const [view, setView] = useState({ chatId, draft, key: 0 });
  if (view.chatId !== chatId || view.draft !== draft) {
    const isSame = chatId !== undefined && chatId === born.current;
    setView({ chatId, draft, key: isSame ? view.key : view.key + 1 });
  }
  const kept = useCallback(
    (id: string) => {
      born.current = id;
      goTo(['chat', id], { replace: true });
      onKept();
    },
    [onKept],
  );
  return <ChatView key={view.key} chatId={chatId} draft={draft} onKept={kept} />;
}
