import { useRef, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import type { Chat, Failure } from '../api/contract.ts';
import { request } from '../api/request.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { CopyButton } from '../shell/copy-button.tsx';
import { FailureNote } from '../shell/failure-note.tsx';
import { hashOf } from '../shell/use-route.ts';
import './share.css';

interface ShareButtonProps {
  readonly chat: Pick<Chat, 'id' | 'shareId'>;
  readonly isSignedIn: boolean;
  readonly onChanged: () => void;
}

/** Makes the link of a conversation, shows it, and ends it again. */
export function ShareButton({ chat, isSignedIn, onChanged }: ShareButtonProps) {
  const { sharing, close } = useMessages();
  const dialog = useRef<HTMLDialogElement>(null);
  const { shareId, isWorking, said, failure, make, end } = useLink(chat, onChanged);
  return (
    <>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        {sharing.share}
      </button>
      <dialog ref={dialog} className="share" aria-labelledby="share-title">
        <h2 id="share-title">{sharing.title}</h2>
        <p>{isSignedIn ? sharing.forSignedIn : sharing.forMachine}</p>
        <p className="quiet">{sharing.goesOn}</p>
        {shareId === undefined ? (
          <button type="button" className="primary" disabled={isWorking} onClick={make}>
            {sharing.makeLink}
          </button>
        ) : (
          <>
            <label className="share-link">
              {sharing.link}
              <input
                readOnly
                value={linkOf(shareId)}
                onFocus={({ currentTarget }) => currentTarget.select()}
              />
            </label>
            <div className="share-bar">
              <CopyButton text={linkOf(shareId)} label={sharing.copyLink} />
              <button type="button" disabled={isWorking} onClick={end}>
                {sharing.endLink}
              </button>
            </div>
          </>
        )}
        <p role="status" className="quiet">
          {said !== undefined && sharing[said]}
        </p>
        {failure !== undefined && <FailureNote failure={failure} />}
        <form method="dialog">
          <button type="submit">{close}</button>
        </form>
      </dialog>
    </>
  );
}

function linkOf(shareId: string): string {
  return new URL(hashOf(['shared', shareId]), window.location.href).href;
}

function useLink({ id, shareId }: ShareButtonProps['chat'], onChanged: () => void) {
  /** What was done here, which the list of chats tells a moment later. */
  const [done, setDone] = useState<{ readonly shareId: string | undefined }>();
  const [isWorking, setWorking] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const path = `/v1/chats/${encodeURIComponent(id)}/share`;
  const change = async (ask: () => Promise<string | undefined>): Promise<void> => {
    setWorking(true);
    setFailure(undefined);
    try {
      setDone({ shareId: await ask() });
      onChanged();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFailure(error.failure);
    } finally {
      setWorking(false);
    }
  };
  const ask = async (): Promise<string> =>
    (await request<{ shareId: string }>(path, { method: 'POST' })).shareId;
  const leave = async (): Promise<undefined> => {
    await request(path, { method: 'DELETE' });
  };
  const said: 'ended' | 'made' | undefined =
    done === undefined ? undefined : done.shareId === undefined ? 'ended' : 'made';
  return {
    ...{ shareId: done === undefined ? shareId : done.shareId, isWorking, failure },
    said,
    make: () => void change(ask),
    end: () => void change(leave),
  };
}
