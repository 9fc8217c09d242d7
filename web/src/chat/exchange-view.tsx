import { useMemo } from 'react';
import type { Card, Turn } from '../api/contract.ts';
import { CardActionsContext } from '../cards/card-actions.ts';
import { ShowCard } from '../cards/show-card.tsx';
import { useMessages } from '../i18n/use-messages.ts';
import { FailureNote } from '../shell/failure-note.tsx';
import { type Exchange, isAtWork } from './exchange.ts';

interface ExchangeViewProps {
  readonly exchange: Exchange;
  readonly say: (turn: Turn, shown?: string) => void;
  readonly isWorking: boolean;
  readonly isLast: boolean;
}

/** What was said, how far the work is, and the cards that came of it. */
export function ExchangeView({ exchange, say, isWorking, isLast }: ExchangeViewProps) {
  const messages = useMessages();
  const actions = useMemo(() => ({ say, isWorking, isLast, isReadOnly: false }), [say, isWorking, isLast]);
  const { text, turn, state, cards, failure, quickReplies } = exchange;
  const replies = quickReplies.filter((reply) => !cards.some((card) => offers(card, reply)));
  return (
    <article className="exchange" aria-busy={isAtWork(exchange)}>
      <p className="said">
        <span className="hidden">{messages.you}: </span>
        {text}
      </p>
      {isAtWork(exchange) && <Progress exchange={exchange} />}
      <CardActionsContext value={actions}>
        {cards.map((card, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: cards come one after the other and stay where they are
          <ShowCard key={at} card={card} />
        ))}
      </CardActionsContext>
      {state === 'stopped' && (
        <p className="quiet" role="status">
          {messages.stopped}
        </p>
      )}
      {state === 'failed' && failure !== undefined && (
        <FailureNote failure={failure}>
          {isLast && (
            <button type="button" disabled={isWorking} onClick={() => say(turn, text)}>
              {messages.retry}
            </button>
          )}
        </FailureNote>
      )}
      {isLast && state === 'done' && replies.length > 0 && (
        <ul className="chips quick" aria-label={messages.quickReplies}>
          {replies.map((reply) => (
            <li key={reply}>
              <button
                type="button"
                className="chip"
                disabled={isWorking}
                onClick={() => say({ text: reply })}
              >
                {messages.replyLabel(reply)}
              </button>
            </li>
          ))}
        </ul>
      )}
    </article>
  );
}

/** A button of the card itself says so. */
function offers(card: Card, reply: string): boolean {
  if (card.kind !== 'answer') return false;
  const { answer } = card;
  switch (answer.kind) {
    case 'clarify':
    case 'follow_up':
      return answer.options.some(({ label }) => label === reply);
    case 'reject':
      return answer.reason === 'metric' && answer.nearest.includes(reply);
    default:
      return false;
  }
}

function Progress({ exchange: { state, stages } }: { readonly exchange: Exchange }) {
  const messages = useMessages();
  const words = stages.map((stage) => messages.stages[stage] ?? stage);
  const now = state === 'lost' ? messages.reconnecting : (words.at(-1) ?? messages.working);
  return (
    <div className="progress">
      <span className="spinner" aria-hidden="true" />
      <span role="status">{now}</span>
      <span className="quiet stages" aria-hidden="true">
        {words.slice(0, -1).map((word, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: stages come one after the other and may come again
          <span key={at}>✓ {word} </span>
        ))}
      </span>
    </div>
  );
}
