import { useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import type { Failure, Replayed } from '../api/contract.ts';
import { request } from '../api/request.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { FailureNote } from '../shell/failure-note.tsx';
import { breakSql } from '../sql/break-sql.ts';
import { OutcomeBadge } from './outcome-badge.tsx';

/** Asks the question once more, on its own day, and says what came out differently. */
export function Replay({ id }: { readonly id: string }) {
  const { files } = useMessages();
  const [isAsking, setAsking] = useState(false);
  const [replayed, setReplayed] = useState<Replayed>();
  const [failure, setFailure] = useState<Failure>();
  const replay = async (): Promise<void> => {
    setAsking(true);
    setReplayed(undefined);
    setFailure(undefined);
    try {
      const path = `/v1/records/${encodeURIComponent(id)}/replay`;
      setReplayed(await request<Replayed>(path, { method: 'POST' }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFailure(error.failure);
    } finally {
      setAsking(false);
    }
  };
  return (
    <section>
      <h3>{files.replayTitle}</h3>
      <p className="quiet">{files.replayLine}</p>
      <button type="button" disabled={isAsking} onClick={() => void replay()}>
        {isAsking ? files.replaying : files.replay}
      </button>
      {failure !== undefined && <FailureNote failure={failure} />}
      <div role="status">{replayed !== undefined && <Compared replayed={replayed} />}</div>
    </section>
  );
}

function Compared({ replayed: { same, differences, answer } }: { readonly replayed: Replayed }) {
  const { files } = useMessages();
  return (
    <>
      <p>
        <strong>{same ? files.same : files.different}</strong> <OutcomeBadge kind={answer.kind} />
      </p>
      {!same && (
        <>
          <ul>
            {differences.map((difference) => (
              <li key={difference}>{difference}</li>
            ))}
          </ul>
          {answer.kind === 'answered' && answer.sql !== '' && (
            <pre className="sql-plain run-sql">{breakSql(answer.sql)}</pre>
          )}
        </>
      )}
    </>
  );
}
