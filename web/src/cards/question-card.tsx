import type { Clarify, FollowUp } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { OptionList } from './option-list.tsx';
import { RelatedList } from './related-list.tsx';

/** A question back, with what may be answered. */
export function QuestionCard({ answer }: { readonly answer: Clarify | FollowUp }) {
  const messages = useMessages();
  const cause = answer.kind === 'clarify' ? answer.cause : undefined;
  const what = cause === undefined ? messages.kinds[answer.kind] : messages.causes[cause];
  return (
    <article className="card card-question" aria-label={what}>
      <header className="card-head">
        <span className="badge badge-ask">? {what}</span>
        <h3>{answer.ask}</h3>
      </header>
      <OptionList options={answer.options} />
      <RelatedList related={answer.related} asked={answer.question} />
    </article>
  );
}
