import type { Job } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';

const LOOKS: Readonly<Record<Job['state'], string>> = {
  waiting: 'badge badge-ask',
  retrying: 'badge badge-warn',
  running: 'badge badge-ask',
  done: 'badge badge-good',
  cancelled: 'badge badge-no',
  failed: 'badge badge-warn',
};

export function isOpen({ state }: Job): boolean {
  return state === 'waiting' || state === 'retrying' || state === 'running';
}

interface JobLineProps {
  readonly job: Job;
  readonly onAct: (what: 'cancel' | 'retry') => void;
}

/** One job: how far it is, why it failed and what to do about it. */
export function JobLine({ job, onAct }: JobLineProps) {
  const messages = useMessages();
  const { jobs, files } = messages;
  const { kind, state, by, createdAt, isCancelling, error, attempts } = job;
  const facts = [
    files.day(createdAt),
    by === 'schedule' ? jobs.bySchedule : jobs.startedBy(by),
    ...(attempts.length > 1 ? [jobs.attempts(attempts.length)] : []),
  ];
  return (
    <>
      <div className="table-line">
        <strong>{jobs.kinds[kind]}</strong>
        <span className={LOOKS[state]}>{isCancelling ? jobs.cancelling : jobs.states[state]}</span>
        {state === 'running' && <Progress job={job} />}
        {isOpen(job) && !isCancelling && (
          <button
            type="button"
            aria-label={`${messages.cancel}: ${jobs.kinds[kind]}`}
            onClick={() => onAct('cancel')}
          >
            {messages.cancel}
          </button>
        )}
        {(state === 'failed' || state === 'cancelled') && (
          <button
            type="button"
            aria-label={`${jobs.retry}: ${jobs.kinds[kind]}`}
            onClick={() => onAct('retry')}
          >
            {jobs.retry}
          </button>
        )}
      </div>
      <p className="quiet">{facts.join(' · ')}</p>
      {error !== undefined && (
        <p>
          {error.message} {error.next} <code>{error.code}</code>
        </p>
      )}
      {attempts.length > 0 && <Details job={job} />}
    </>
  );
}

function Progress({ job: { kind, progress } }: { readonly job: Job }) {
  const { jobs, desk } = useMessages();
  if (progress === undefined) return null;
  const { stage, done, total, etaSeconds } = progress;
  return (
    <>
      <progress aria-label={jobs.kinds[kind]} value={done} max={Math.max(1, total)} />
      <span>
        {stage} {jobs.progress(done, total)}
      </span>
      {etaSeconds !== undefined && <span className="quiet">{desk.timeLeft(etaSeconds)}</span>}
    </>
  );
}

function Details({ job: { attempts, result } }: { readonly job: Job }) {
  const { jobs, files } = useMessages();
  return (
    <details>
      <summary>{jobs.details}</summary>
      <ol>
        {attempts.map(({ number, worker, beganAt, outcome, error }) => (
          <li key={number}>
            {files.day(beganAt)} · <code>{worker}</code> ·{' '}
            {outcome === undefined ? jobs.running : jobs.outcomes[outcome]}
            {error !== undefined && <code> {error.code}</code>}
          </li>
        ))}
      </ol>
      {result !== undefined && <pre className="sql-plain">{JSON.stringify(result, null, 2)}</pre>}
    </details>
  );
}
