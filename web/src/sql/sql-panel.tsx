import { useMemo, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import type { Evidence, Failure, RiskyPart, Span, SqlOutcome } from '../api/contract.ts';
import { request } from '../api/request.ts';
import { useCardActions } from '../cards/card-actions.ts';
import { usePointedWord } from '../cards/pointed-word.tsx';
import { useMessages } from '../i18n/use-messages.ts';
import { CopyButton } from '../shell/copy-button.tsx';
import { useRights } from '../shell/me-context.ts';
import { breakSql } from './break-sql.ts';
import { SqlEditor } from './sql-editor.tsx';
import { heatLevel } from './sql-marks.ts';

const NOTHING: readonly Span[] = [];

interface SqlPanelProps {
  readonly sql: string;
  readonly units: readonly RiskyPart[];
  readonly evidence: readonly Evidence[];
  /** Hears of the rows of an edited query. */
  readonly onRows: (outcome: Extract<SqlOutcome, { kind: 'answered' }>) => void;
}

/** The SQL of an answer: its doubtful parts, to copy, edit, run and mend. */
export default function SqlPanel({ sql, units, evidence, onRows }: SqlPanelProps) {
  const messages = useMessages();
  const { runSql } = useRights();
  const [isEditing, setEditing] = useState(false);
  const shown = useMemo(() => breakSql(sql), [sql]);
  const marks = useMemo(() => ({ units, evidence }), [units, evidence]);
  const { text, setText, run, isRunning, refusal } = useRun(shown, onRows);
  const { say, isWorking, isReadOnly } = useCardActions();
  const claim = usePointedWord().word?.claim;
  // Places in the query as it was written: in one that was edited they say nothing.
  const lit = claim?.kind === 'query' && text === shown ? claim.sqlSpans : NOTHING;
  const cancel = (): void => {
    setText(shown);
    setEditing(false);
  };
  return (
    <section className="sql-panel">
      <div className="sql-bar">
        <h4>{messages.sql}</h4>
        <CopyButton text={text} />
        {isEditing ? (
          <>
            <button type="button" className="primary" disabled={isRunning} onClick={run}>
              {isRunning ? messages.running : messages.run}
            </button>
            <button type="button" onClick={cancel}>
              {messages.cancel}
            </button>
          </>
        ) : (
          runSql &&
          !isReadOnly && (
            <button type="button" onClick={() => setEditing(true)}>
              {messages.edit}
            </button>
          )
        )}
      </div>
      <SqlEditor sql={shown} marks={marks} lit={lit} isEditable={isEditing} onChange={setText} onRun={run} />
      {refusal !== undefined && (
        <div className="failure" role="alert">
          {refusal.message} {refusal.next}{' '}
          <button
            type="button"
            disabled={isWorking}
            onClick={() => say({ text: '', failed: { sql: text, error: refusal.message } }, messages.fix)}
          >
            {messages.fix}
          </button>
        </div>
      )}
      <RiskyParts units={units} />
    </section>
  );
}

function useRun(shown: string, onRows: SqlPanelProps['onRows']) {
  const [text, setText] = useState(shown);
  const [isRunning, setRunning] = useState(false);
  const [refusal, setRefusal] = useState<Pick<Failure, 'message' | 'next'>>();
  const run = async (): Promise<void> => {
    setRunning(true);
    setRefusal(undefined);
    try {
      const outcome = await request<SqlOutcome>('/v1/sql', { body: { sql: text } });
      if (outcome.kind === 'answered') onRows(outcome);
      if (outcome.kind === 'reject')
        setRefusal({ message: outcome.message, next: outcome.nearest.join(', ') });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setRefusal(error.failure);
    } finally {
      setRunning(false);
    }
  };
  return { text, setText, run: () => void run(), isRunning, refusal };
}

/** The marks once more as a list, for those who do not point at things. */
function RiskyParts({ units }: { readonly units: readonly RiskyPart[] }) {
  const messages = useMessages();
  if (units.length === 0) return null;
  return (
    <details className="fold">
      <summary>
        {messages.riskyParts} ({units.length})
      </summary>
      <p className="quiet">{messages.heatLegend}</p>
      <ul className="risky-parts">
        {units.map(({ sqlSpan, text, probability, reasons }) => (
          <li key={`${sqlSpan.start}-${sqlSpan.end}`}>
            <code className={`heat heat-${heatLevel(probability)}`}>{text}</code>{' '}
            {messages.partRisk(Math.round(probability * 100))}
            <span className="quiet"> {reasons.join('; ')}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
