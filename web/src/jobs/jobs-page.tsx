import { useEffect, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import type { Failure, Job, JobList } from '../api/contract.ts';
import { request } from '../api/request.ts';
import { useReply } from '../api/use-reply.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { FailureNote } from '../shell/failure-note.tsx';
import '../explore.css';
import '../desk.css';
import { isOpen, JobLine } from './job-line.tsx';
import { StartJob } from './start-job.tsx';

const LOOK_MS = 1_500;
/** Schedules and other people start jobs too. */
const LOOK_IDLE_MS = 15_000;

/** `#/jobs`: what is done in the background, to be started, watched, cancelled and tried again. */
export default function JobsPage() {
  const messages = useMessages();
  const { jobs: texts } = messages;
  const { reply, failure, again } = useReply<JobList>('/v1/jobs?limit=50');
  const [refused, setRefused] = useState<Failure>();
  const isBusy = reply?.jobs.some(isOpen) ?? false;
  useEffect(() => {
    const timer = setInterval(again, isBusy ? LOOK_MS : LOOK_IDLE_MS);
    return () => clearInterval(timer);
  }, [again, isBusy]);
  const send = async (path: string, body?: unknown): Promise<void> => {
    setRefused(undefined);
    const headers = { 'idempotency-key': crypto.randomUUID() };
    try {
      await request(path, { method: 'POST', headers, body: body ?? {} });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setRefused(error.failure);
    }
    again();
  };
  if (reply === undefined)
    return (
      <div className="page">
        {failure === undefined ? (
          <p className="quiet">{messages.loading}</p>
        ) : (
          <FailureNote failure={failure}>{failure.code === 'server.no-right' && texts.forAdmins}</FailureNote>
        )}
      </div>
    );
  const act = ({ id }: Job, what: 'cancel' | 'retry'): void =>
    void send(`/v1/jobs/${encodeURIComponent(id)}/${what}`);
  return (
    <div className="page explore">
      <p className="quiet">{texts.line}</p>
      <StartJob onStart={(kind) => void send('/v1/jobs', { kind })} />
      {refused !== undefined && <FailureNote failure={refused} />}
      {failure !== undefined && <FailureNote failure={failure} />}
      <p className="quiet" role="status">
        {reply.jobs.length === 0 && texts.none}
      </p>
      <ul className="lines runs" aria-label={texts.list}>
        {reply.jobs.map((job) => (
          <li key={job.id}>
            <JobLine job={job} onAct={(what) => act(job, what)} />
          </li>
        ))}
      </ul>
    </div>
  );
}
