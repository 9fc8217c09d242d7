import { useId, useLayoutEffect, useRef } from 'react';
import type { Answered, WordUse } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { usePointedWord } from './pointed-word.tsx';
import { questionPieces } from './question-pieces.ts';
import { type WordLook, wordLook } from './word-look.ts';

/** The question as it was read; each word tells, when it is pointed at, focused or tapped, where in the query it went. */
export function QuestionWords({ answer }: { readonly answer: Answered }) {
  const messages = useMessages();
  const { question, readAs = question, words = [], sql } = answer;
  const pieces = questionPieces(readAs, words);
  if (readAs === question && pieces.every(({ use }) => use === undefined)) return null;
  return (
    <p className="question-words quiet">
      {readAs === question ? (
        <span className="hidden">{messages.yourQuestion}: </span>
      ) : (
        <>{messages.readAs}: </>
      )}
      <q>
        {pieces.map(({ start, text, use }) =>
          use === undefined ? (
            text
          ) : (
            <QuestionWord key={start} use={use} look={wordLook(use, answer)} sql={sql} />
          ),
        )}
      </q>
    </p>
  );
}

interface QuestionWordProps {
  readonly use: WordUse;
  readonly look: WordLook;
  readonly sql: string;
}

function QuestionWord({ use, look, sql }: QuestionWordProps) {
  const { word, point, pass, isOnReason } = usePointedWord();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={`word word-${look}`}
        aria-describedby={id}
        onMouseEnter={() => pass(use)}
        // A word that was pressed keeps its reason in sight, to be read with the pointer elsewhere.
        onMouseLeave={({ currentTarget }) => pass(currentTarget.matches(':focus') ? use : undefined)}
        onFocus={() => point(use)}
        onBlur={() => isOnReason.current || point(undefined)}
        onClick={() => point(use)}
      >
        {use.text}
      </button>
      <WordReason id={id} use={use} look={look} sql={sql} isShown={word === use} word={button} />
    </>
  );
}

interface WordReasonProps extends QuestionWordProps {
  readonly id: string;
  readonly isShown: boolean;
  readonly word: React.RefObject<HTMLButtonElement | null>;
}

/** It stands below the whole question, so that it covers none of its words, and as near its own as it fits. */
function WordReason({ id, use, look, sql, isShown, word }: WordReasonProps) {
  const messages = useMessages();
  const { pass, isOnReason } = usePointedWord();
  const reason = useRef<HTMLSpanElement>(null);
  const { claim } = use;
  const parts = claim.kind === 'query' ? claim.sqlSpans.map(({ start, end }) => sql.slice(start, end)) : [];
  useLayoutEffect(() => {
    const [shown, around] = [reason.current, reason.current?.offsetParent];
    if (!isShown || shown === null || !around) return;
    const room = around.clientWidth - shown.offsetWidth;
    shown.style.left = `${Math.max(0, Math.min(word.current?.offsetLeft ?? 0, room))}px`;
  }, [isShown, word]);
  return (
    <span
      ref={reason}
      role="tooltip"
      id={id}
      className="word-why"
      hidden={!isShown}
      onMouseEnter={() => {
        isOnReason.current = true;
        pass(use);
      }}
      onMouseLeave={() => {
        isOnReason.current = false;
        pass(word.current?.matches(':focus') ? use : undefined);
      }}
    >
      <strong>{messages.wordClaims[look]}</strong>: {messages.wordWhy(claim.why)}{' '}
      {[...new Set(parts)].map((part) => (
        <code key={part}>{part}</code>
      ))}
    </span>
  );
}
