import { useEffect, useState } from 'react';

const PAUSE_MS = 200;

/** The text once nobody has typed for a moment: not every letter is a question to the server. */
export function useDebounced(text: string): string {
  const [settled, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
