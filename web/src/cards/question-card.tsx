import type { Clarify, FollowUp } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { OptionList } from './option-list.tsx';
import { RelatedList } from './related-list.tsx';

/** A question back, with what may be answered. */
export function QuestionCard({ answer }: { readonly answer: Clarify | FollowUp }) {
  const messages = useMessages();
  return (
    <article className="card card-question" aria-label={messages.kinds[answer.kind]}>
      <header className="card-head">
        <span className="badge badge-ask">? {messages.kinds[answer.kind]}</span>
        <h3>{answer.ask}</h3>
      </header>
      <OptionList options={answer.options} says="label" />
      <RelatedList related={answer.related} />
    </article>
  );
}
