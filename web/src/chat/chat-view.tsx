import { useEffect, useRef } from 'react';
import type { Turn } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { FailureNote } from '../shell/failure-note.tsx';
import { Composer, type ComposerHandle } from './composer.tsx';
import { ExchangeView } from './exchange-view.tsx';
import { useChat } from './use-chat.ts';
import { Welcome } from './welcome.tsx';

interface ChatViewProps {
  readonly chatId: string | undefined;
  /** What stands in the field at first. */
  readonly draft?: string;
  /** Hears of a chat that was begun, and of every turn that ended. */
  readonly onKept: (id: string) => void;
}

/** One conversation, from the first question on. */
export function ChatView({ chatId, draft = '', onKept }: ChatViewProps) {
  const messages = useMessages();
  const { exchanges, isWorking, isLoading, failure, say, stop } = useChat(chatId, onKept);
  const composer = useRef<ComposerHandle>(null);
  const end = useRef<HTMLDivElement>(null);
  const last = exchanges.at(-1);
  const shown = `${last?.key} ${last?.state} ${last?.cards.length}`;

  useEffect(() => {
    if (shown !== '') end.current?.scrollIntoView({ block: 'end' });
  }, [shown]);
  const said = (turn: Turn, text?: string): void => {
    void say(turn, text);
    composer.current?.focus();
  };
  return (
    <div className="chat">
      <section className="exchanges" aria-label={messages.answerOf}>
        {failure !== undefined && <FailureNote failure={failure} />}
        {isLoading && <p className="quiet">{messages.loading}</p>}
        {!isLoading && exchanges.length === 0 && failure === undefined && (
          <Welcome onAsk={(text) => said({ text })} />
        )}
        {exchanges.map((exchange, at) => (
          <ExchangeView
            key={exchange.key}
            exchange={exchange}
            say={said}
            isWorking={isWorking}
            isLast={at === exchanges.length - 1}
          />
        ))}
        <div ref={end} />
      </section>
      <Composer
        ref={composer}
        draft={draft}
        isWorking={isWorking}
        lastText={exchanges.findLast(({ text }) => text !== '')?.text ?? ''}
        onSay={said}
        onStop={stop}
      />
    </div>
  );
}
