import { useState } from 'react';
import { useMessages } from '../i18n/use-messages.ts';

/** Copies a text and says that it did. */
export function CopyButton({ text, label }: { readonly text: string; readonly label?: string }) {
  const messages = useMessages();
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <button type="button" onClick={() => void copy()} aria-live="polite">
      {isCopied ? messages.copied : (label ?? messages.copy)}
    </button>
  );
}
