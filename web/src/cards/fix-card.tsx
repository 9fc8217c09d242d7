import { lazy, Suspense, useState } from 'react';
import type { Fix } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { ResultTable } from './result-table.tsx';

const SqlPanel = lazy(() => import('../sql/sql-panel.tsx'));

/** What is wrong with a query, and the query that works. */
export function FixCard({ fix }: { readonly fix: Fix }) {
  const messages = useMessages();
  const [result, setResult] = useState<Parameters<typeof ResultTable>[0]>();
  const [taken, setTaken] = useState<string>();
  const offers = fix.offers ?? [];
  const sql = taken ?? fix.repaired ?? fix.sql;
  const left = offers.length > 0 ? messages.fixOffered : messages.notFixed;
  const title = fix.problems.length === 0 ? messages.nothingWrong : fix.ok ? messages.fixed : left;
  const take = (offer: string): void => {
    setResult(undefined);
    setTaken(offer);
  };
  return (
    <article className="card card-fix" aria-label={title}>
      <header className="card-head">
        <h3>{title}</h3>
      </header>
      {fix.problems.length > 0 && (
        <section>
          <h4>{messages.problems}</h4>
          <ul>
            {fix.problems.map(({ kind, text, instead }) => (
              <li key={`${kind} ${text}`}>
                {text}
                {instead.length > 0 && <span className="quiet"> → {instead.join(', ')}</span>}
              </li>
            ))}
          </ul>
        </section>
      )}
      {fix.next !== undefined && (
        <section>
          <h4>{messages.whatToDo}</h4>
          <p>{fix.next}</p>
        </section>
      )}
      {fix.changes.length > 0 && (
        <section>
          <h4>{messages.changes}</h4>
          <ul>
            {fix.changes.map(({ from, to, because }) => (
              <li key={`${from} ${to}`}>
                <del>{from}</del> → <ins>{to}</ins> <span className="quiet">{because}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {offers.length > 0 && (
        <section>
          <h4>{messages.fixOffers}</h4>
          <ul>
            {offers.map((offer) => (
              <li key={offer.sql}>
                <button
                  type="button"
                  className="chip"
                  aria-pressed={offer.sql === taken}
                  onClick={() => take(offer.sql)}
                >
                  {offer.means}
                </button>
                <pre className="sql-plain">{offer.sql}</pre>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Suspense fallback={<pre className="sql-plain">{sql}</pre>}>
        <SqlPanel key={sql} sql={sql} units={[]} evidence={[]} onRows={setResult} />
      </Suspense>
      {result !== undefined && <ResultTable columns={result.columns} rows={result.rows} />}
    </article>
  );
}
