import type { Abstain } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { NearestList } from './nearest-list.tsx';
import { ReadingList } from './reading-list.tsx';
import { RelatedList } from './related-list.tsx';

/** Nothing is sure enough: what would have been run, for a person to judge. */
export function AbstainCard({ answer }: { readonly answer: Abstain }) {
  const messages = useMessages();
  const { candidates, missing, nearest = [], question, reason, related } = answer;
  const what = missing === undefined ? messages.kinds.abstain : messages.causes['not-understood'];
  return (
    <article className="card card-abstain" aria-label={what}>
      <header className="card-head">
        <span className="badge badge-warn">⚠ {what}</span>
        <h3>{reason}</h3>
      </header>
      <NearestList nearest={nearest} />
      {candidates.length > 0 && (
        <ReadingList title={messages.candidates} readings={candidates} asked={question} />
      )}
      <RelatedList related={related} asked={question} />
    </article>
  );
}
