import type { Answer } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { useCardActions } from './card-actions.ts';

/** What people wrote about the same thing. */
export function RelatedList({ related }: { readonly related: Answer['related'] }) {
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
            {sql !== undefined && !isReadOnly && (
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
