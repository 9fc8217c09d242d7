import { lazy, Suspense, useState } from 'react';
import type { Answered } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { AnswerDetails } from './answer-details.tsx';
import { AnswerFoot } from './answer-foot.tsx';
import { Assumptions } from './assumptions.tsx';
import { PointedWordScope } from './pointed-word.tsx';
import { QuestionWords } from './question-words.tsx';
import { RelatedList } from './related-list.tsx';
import { ResultView } from './result-view.tsx';
import { useRows } from './use-rows.ts';

const SqlPanel = lazy(() => import('../sql/sql-panel.tsx'));
/** From here on an answer is likelier wrong than right. */
const LIKELY_WRONG_FROM = 0.5;

interface AnswerCardProps {
  readonly answer: Answered;
  /** Of a kept card: so many rows were shown. */
  readonly rowsLeftOut?: number | undefined;
}

/** Rows with all that is known of how they were found. */
export function AnswerCard({ answer, rowsLeftOut }: AnswerCardProps) {
  const messages = useMessages();
  const [isOpen, setOpen] = useState(false);
  const rows = useRows(answer, rowsLeftOut);
  return (
    <PointedWordScope>
      <article className="card card-answered" aria-label={messages.kinds.answered}>
        <header className="card-head">
          <h3>{answer.explanation}</h3>
          <Badges answer={answer} />
        </header>
        <QuestionWords answer={answer} />
        <Unused answer={answer} />
        <ResultView rows={rows} chart={answer.chart} name={answer.explanation} />
        <Assumptions answer={answer} />
        {answer.sql !== '' && (
          <details className="fold" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
            <summary>{messages.showSql}</summary>
            {isOpen && (
              <>
                <Suspense fallback={<pre className="sql-plain">{answer.sql}</pre>}>
                  <SqlPanel
                    sql={answer.sql}
                    units={answer.risk?.units ?? []}
                    evidence={answer.evidence}
                    onRows={rows.take}
                  />
                </Suspense>
                <AnswerDetails answer={answer} />
              </>
            )}
          </details>
        )}
        <RelatedList related={answer.related} asked={answer.question} />
        <AnswerFoot answer={answer} />
      </article>
    </PointedWordScope>
  );
}

/** Words of the question that the query leaves out although they ask for something: it answers another question. */
function Unused({ answer: { unused = [] } }: { readonly answer: Answered }) {
  const messages = useMessages();
  if (unused.length === 0) return null;
  return (
    <section className="unused">
      <h4>⚠ {messages.unused}</h4>
      <ul>
        {unused.map(({ text, why }) => (
          <li key={text}>
            <strong>
              <q>{text}</q>
            </strong>
            {why !== '' && `: ${messages.wordWhy(why)}`}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Badges({ answer: { probability, risk, related, sql, verified } }: { readonly answer: Answered }) {
  const messages = useMessages();
  const isVerified =
    verified !== undefined || related.some((one) => one.sql !== undefined && sameSql(one.sql, sql));
  const who = [verified?.by, verified?.at].filter((one) => one !== undefined).join(', ');
  // The risk takes in what the writer thinks of it; a probability alone is shown where nothing could be assessed.
  const sure = risk === undefined ? probability : 1 - risk.queryRisk;
  const isDoubtful = !isVerified && (risk?.action === 'warn' || (sure ?? 1) < LIKELY_WRONG_FROM);
  return (
    <span className="badges">
      {isVerified && (
        <span className="badge badge-good" title={messages.verifiedWhy}>
          ✓ {messages.verified}
          {who !== '' && ` (${who})`}
        </span>
      )}
      {isDoubtful && (
        <span className="badge badge-warn" title={messages.likelyWrongWhy}>
          ⚠ {messages.likelyWrong}
        </span>
      )}
      {sure !== undefined && <span className="badge">{messages.sure(Math.round(sure * 100))}</span>}
    </span>
  );
}

/** Spacing and case of keywords aside; a query that says the same otherwise is not recognised. */
function sameSql(one: string, other: string): boolean {
  const plain = (sql: string): string => sql.replace(/\s+/g, ' ').replace(/;\s*$/, '').trim().toLowerCase();
  return plain(one) === plain(other);
}
