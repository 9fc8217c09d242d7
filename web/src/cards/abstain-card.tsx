import type { Abstain } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { OptionList } from './option-list.tsx';
import { RelatedList } from './related-list.tsx';

/** Nothing is sure enough: what would have been run, for a person to judge. */
export function AbstainCard({ answer }: { readonly answer: Abstain }) {
  const messages = useMessages();
  return (
    <article className="card card-abstain" aria-label={messages.kinds.abstain}>
      <header className="card-head">
        <span className="badge badge-warn">⚠ {messages.kinds.abstain}</span>
        <h3>{answer.reason}</h3>
      </header>
      {answer.candidates.length > 0 && (
        <>
          <OptionList title={messages.candidates} options={answer.candidates} />
          {answer.candidates.map(
            ({ label, sql }) =>
              sql !== undefined && (
                <details className="fold" key={label}>
                  <summary>{label}</summary>
                  <pre className="sql-plain">{sql}</pre>
                </details>
              ),
          )}
        </>
      )}
      <RelatedList related={answer.related} />
    </article>
  );
}
