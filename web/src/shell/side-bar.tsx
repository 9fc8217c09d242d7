import { useEffect, useState } from 'react';
import type { Chat } from '../api/contract.ts';
import { serverUrl } from '../api/server-url.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { PAGES } from './pages.ts';
import type { Chats } from './use-chats.ts';
import { hashOf, type Route } from './use-route.ts';
import { WorkspaceSelect } from './workspace-select.tsx';

const LISTED = PAGES.filter(({ isUnlisted }) => isUnlisted !== true);

interface SideBarProps {
  readonly route: Route;
  readonly chats: Chats;
}

/** The way to pages and to chats. */
export function SideBar({ route, chats }: SideBarProps) {
  const messages = useMessages();
  const [isOpen, setOpen] = useState(false);
  const [wanted, setWanted] = useState('');
  const place = hashOf(route);
  // On a phone the menu covers the page: whoever chose something wants to see it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change of place that closes it
  useEffect(() => setOpen(false), [place]);
  const found = chats.list.filter(({ title }) => title.toLowerCase().includes(wanted.trim().toLowerCase()));
  return (
    <nav className={isOpen ? 'side open' : 'side'} aria-label={messages.menu}>
      <button type="button" className="menu-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span aria-hidden="true">☰</span>
        <span className="hidden">{isOpen ? messages.closeMenu : messages.menu}</span>
      </button>
      <div className="side-body">
        <a className="brand" href="#/">
          <img src={serverUrl('/candor.svg')} alt="" width="24" height="24" /> Candor
        </a>
        <WorkspaceSelect />
        <a className="primary button" href="#/">
          {messages.newChat}
        </a>
        {LISTED.length > 0 && (
          <ul className="pages">
            {LISTED.map(({ id, title }) => (
              <li key={id}>
                <a href={hashOf([id])} aria-current={route[0] === id ? 'page' : undefined}>
                  {title(messages)}
                </a>
              </li>
            ))}
          </ul>
        )}
        <h2 className="side-title">{messages.chats}</h2>
        <input
          type="search"
          aria-label={messages.searchChats}
          placeholder={messages.searchChats}
          value={wanted}
          onChange={({ currentTarget }) => setWanted(currentTarget.value)}
        />
        {found.length === 0 && <p className="quiet">{messages.noChats}</p>}
        <ul className="chat-list">
          {found.map((chat) => (
            <ChatLink key={chat.id} chat={chat} isHere={route[1] === chat.id} onDelete={chats.remove} />
          ))}
        </ul>
      </div>
    </nav>
  );
}

interface ChatLinkProps {
  readonly chat: Chat;
  readonly isHere: boolean;
  readonly onDelete: (id: string) => void;
}

function ChatLink({ chat: { id, title, shareId }, isHere, onDelete }: ChatLinkProps) {
  const messages = useMessages();
  const name = title === '' ? messages.untitled : title;
  return (
    <li>
      <a href={hashOf(['chat', id])} aria-current={isHere ? 'page' : undefined} title={name}>
        {name}
      </a>
      {shareId !== undefined && <span className="quiet">{messages.sharing.shared}</span>}
      <button
        type="button"
        className="icon"
        aria-label={messages.deleteChat(name)}
        title={messages.deleteChat(name)}
        onClick={() => window.confirm(messages.deleteChatAsk(name)) && onDelete(id)}
      >
        ×
      </button>
    </li>
  );
}
