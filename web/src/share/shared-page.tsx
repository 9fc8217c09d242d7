import type { SharedChat, SharedMessage } from '../api/contract.ts';
import { useReply } from '../api/use-reply.ts';
import { type CardActions, CardActionsContext } from '../cards/card-actions.ts';
import { ShowCard } from '../cards/show-card.tsx';
import { useMessages } from '../i18n/use-messages.ts';
import { FailureNote } from '../shell/failure-note.tsx';
import type { PageProps } from '../shell/pages.ts';
import { hashOf } from '../shell/use-route.ts';
import './share.css';

const NOTHING_TO_DO: CardActions = {
  say: () => undefined,
  isWorking: false,
  isLast: false,
  isReadOnly: true,
};

/** `#/shared/ID`: somebody's conversation, to read. */
export default function SharedPage({ route: [id = ''] }: PageProps) {
  const messages = useMessages();
  const { reply, failure, isLoading } = useReply<SharedChat>(`/v1/shared/${encodeURIComponent(id)}`);
  const isGone = failure?.code === 'server.not-found' || failure?.code === 'server.unknown-route';
  if (isGone)
    return (
      <p className="page" role="alert">
        {messages.sharing.gone}
      </p>
    );
  return (
    <div className="page shared">
      {failure !== undefined && <FailureNote failure={failure} />}
      {isLoading && <p className="quiet">{messages.loading}</p>}
      {!isLoading && reply !== undefined && <SharedTalk chat={reply} />}
    </div>
  );
}

function SharedTalk({
  chat: { title, owner, isOwn, updatedAt, messages: said },
}: {
  readonly chat: SharedChat;
}) {
  const { sharing, untitled } = useMessages();
  return (
    <>
      <h2>{title === '' ? untitled : title}</h2>
      <p className="quiet">{sharing.askedBy(owner, new Date(updatedAt))}</p>
      {isOwn && <p className="quiet">{sharing.yourOwn}</p>}
      {said.length === 0 && <p className="quiet">{sharing.empty}</p>}
      <CardActionsContext value={NOTHING_TO_DO}>
        {said.map((message) => (
          <SharedExchange key={message.id} message={message} owner={owner} />
        ))}
      </CardActionsContext>
    </>
  );
}

interface SharedExchangeProps {
  readonly message: SharedMessage;
  readonly owner: string;
}

function SharedExchange({ message: { text, cards }, owner }: SharedExchangeProps) {
  const { sharing } = useMessages();
  return (
    <article className="exchange">
      <div className="asked">
        <p className="said">
          <span className="hidden">{owner}: </span>
          {text}
        </p>
        {text.trim() !== '' && <a href={hashOf(['new', whole(text)])}>{sharing.askYourself}</a>}
      </div>
      {cards.map((card, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: cards come one after the other and stay where they are
        <ShowCard key={at} card={card} />
      ))}
    </article>
  );
}

/** Half a character, which no address can hold, is left out. */
function whole(text: string): string {
  return text.replace(/\p{Cs}/gu, '');
}
