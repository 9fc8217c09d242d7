import { type FormEvent, useEffect, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import type { Failure } from '../api/contract.ts';
import { request } from '../api/request.ts';
import { serverUrl } from '../api/server-url.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { FailureNote } from './failure-note.tsx';

/** Signs in with a key, which the browser then forgets: a cookie that scripts cannot read takes its place. */
export function SignIn({ onDone }: { readonly onDone: () => void }) {
  const messages = useMessages();
  const [failure, setFailure] = useState<Failure>();
  const hasIssuer = useIssuer();
  const signIn = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget).get('key') ?? '').trim();
    try {
      await request('/v1/sign-in', { body: { key } });
      onDone();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFailure(error.failure);
    }
  };
  return (
    <main className="sign-in">
      <form onSubmit={(event) => void signIn(event)} className="card">
        <h1>{messages.signIn}</h1>
        <label htmlFor="key">{messages.key}</label>
        <input id="key" name="key" type="password" autoComplete="current-password" required maxLength={200} />
        <p className="quiet">{messages.keyHelp}</p>
        <button type="submit" className="primary">
          {messages.signIn}
        </button>
        {failure !== undefined && <FailureNote failure={failure} />}
        {hasIssuer && (
          <a className="button" href={serverUrl('/v1/oidc/start')}>
            {messages.signInElsewhere}
          </a>
        )}
        {window.location.hash === '#/sign-in-failed' && <p role="alert">{messages.signInFailed}</p>}
      </form>
    </main>
  );
}

/** Whether the people of this server have an account elsewhere to sign in with. */
function useIssuer(): boolean {
  const [hasIssuer, setHasIssuer] = useState(false);
  useEffect(() => {
    request<{ readonly oidc: boolean }>('/v1/sign-in').then(
      ({ oidc }) => setHasIssuer(oidc),
      // The key still works, and says what is wrong.
      () => undefined,
    );
  }, []);
  return hasIssuer;
}
