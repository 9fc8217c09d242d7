import type { ReactNode } from 'react';
import type { Failure } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';

interface FailureNoteProps {
  readonly failure: Failure;
  /** What can be done about it. */
  readonly children?: ReactNode;
}

/** What went wrong and what to do next. */
export function FailureNote({ failure: { message, next, requestId }, children }: FailureNoteProps) {
  const messages = useMessages();
  return (
    <div className="failure" role="alert">
      <strong>{messages.failed}</strong> {message} {next} {children}
      {requestId !== '' && <span className="quiet"> {requestId}</span>}
    </div>
  );
}
