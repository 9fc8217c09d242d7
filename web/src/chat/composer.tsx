import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import type { Turn } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';

const MOST_CHARACTERS = 2_000;

export interface ComposerHandle {
  focus(): void;
}

interface ComposerProps {
  readonly ref: Ref<ComposerHandle>;
  /** What stands in the field at first. */
  readonly draft: string;
  readonly isWorking: boolean;
  /** Comes back with the arrow key. */
  readonly lastText: string;
  readonly onSay: (turn: Turn) => void;
  readonly onStop: () => void;
}

type Mode = NonNullable<Turn['mode']>;

/** Where questions are written. Enter sends, Shift-Enter breaks the line, Escape stops the work. */
export function Composer({ ref, draft, isWorking, lastText, onSay, onStop }: ComposerProps) {
  const messages = useMessages();
  const [text, setText] = useState(draft.slice(0, MOST_CHARACTERS));
  const [isGuided, setGuided] = useState(false);
  const [mode, setMode] = useState<Mode>('fast');
  const field = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(ref, () => ({ focus: () => field.current?.focus() }), []);
  useShortcut(field, isWorking ? onStop : undefined);
  const isDrafted = useRef(draft !== '');
  useEffect(() => {
    if (isDrafted.current) field.current?.focus();
  }, []);

  const send = (): void => {
    if (text.trim() === '' || isWorking) return;
    onSay({ text, ...(isGuided && { guided: true }), ...(mode !== 'fast' && { mode }) });
    setText('');
  };
  const press = (event: KeyboardEvent): void => {
    const { key, shiftKey, nativeEvent } = event;
    // While a word is being composed, Enter ends it.
    if (nativeEvent.isComposing) return;
    if (key === 'ArrowUp' && text === '') setText(lastText);
    if (key !== 'Enter' || shiftKey) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label className="hidden" htmlFor="question">
        {messages.yourQuestion}
      </label>
      <textarea
        id="question"
        ref={field}
        rows={Math.min(8, text.split('\n').length)}
        maxLength={MOST_CHARACTERS}
        placeholder={messages.placeholder}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={press}
      />
      <div className="composer-bar">
        <label>
          <input type="checkbox" checked={isGuided} onChange={() => setGuided(!isGuided)} /> {messages.guided}
        </label>
        <label>
          {messages.mode}{' '}
          <select value={mode} onChange={({ currentTarget }) => setMode(currentTarget.value as Mode)}>
            {Object.entries(messages.modes).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        {isWorking ? (
          <button type="button" className="primary" onClick={onStop}>
            {messages.stop}
          </button>
        ) : (
          <button type="submit" className="primary" disabled={text.trim() === ''}>
            {messages.send}
          </button>
        )}
      </div>
    </form>
  );
}

/** `/` goes to the field from anywhere that takes no text; Escape stops. */
function useShortcut(field: { readonly current: HTMLTextAreaElement | null }, stop?: () => void): void {
  useEffect(() => {
    const hear = (event: globalThis.KeyboardEvent): void => {
      const { key, target } = event;
      if (key === 'Escape') stop?.();
      if (key !== '/' || isTyping(target)) return;
      event.preventDefault();
      field.current?.focus();
    };
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, [field, stop]);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable="true"]') !== null
  );
}
