import { useEffect, useState } from 'react';
import { request } from '../api/request.ts';
import { useMessages } from '../i18n/use-messages.ts';

/** What can be asked, for those who see the page for the first time. */
export function Welcome({ onAsk }: { readonly onAsk: (question: string) => void }) {
  const messages = useMessages();
  const [questions, setQuestions] = useState<readonly string[]>([]);
  useEffect(() => {
    const left = new AbortController();
    // Examples are a help, not a need: without them the page stays as it is.
    request<{ suggestions: readonly { question: string }[] }>('/v1/suggestions', {
      signal: left.signal,
    }).then(
      ({ suggestions }) => setQuestions(suggestions.map(({ question }) => question)),
      () => undefined,
    );
    return () => left.abort();
  }, []);
  return (
    <section className="welcome">
      <h2>{messages.welcome}</h2>
      <p>{messages.welcomeLine}</p>
      {questions.length > 0 && (
        <>
          <h3>{messages.examples}</h3>
          <ul className="chips">
            {questions.map((question) => (
              <li key={question}>
                <button type="button" className="chip" onClick={() => onAsk(question)}>
                  {question}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
