import type { Reject } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { RelatedList } from './related-list.tsx';
import { SayChip } from './say-chip.tsx';

/** A refusal: what is missing, where it was looked for, and the nearest there is. */
export function RejectCard({ answer }: { readonly answer: Reject }) {
  const messages = useMessages();
  return (
    <article className="card card-reject" aria-label={messages.kinds.reject}>
      <header className="card-head">
        <span className="badge badge-no">✗ {messages.kinds.reject}</span>
        <h3>{answer.message}</h3>
      </header>
      <p>
        {messages.missing}: <strong>{answer.missing}</strong>
      </p>
      {answer.nearest.length > 0 && (
        <section>
          <h4>{messages.nearest}</h4>
          <ul className="chips">
            {answer.nearest.map((name) => (
              <li key={name}>
                <SayChip label={name} says={name} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {answer.searched !== undefined && (
        <details className="fold">
          <summary>{messages.searched}</summary>
          <ul>
            {answer.searched.map(({ what, count, hits }) => (
              <li key={what}>
                {count === undefined ? '' : `${count} `}
                {messages.searchedKinds[what]}
                {hits.length > 0 && `: ${hits.map(({ name }) => name).join(', ')}`}
              </li>
            ))}
          </ul>
        </details>
      )}
      <RelatedList related={answer.related} />
    </article>
  );
}
