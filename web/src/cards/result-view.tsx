import { lazy, Suspense, useMemo, useState } from 'react';
import type { Answered } from '../api/contract.ts';
import { chooseChart } from '../chart/choose-chart.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { FailureNote } from '../shell/failure-note.tsx';
import { useRights } from '../shell/me-context.ts';
import { useCardActions } from './card-actions.ts';
import { DownloadButtons } from './download-buttons.tsx';
import { ResultTable } from './result-table.tsx';
import type { ShownRows } from './use-rows.ts';

const ResultChart = lazy(() => import('../chart/result-chart.tsx'));

interface ResultViewProps {
  readonly rows: ShownRows;
  /** How the answer wants to be drawn; else the rows tell. */
  readonly chart?: Answered['chart'];
  /** What files are named after. */
  readonly name: string;
}

/** Rows as a table or drawn, and to take away. */
export function ResultView({ rows, chart, name }: ResultViewProps) {
  const messages = useMessages();
  const { isReadOnly } = useCardActions();
  const [isDrawn, setDrawn] = useState(chart !== undefined);
  const fitting = useMemo(
    () => chart ?? chooseChart(rows.columns, rows.rows),
    [chart, rows.columns, rows.rows],
  );
  if (rows.failure !== undefined) return <FailureNote failure={rows.failure} />;
  if (rows.leftOut > 0)
    return (
      <p className="quiet">
        {messages.rowsNotKept(rows.leftOut)}{' '}
        {!isReadOnly && (
          <button type="button" onClick={rows.fetch} disabled={rows.isLoading}>
            {rows.isLoading ? messages.running : messages.showRows}
          </button>
        )}
      </p>
    );
  if (!rows.isRun) return <NotRun rows={rows} />;
  const notices = rows.notices?.map(({ text }) => (
    <p key={text} className="note-warn">
      {text}
    </p>
  ));
  if (rows.rows.length === 0)
    return (
      <>
        <p className="quiet">{messages.noRows}</p>
        {notices}
      </>
    );
  return (
    <div className="result">
      <div className="result-bar">
        <span className="quiet">{messages.rows(rows.rows.length)}</span>
        {fitting !== undefined && (
          <fieldset className="switch">
            <legend className="hidden">{messages.view}</legend>
            <button type="button" aria-pressed={!isDrawn} onClick={() => setDrawn(false)}>
              {messages.table}
            </button>
            <button type="button" aria-pressed={isDrawn} onClick={() => setDrawn(true)}>
              {messages.chart}
            </button>
          </fieldset>
        )}
        <DownloadButtons rows={rows} name={name} />
      </div>
      {isDrawn && fitting !== undefined ? (
        <Suspense fallback={<p className="quiet">{messages.loading}</p>}>
          <ResultChart columns={rows.columns} rows={rows.rows} chart={fitting} />
        </Suspense>
      ) : (
        <ResultTable columns={rows.columns} rows={rows.rows} />
      )}
      {rows.truncatedBy !== null && <p className="note-warn">{messages.truncated}</p>}
      {notices}
    </div>
  );
}

/** A query that waits for whoever asked; where nothing runs for them, that is said. */
function NotRun({ rows }: { readonly rows: ShownRows }) {
  const messages = useMessages();
  const { approval } = useRights();
  const { isReadOnly } = useCardActions();
  if (approval === 'deny') return <p className="quiet">{messages.neverRun}</p>;
  return (
    <p>
      {messages.notRun}{' '}
      {!isReadOnly && (
        <button type="button" className="primary" onClick={rows.fetch} disabled={rows.isLoading}>
          {rows.isLoading ? messages.running : messages.run}
        </button>
      )}
    </p>
  );
}
