import { useEffect, useRef } from 'react';
import { useMessages } from '../i18n/use-messages.ts';

/** The keys of the page, behind a button or `?`. */
export function KeyboardHelp() {
  const messages = useMessages();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const hear = ({ key, target }: KeyboardEvent): void => {
      const isTyping =
        target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]');
      if (key === '?' && !isTyping) dialog.current?.showModal();
    };
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, []);
  const { keys } = messages;
  const lines = [
    ['/', keys.focus],
    ['Enter', keys.send],
    ['Shift Enter', keys.newLine],
    ['Esc', keys.stop],
    ['↑', keys.last],
    ['?', keys.help],
  ];
  return (
    <>
      <button type="button" className="wide-only" onClick={() => dialog.current?.showModal()}>
        {messages.keyboard}
      </button>
      <dialog ref={dialog} aria-label={messages.keyboard}>
        <dl className="keys">
          {lines.map(([key, what]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <form method="dialog">
          <button type="submit">{messages.close}</button>
        </form>
      </dialog>
    </>
  );
}
