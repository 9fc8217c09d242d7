import { type FormEvent, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import type { Answered, Failure } from '../api/contract.ts';
import { request } from '../api/request.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { FailureNote } from '../shell/failure-note.tsx';
import { ThumbIcon } from '../shell/thumb-icon.tsx';
import { useCardActions } from './card-actions.ts';
import { CertifyButton } from './certify-button.tsx';

/** Whether the answer was right, and why not. */
export function AnswerFoot({ answer: { recordId } }: { readonly answer: Answered }) {
  const messages = useMessages();
  const [given, setGiven] = useState<'up' | 'down'>();
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const { isReadOnly } = useCardActions();
  if (isReadOnly) return null;

  const give = async (verdict: 'up' | 'down', reason?: string): Promise<void> => {
    try {
      await request('/v1/feedback', { body: { recordId, verdict, ...(reason && { reason }) } });
      setGiven(verdict);
      setAsking(false);
      setFailure(undefined);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFailure(error.failure);
    }
  };
  const explain = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    void give('down', String(new FormData(event.currentTarget).get('reason') ?? '').trim());
  };
  return (
    <footer className="card-foot">
      <button
        type="button"
        className="icon"
        aria-pressed={given === 'up'}
        aria-label={messages.good}
        title={messages.good}
        onClick={() => void give('up')}
      >
        <ThumbIcon />
      </button>
      <button
        type="button"
        className="icon"
        aria-pressed={given === 'down'}
        aria-label={messages.bad}
        title={messages.bad}
        onClick={() => setAsking(true)}
      >
        <ThumbIcon isDown />
      </button>
      <CertifyButton recordId={recordId} />
      {isAsking && (
        <form onSubmit={explain} className="feedback">
          <label>
            {messages.whyBad} <input name="reason" maxLength={2_000} />
          </label>
          <button type="submit">{messages.sendFeedback}</button>
        </form>
      )}
      {given !== undefined && (
        <span role="status" className="quiet">
          {messages.thanks}
        </span>
      )}
      {failure !== undefined && <FailureNote failure={failure} />}
    </footer>
  );
}
