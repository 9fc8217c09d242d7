import { createRoot, type Root } from 'react-dom/client';
import { setServer } from './api/server-url.ts';
import { ChatView } from './chat/chat-view.tsx';
import { LanguageContext, languageOf } from './i18n/use-messages.ts';
import style from './theme.css?inline';

/**
 * `<candor-chat server="https://candor.example" language="de">`: the chat within another page. Its look stays its own
 * behind a shadow root; `server` must allow the origin of the page.
 */
class CandorChat extends HTMLElement {
  #root: Root | undefined;

  connectedCallback(): void {
    setServer(this.getAttribute('server') ?? '');
    const shadow = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    const sheet = document.createElement('style');
    // What the page says of its document holds for the element.
    sheet.textContent = `${style.replaceAll(':root', ':host')} :host { display: block; height: 600px; }`;
    const place = document.createElement('div');
    place.style.height = '100%';
    shadow.replaceChildren(sheet, place);
    const language = languageOf([this.getAttribute('language') ?? '', ...navigator.languages]);
    this.#root = createRoot(place);
    this.#root.render(
      <LanguageContext value={language}>
        <ChatView chatId={undefined} onKept={() => undefined} />
      </LanguageContext>,
    );
  }

  disconnectedCallback(): void {
    this.#root?.unmount();
  }
}

if (customElements.get('candor-chat') === undefined) customElements.define('candor-chat', CandorChat);
