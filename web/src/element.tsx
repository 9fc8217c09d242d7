import { createRoot, type Root } from 'react-dom/client';
import { setServer } from './api/server-url.ts';
import { ChatView } from './chat/chat-view.tsx';
import { LanguageContext, languageOf } from './i18n/use-messages.ts';
import style from './theme.css?inline';

/**
 * `<candor-chat server="https://candor.example" language="de">`: the chat within another page. Its look stays its own
 * behind a shadow root. A page of another origin must be named under `server.embedOrigins` and, where people sign in, give the
 * key of whom it is for: `element.key = …`, which never stands in the document.
 */
class CandorChat extends HTMLElement {
  #root: Root | undefined;
  #key = '';

  set key(key: string) {
    this.#key = key;
    this.#reach();
  }

  connectedCallback(): void {
    this.#takeEarlyKey();
    this.#reach();
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

  /** A page may have set it before this script had come: then it hides our own. */
  #takeEarlyKey(): void {
    if (!Object.hasOwn(this, 'key')) return;
    const { value } = Object.getOwnPropertyDescriptor(this, 'key') ?? {};
    Reflect.deleteProperty(this, 'key');
    this.#key = String(value);
  }

  #reach(): void {
    setServer(this.getAttribute('server') ?? '', this.#key);
  }
}

if (customElements.get('candor-chat') === undefined) customElements.define('candor-chat', CandorChat);
