import { useId } from 'react';
import type { Answered, WordUse } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { usePointedWord } from './pointed-word.tsx';
import { questionPieces } from './question-pieces.ts';

/** The question as it was read; each word tells, when it is pointed at, focused or tapped, where in the query it went. */
export function QuestionWords({ answer }: { readonly answer: Answered }) {
  const messages = useMessages();
  const { question, readAs = question, words = [], sql } = answer;
  const pieces = questionPieces(readAs, words);
  if (readAs === question && pieces.every(({ use }) => use === undefined)) return null;
  return (
    <p className="asked quiet">
      {readAs === question ? (
        <span className="hidden">{messages.yourQuestion}: </span>
      ) : (
        <>{messages.readAs}: </>
      )}
      <q>
        {pieces.map(({ start, text, use }) =>
          use === undefined ? text : <QuestionWord key={start} use={use} sql={sql} />,
        )}
      </q>
    </p>
  );
}

function QuestionWord({ use, sql }: { readonly use: WordUse; readonly sql: string }) {
  const messages = useMessages();
  const { word, point } = usePointedWord();
  const id = useId();
  const { text, claim } = use;
  const parts = claim.kind === 'query' ? claim.sqlSpans.map(({ start, end }) => sql.slice(start, end)) : [];
  return (
    <>
      <button
        type="button"
        className={`word word-${claim.kind}`}
        aria-describedby={id}
        onMouseEnter={() => point(use)}
        // A word that was pressed keeps its reason in sight, to be read with the pointer elsewhere.
        onMouseLeave={({ currentTarget }) => currentTarget.matches(':focus') || point(undefined)}
        onFocus={() => point(use)}
        onBlur={() => point(undefined)}
        onClick={() => point(use)}
        onKeyDown={({ key }) => key === 'Escape' && point(undefined)}
      >
        {text}
      </button>
      <span role="tooltip" id={id} className="word-why" hidden={word !== use}>
        <strong>{messages.wordClaims[claim.kind]}</strong>: {claim.why}{' '}
        {[...new Set(parts)].map((part) => (
          <code key={part}>{part}</code>
        ))}
      </span>
    </>
  );
}
