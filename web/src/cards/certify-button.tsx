import { useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import type { Failure } from '../api/contract.ts';
import { request } from '../api/request.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { FailureNote } from '../shell/failure-note.tsx';
import { useRights } from '../shell/me-context.ts';

/** Keeps question and SQL as a verified pair, where the person may. */
export function CertifyButton({ recordId }: { readonly recordId: string }) {
  const messages = useMessages();
  const { editKnowledge } = useRights();
  const [file, setFile] = useState<string>();
  const [isWorking, setWorking] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  if (!editKnowledge) return null;
  const certify = async (): Promise<void> => {
    setWorking(true);
    setFailure(undefined);
    try {
      setFile((await request<{ file: string }>('/v1/certify', { body: { recordId } })).file);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFailure(error.failure);
    } finally {
      setWorking(false);
    }
  };
  return (
    <>
      <button
        type="button"
        disabled={isWorking || file !== undefined}
        title={messages.certifyWhy}
        onClick={() => void certify()}
      >
        {file === undefined ? messages.certify : messages.certified}
      </button>
      {file !== undefined && (
        <span role="status" className="quiet">
          {messages.certifiedAs(file)}
        </span>
      )}
      {failure !== undefined && <FailureNote failure={failure} />}
    </>
  );
}
