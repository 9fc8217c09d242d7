import type { Reject } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { NearestList } from './nearest-list.tsx';
import { RelatedList } from './related-list.tsx';

type Cause = Reject['cause'];

/** What the words of `missing` are where they are worth a line; of the other causes the message says all. */
const MISSING: ReadonlySet<Cause> = new Set([
  'absent',
  'not-found',
  'not-linked',
  'no-date',
  'not-understood',
]);
/** Other words do not help. */
const FINAL: ReadonlySet<Cause> = new Set(['absent', 'no-access', 'read-only']);

/** A refusal: of which kind it is, what is missing, where it was looked for, and the nearest there is. */
export function RejectCard({ answer }: { readonly answer: Reject }) {
  const messages = useMessages();
  const { cause, reason, message, missing, nearest, searched = [], related, question } = answer;
  const isFinal = FINAL.has(cause);
  const looked = searched.filter(({ count }) => count !== 0);
  return (
    <article
      className={`card ${isFinal ? 'card-reject' : 'card-abstain'}`}
      aria-label={messages.causes[cause]}
    >
      <header className="card-head">
        <span className={`badge ${isFinal ? 'badge-no' : 'badge-warn'}`}>
          {isFinal ? '✗' : '⚠'} {messages.causes[cause]}
        </span>
        <h3>{message}</h3>
      </header>
      {MISSING.has(cause) && missing !== '' && (
        <p>
          {cause === 'absent' ? messages.missing : messages.about}: <strong>{missing}</strong>
        </p>
      )}
      <NearestList nearest={nearest} areFigures={reason === 'metric'} />
      {MISSING.has(cause) && looked.length > 0 && (
        <details className="fold">
          <summary>{messages.searched}</summary>
          <ul>
            {looked.map(({ what, count, hits }) => (
              <li key={what}>
                {count === undefined ? '' : `${count} `}
                {messages.searchedKinds[what]}
                {hits.length > 0 && `: ${hits.map(({ name }) => name).join(', ')}`}
              </li>
            ))}
          </ul>
        </details>
      )}
      <RelatedList related={related} asked={question} />
    </article>
  );
}
