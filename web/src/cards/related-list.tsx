import type { Answer } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { useCardActions } from './card-actions.ts';
import { sameWords } from './same-words.ts';

interface RelatedListProps {
  readonly related: Answer['related'];
  /** The question of the card: what says the same leads nowhere else. */
  readonly asked: string;
}

/** What people wrote about the same thing. */
export function RelatedList({ related, asked }: RelatedListProps) {
  const messages = useMessages();
  const { say, isWorking, isReadOnly } = useCardActions();
  if (related.length === 0) return null;
  return (
    <details className="fold">
      <summary>
        {messages.related} ({related.length})
      </summary>
      <ul className="related">
        {related.map(({ kind, text, place, sql }) => (
          <li key={`${place} ${text}`}>
            <span className="quiet">{kind === 'note' ? messages.note : messages.verifiedPair}</span> {text}{' '}
            <span className="quiet">({place})</span>
            {sql !== undefined && !isReadOnly && !sameWords(text, asked) && (
              <button type="button" className="chip" disabled={isWorking} onClick={() => say({ text })}>
                {messages.useThis}
              </button>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
