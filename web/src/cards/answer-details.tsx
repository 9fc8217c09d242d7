import type { Answered } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { ReadingList } from './reading-list.tsx';

/** Why each part of the SQL stands there, what it was checked for, and what else the question may mean. */
export function AnswerDetails({ answer }: { readonly answer: Answered }) {
  const messages = useMessages();
  const { evidence, checks, alternatives, model, sql } = answer;
  const asked = answer.readAs ?? answer.question;
  return (
    <div className="details">
      {evidence.length > 0 && (
        <section>
          <h4>{messages.evidence}</h4>
          <ul className="evidence">
            {evidence.map(({ sqlSpan, questionSpan, certainty, why }) => (
              <li key={`${sqlSpan.start}-${sqlSpan.end} ${why}`}>
                <code>{sql.slice(sqlSpan.start, sqlSpan.end)}</code>
                <span className={`certainty certainty-${certainty}`}>{messages.certainty[certainty]}</span>
                <span>
                  {questionSpan !== undefined && <q>{asked.slice(questionSpan.start, questionSpan.end)}</q>}{' '}
                  {why}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h4>{messages.checks}</h4>
        <ul className="checks">
          {checks.map(({ name, passed, detail }) => (
            <li key={name} className={passed ? 'passed' : 'not-passed'}>
              <span aria-hidden="true">{passed ? '✓' : '✗'}</span> {messages.checkNames[name]}
              {detail !== undefined && <span className="quiet"> ({messages.checkDetail(detail)})</span>}
            </li>
          ))}
        </ul>
      </section>
      {alternatives.length > 0 && (
        <ReadingList title={messages.alternatives} readings={alternatives} asked={answer.question} />
      )}
      {model !== undefined && (
        <section>
          <h4>{messages.model}</h4>
          <p>{messages.modelLine(model.id, model.calls)}</p>
          <ul>
            {model.story.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
